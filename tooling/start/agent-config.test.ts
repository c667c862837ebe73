import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { hostAgentConfig, observingAgentConfig, privateAgentConfig } from './agent-config.ts';
import { layoutOf } from './layout.ts';

const key = { privatePem: '', kid: 'start-x', publicKey: 'xyz' };
const trusted = { kid: 'start-x', key: 'xyz', maxRole: 'admin' };
const input = { layout: layoutOf('/srv/setkeeper'), host: 'node-a', key };

describe('agent configuration', () => {
  it('watches the model directory in place and trusts the gateway of this checkout', () => {
    expect(parse(privateAgentConfig(input, '/srv/model'))).toMatchObject({
      host: 'node-a',
      sources: [{ directory: { path: '/srv/model' } }, { declared: {} }],
      trust: { gatewayKeys: [trusted] },
    });
  });

  it('has no source when it only observes', () => {
    const config = parse(observingAgentConfig(input));
    expect(config.mode).toBe('observe');
    expect(config.sources).toBeUndefined();
  });

  it("adds the gateway's key to the host's configuration and keeps the rest, comments included", () => {
    const text = '# ours\nhost: node-b # here\nadminSocket: /run/x/admin.sock\nsets: { prefix: ab- }\n';
    const config = hostAgentConfig(text, '/etc/setkeeper/agent.yaml', 'machine', key);
    expect(config).toMatchObject({
      agentSocket: '/run/setkeeper/agent.sock',
      adminSocket: '/run/x/admin.sock',
      host: 'node-b',
    });
    expect(config.text).toContain('# here');
    expect(parse(config.text)).toEqual({ ...parse(text), trust: { gatewayKeys: [trusted] } });
  });

  it('keeps the keys that the host already trusts', () => {
    const other = { kid: 'k', key: 'o', maxRole: 'viewer' };
    const { text } = hostAgentConfig(`trust: { gatewayKeys: [{ kid: k, key: o, maxRole: viewer }] }\n`, 'f', 'm', key);
    expect(parse(text).trust.gatewayKeys).toEqual([other, trusted]);
  });

  it('takes an empty file as all defaults', () => {
    const config = hostAgentConfig('', 'f', 'machine', key);
    expect(config.host).toBe('machine');
    expect(parse(config.text)).toEqual({ trust: { gatewayKeys: [trusted] } });
  });

  it('says file and line when the text is not YAML', () => {
    expect(() => hostAgentConfig('host: a\nhost: b: c\n', '/etc/setkeeper/agent.yaml', 'm', key)).toThrow(
      /^\/etc\/setkeeper\/agent\.yaml:\d+ is not YAML/,
    );
    expect(() => hostAgentConfig('- a\n', 'f', 'm', key)).toThrow('not a map');
  });
});
