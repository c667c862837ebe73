import { expect, it } from 'vitest';
import { AgentConfig } from '../config/agent-config.ts';
import { sourceNames } from './source-names.ts';

const names = (sources: readonly object[]) => sourceNames(AgentConfig.parse({ sources }).sources);

it('names a source by its own name, its directory or its kind', () => {
  expect(
    names([
      { directory: { path: '/etc/setkeeper/model.d/' } },
      { directory: { path: '/x', name: 'mine' } },
      { etcd: { endpoints: ['http://127.0.0.1:2379'] } },
      { declared: {} },
      { directory: { path: '/' } },
    ]),
  ).toEqual(['model.d', 'mine', 'etcd', 'declared', 'directory']);
});

it('never gives one name twice', () => {
  expect(
    names([
      { directory: { path: '/a/model' } },
      { directory: { path: '/b/model' } },
      { declared: { name: 'model-2' } },
    ]),
  ).toEqual(['model', 'model-2', 'model-2-2']);
});
