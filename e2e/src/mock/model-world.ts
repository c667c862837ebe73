import { seeded } from './random.ts';

/** An endpoint of the invented model. */
export interface WorldEndpoint {
  readonly id: string;
  readonly profiles: readonly string[];
  readonly ipv4: string;
  readonly ipv6: string | null;
  readonly ports: Readonly<Record<string, string>>;
  readonly file: string;
}

/** The invented model: profiles with tags, endpoints with addresses. */
export interface ModelWorld {
  readonly profiles: ReadonlyMap<string, readonly string[]>;
  readonly endpoints: readonly WorldEndpoint[];
}

const services = [
  'web',
  'cart',
  'search',
  'db',
  'cache',
  'queue',
  'auth',
  'mail',
  'batch',
  'metrics',
  'proxy',
  'dns',
  'build',
  'chat',
  'video',
  'ledger',
  'stock',
];
const roles = ['frontend', 'backend', 'public', 'internal', 'pci', 'canary', 'blue', 'green', 'monitored', 'backup'];

/** Makes the model: 34 profiles, 240 endpoints, and one of each kind of text that must be shown as itself. */
export function makeModel(): ModelWorld {
  const random = seeded(7);
  const profiles = new Map<string, readonly string[]>();
  for (const service of services) {
    for (const tier of ['prod', 'test']) {
      const tags = [
        service,
        `${service}-${tier}`,
        ...roles.filter(() => random() < 0.28).map((role) => `${service}-${role}`),
        tier,
      ];
      profiles.set(`${service}-${tier}`, [...new Set(tags)]);
    }
  }
  profiles.set('odd', ['a<b>&"c', 'näive-\u202egnissim', 'x'.repeat(60)]);
  const names = [...profiles.keys()];
  const endpoints = Array.from({ length: 240 }, (_, index): WorldEndpoint => {
    const first = names[index % names.length] ?? 'web-prod';
    const second = random() < 0.3 ? (names[Math.floor(random() * names.length)] ?? first) : first;
    return {
      id: `node-${'abc'[index % 3]}/k8s/${first}.${index}/eth0`,
      profiles: [...new Set([first, second])],
      ipv4: `10.65.${Math.floor(index / 200)}.${(index % 200) + 2}`,
      ipv6: random() < 0.7 ? `2001:db8:1::${(index + 2).toString(16)}` : null,
      ports: random() < 0.4 ? { http: 'tcp:8080', metrics: 'tcp:9100' } : {},
      file: `endpoints/${first}.yaml`,
    };
  });
  return { profiles, endpoints };
}

/** Endpoints that own a tag. */
export function ownersOfTag(
  model: ModelWorld,
  tag: string,
): readonly { readonly endpoint: WorldEndpoint; readonly profile: string }[] {
  return model.endpoints.flatMap((endpoint) =>
    endpoint.profiles
      .filter((profile) => model.profiles.get(profile)?.includes(tag) === true)
      .map((profile) => ({ endpoint, profile })),
  );
}

/** Every tag of the model, sorted. */
export function allTags(model: ModelWorld): readonly string[] {
  return [...new Set([...model.profiles.values()].flat())].toSorted();
}
