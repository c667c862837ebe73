import { seededRandom } from './random-number.ts';

/** A restore file that may fail, and the sets that are there before it runs. */
export interface RandomScript {
  readonly seed: number;
  readonly setup: string;
  readonly input: string;
  readonly args: readonly string[];
}

/** Scripts with good lines and every kind of bad one, the same for the same seed. */
export function* randomScripts(seed: number, count: number): Generator<RandomScript> {
  for (let i = 0; i < count; i++) yield randomScript(seed + i);
}

function randomScript(seed: number): RandomScript {
  const random = seededRandom(seed);
  const number = (below: number): number => Math.floor(random() * below);
  const pick = <T>(from: readonly [T, ...T[]]): T => from[number(from.length)] ?? from[0];
  const good: readonly [() => string, ...(() => string)[]] = [
    () => `${pick(['add', 'del'])} a 192.0.2.${1 + number(12)}`,
    () => `${pick(['add', 'del'])} n 192.0.2.${number(4) * 64}/26${pick(['', ' nomatch'])}`,
    () => `add p 192.0.2.${1 + number(9)},${pick(['tcp', 'udp', '6', 'sctp'])}:${1 + number(9)}`,
    () => `add s 2001:db8::${(1 + number(12)).toString(16)}`,
    () => `add L ${pick(['a', 'n', 's'])}`,
    () => `add f 192.0.2.${1 + number(6)}`,
    () =>
      pick([
        'COMMIT',
        '# a comment',
        '',
        'create a hash:ip',
        'create x hash:ip',
        'destroy x',
        'swap a b',
        'flush b',
        'rename x y',
      ]),
  ];
  const bad: readonly [() => string, ...(() => string)[]] = [
    () => `add a ${pick(['192.0.2.300', '2001:db8::1', '192.0.2.1,6:80', '192.0.2.0/33', '0.0.0.0', 'b', '-f', ''])}`,
    () => `add n ${pick(['0.0.0.0/0', '192.0.2.0/255.0.0.0', '2001:db8::/32', '192.0.2.1,6:80'])}`,
    () =>
      `add p ${pick(['192.0.2.1', '192.0.2.1,nosuch:1', '192.0.2.1,tcp:70000', '192.0.2.1,6:x', '0.0.0.0,6:80', '2001:db8::1,6:80'])}`,
    () => `add s ${pick(['192.0.2.1', '2001:db8::/64', '::', '2001:db8::1,6:80'])}`,
    () => `add L ${pick(['nosuch', 'L', '192.0.2.1'])}`,
    () => `add nosuch 192.0.2.1`,
    () =>
      pick([
        'bogus',
        'add',
        'add a',
        'create y',
        'swap a',
        'destroy a b',
        'version',
        'add a 192.0.2.1 nomatch',
        'add a 192.0.2.2 "',
      ]),
    () =>
      pick([
        'create a hash:net',
        'create z hash:foo',
        'create z hash:mac',
        'create z hash:ip maxelem x',
        'create z hash:ip foo 1',
      ]),
    () =>
      pick([
        'swap a n',
        'swap a nosuch',
        'swap nosuch a',
        'destroy a',
        'rename a b',
        'rename nosuch z',
        'flush nosuch',
      ]),
    () =>
      pick([
        'add a 192.0.2.9 timeout 5',
        'add a 192.0.2.9 comment "x"',
        'add a 192.0.2.9 packets 1 bytes 2',
        'test a 192.0.2.200',
        'quit',
      ]),
  ];
  const lines = Array.from({ length: 1 + number(25) }, () => (random() < 0.12 ? pick(bad)() : pick(good)()));
  return {
    seed,
    setup: [
      'create a hash:ip',
      'create b hash:ip',
      'create n hash:net',
      'create p hash:ip,port',
      'create s hash:ip family inet6',
      'create f hash:ip maxelem 4',
      'create L list:set',
      'add a 192.0.2.1',
      'add n 192.0.2.0/26',
      'add L a',
      '',
    ].join('\n'),
    input: `${lines.join('\n')}\n`,
    args: random() < 0.7 ? ['-exist'] : [],
  };
}
