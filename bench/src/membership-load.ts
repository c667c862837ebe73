/**
 * `membership-load.ts indexed|naive ENDPOINTS`: loads a membership by itself and prints what it cost as JSON: `ms`, and
 * `bytes` that stay. A process of its own, so that nothing else is in its memory; needs --expose-gc.
 */
import { createMembership, type ObjectChange, objectKey } from '@setkeeper/agent/membership';
import type { Member } from '@setkeeper/ipset';
import { NaiveIndex } from './naive-index.ts';

const PROFILES = 200;
const TAGS_A_PROFILE = 5;
const CHANGES_A_BATCH = 1000;

const [which = 'indexed', countText = '1000'] = process.argv.slice(2);
const count = Number(countText);
const collect = globalThis.gc;
if (collect === undefined) throw new Error('needs --expose-gc');

function* changes(): Generator<ObjectChange> {
  const fresh = { before: null, origin: { source: 'bench' } };
  for (let i = 0; i < PROFILES; i++) {
    const tags = Array.from({ length: TAGS_A_PROFILE }, (_, tag) => `t${i}.${tag}`);
    const after = { kind: 'profile', id: `p${i}`, tags } as const;
    yield { ...fresh, key: objectKey('profile', after.id), after };
  }
  for (let i = 1; i <= count; i++) {
    const address = `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}` as Member;
    const profiles = [`p${i % PROFILES}`, `p${(i * 7 + 1) % PROFILES}`];
    const after = {
      ...({ kind: 'endpoint', id: `node/k8s/e-${i}`, profiles, ipv4: [address], ipv6: [] } as const),
      ...{ ports: new Map(), active: true },
    };
    yield { ...fresh, key: objectKey('endpoint', after.id), after };
  }
}

const used = (): number => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

const before = used();
const membership = which === 'naive' ? new NaiveIndex() : createMembership();
let ms = 0;
let batch: ObjectChange[] = [];
const apply = (): void => {
  const began = performance.now();
  membership.apply(batch);
  ms += performance.now() - began;
  batch = [];
};
for (const change of changes()) {
  batch.push(change);
  if (batch.length === CHANGES_A_BATCH) apply();
}
apply();
const bytes = used() - before;
const member = '10.0.0.1' as Member;
if (membership.endpointsWithAddress(member).length !== 1) throw new Error('the membership is not what was loaded');
console.log(JSON.stringify({ ms, bytes }));
