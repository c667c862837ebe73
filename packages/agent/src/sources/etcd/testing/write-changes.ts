/**
 * A program for tests, run inside a network namespace: `write-changes.ts ENDPOINT[,ENDPOINT...] COUNT [HOST]` makes that
 * many changes in etcd, trying each until a member takes it, however often they are killed meanwhile. Prints what etcd holds in
 * the end, which a last host tells, as one JSON document of the model.
 */
const [endpointList = '', count = '0', end = 'the-end'] = process.argv.slice(2);
const endpoints = endpointList.split(',');
let turn = 0;
const PREFIX = '/setkeeper/v1/';
const IDS = 1_500;

const base64 = (text: string): string => Buffer.from(text).toString('base64');

async function ask(path: string, body: unknown): Promise<{ kvs?: readonly { key: string; value: string }[] }> {
  for (;;) {
    const endpoint = endpoints[turn % endpoints.length] ?? '';
    const options = { method: 'POST', body: JSON.stringify(body), signal: AbortSignal.timeout(3_000) };
    const answer = await fetch(`${endpoint}/v3/${path}`, options).catch(() => null);
    if (answer?.ok === true) return (await answer.json()) as { kvs?: readonly { key: string; value: string }[] };
    await answer?.body?.cancel();
    turn++;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const put = (key: string, value: unknown) => ({
  requestPut: { key: base64(PREFIX + key), value: base64(JSON.stringify(value)) },
});

function change(number: number) {
  const id = (number * 7_919) % IDS;
  if (number % 11 === 5) return { requestDeleteRange: { key: base64(`${PREFIX}endpoints/e${id}`) } };
  if (number % 97 === 3) return put(`profiles/p${id % 5}`, { tags: [`t${number % 6}`, 'shared'] });
  const address = `10.${number % 3}.${id >> 8}.${id & 255}`;
  return put(`endpoints/e${id}`, { profiles: [`p${id % 5}`], ipv4: [address], ipv6: [`2001:db8::${id.toString(16)}`] });
}

await ask('kv/txn', { success: [0, 1, 2, 3, 4].map((id) => put(`profiles/p${id}`, { tags: [`t${id}`, 'shared'] })) });
for (let number = 0; number < Number(count); number += 20) {
  const changes = Array.from({ length: 20 }, (_, i) => change(number + i));
  const keys = changes.map((each) => ('requestPut' in each ? each.requestPut : each.requestDeleteRange).key);
  // A transaction may not touch one key twice: the later change of it counts.
  await ask('kv/txn', { success: changes.filter((_, index) => keys.lastIndexOf(keys[index] ?? '') === index) });
}
await ask('kv/txn', { success: [put(`hosts/${end}`, { ipv4: '192.0.2.250' })] });

const range = { key: base64(PREFIX), rangeEnd: base64(`${PREFIX.slice(0, -1)}0`) };
const { kvs = [] } = await ask('kv/range', range);
const sections = new Map<string, [string, unknown][]>();
for (const { key, value } of kvs) {
  const [section = '', id = ''] = Buffer.from(key, 'base64').toString().slice(PREFIX.length).split('/');
  sections.set(section, [...(sections.get(section) ?? []), [id, JSON.parse(Buffer.from(value, 'base64').toString())]]);
}
const entries = [...sections].map(([section, objects]): [string, unknown] => [section, Object.fromEntries(objects)]);
process.stdout.write(JSON.stringify(Object.fromEntries(entries)));
