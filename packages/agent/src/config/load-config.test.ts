import { describe, expect, it } from 'vitest';
import { ConfigError, parseAgentConfig } from './load-config.ts';

const faultsOf = (text: string) => {
  try {
    parseAgentConfig(text, 'agent.yaml');
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('the configuration was accepted');
};

describe('agent.yaml', () => {
  it('needs no key at all', () => {
    const config = parseAgentConfig('', 'agent.yaml');
    expect(config.mode).toBe('manage');
    expect(config.sets.prefix).toBe('sk-');
    expect(config.sources).toEqual([{ directory: { path: '/etc/setkeeper/model.d', quietMs: 300 } }, { declared: {} }]);
  });

  it('names key and line of an unknown key', () => {
    const error = faultsOf('host: a\nsets:\n  prefix: sk-\n  maxelm: 12\n');
    expect(error.faults).toEqual([{ key: 'sets.maxelm', line: 4, reason: 'unknown key' }]);
    expect(error.message).toBe('agent.yaml:4: sets.maxelm: unknown key');
  });

  it('names the unknown key inside the source that was meant', () => {
    const error = faultsOf('sources:\n  - directory: { path: /m }\n  - etcd:\n      endpoints: [a]\n      prefx: /x\n');
    expect(error.faults).toEqual([{ key: 'sources.1.etcd.prefx', line: 5, reason: 'unknown key' }]);
  });

  it('names every fault, in the order of lines', () => {
    const error = faultsOf('mode: other\nsets: { prefix: "-x" }\n');
    expect(error.faults.map(({ key, line }) => [key, line])).toEqual([
      ['mode', 1],
      ['sets.prefix', 2],
    ]);
  });

  it('refuses text that is no YAML, with its line', () => {
    const error = faultsOf('host: a\n  b: [\n');
    expect(error.faults[0]?.line).toBeGreaterThan(0);
  });

  it('refuses a key given twice', () => {
    expect(faultsOf('host: a\nhost: b\n').message).toMatch(/unique/u);
  });

  it('takes the contract’s whole example', () => {
    const config = parseAgentConfig(
      `
mode: manage
host: node-a
socket: /run/setkeeper/agent.sock
adminSocket: /run/setkeeper/admin.sock
store: /var/lib/setkeeper/agent.db
sets:
  prefix: sk-
  formerPrefixes: [felix-, azure-npm-]
  adopt: { blacklist: "net:blacklist" }
  families: [inet, inet6]
  program: auto
  maxelem: 1048576
  settleMs: 50
  apply: auto
guard: { removedPercent: 30, removedMin: 50, emptied: true, setsMin: 5, sourcePercent: 50, sourceMin: 20 }
startTimeoutSeconds: 30
resync: { headersSeconds: 10, membersSeconds: 90, repair: true }
cleanup: { mode: manual, delaySeconds: 30, ignore: [] }
leaks: { afterSeconds: 60 }
sources:
  - directory: { path: /etc/setkeeper/model.d, quietMs: 300 }
  - etcd: { endpoints: ["http://127.0.0.1:2379"], prefix: /setkeeper/v1, layout: setkeeper, username: x, passwordFile: F, ca: F, cert: F, key: F }
  - declared: {}
history: { runs: 10000, days: 30, maxMiB: 512 }
boot: { directory: /var/lib/setkeeper/boot.d, everySeconds: 10 }
ipset: { path: ipset, timeoutSeconds: 60 }
trust: { gatewayKeys: [{ kid: a, key: b, maxRole: admin }] }
`,
      'agent.yaml',
    );
    expect(config.sources).toHaveLength(3);
    expect(parseAgentConfig('guard: off', 'agent.yaml').guard).toBe('off');
  });
});
