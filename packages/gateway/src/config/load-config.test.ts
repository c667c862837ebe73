import { describe, expect, it } from 'vitest';
import { parseGatewayConfig } from './load-config.ts';

const agents = 'agents: [{ name: node-a, socket: /run/a.sock }]\n';
const parse = (text: string) => parseGatewayConfig(text, 'gateway.yaml');

describe('gateway.yaml', () => {
  it('needs agents and nothing else', () => {
    expect(parse(agents)).toMatchObject({
      listen: { host: '127.0.0.1', port: 8470, isLoopback: true },
      session: { idleMinutes: 30, absoluteHours: 12 },
      trustedProxies: [],
      logins: 'on',
      signingKey: { kid: 'gateway' },
    });
    expect(() => parse('listen: 127.0.0.1:1\n')).toThrow(/agents/u);
  });

  it('refuses an unknown key and says in which line it stands', () => {
    expect(() => parse(`${agents}listn: x\n`)).toThrow('gateway.yaml:2: listn: unknown key');
    expect(() => parse(`${agents}session:\n  idleMinutes: 5\n  idle: 6\n`)).toThrow(
      'gateway.yaml:4: session.idle: unknown key',
    );
    expect(() => parse('agents:\n  - name: a\n    socket: /s\n    sock: /t\n')).toThrow(
      'gateway.yaml:4: agents.0.sock',
    );
  });

  it('says where text is no YAML', () => {
    expect(() => parse('agents: [\n')).toThrow(/^gateway\.yaml:\d/u);
  });

  it('refuses two agents with one name', () => {
    expect(() => parse('agents: [{ name: a, socket: /s }, { name: a, socket: /t }]')).toThrow(/one name/u);
  });
});

describe('exposure', () => {
  const origins = 'origins: ["https://sets.example.org"]\nlogins: "on"\n';

  it('is refused beyond loopback without TLS or a proxy', () => {
    expect(() => parse(`${agents}listen: 0.0.0.0:8470\n${origins}`)).toThrow(/needs tls, or trustedProxies/u);
    expect(() => parse(`${agents}listen: "[::]:8470"\n${origins}`)).toThrow(/needs tls/u);
    expect(() => parse(`${agents}listen: 192.0.2.1:8470\n${origins}`)).toThrow(/gateway\.yaml:2: listen/u);
  });

  it('is allowed with TLS or a proxy, where origins are named and logins are on', () => {
    const tls = 'tls: { cert: /c, key: /k }\n';
    expect(parse(`${agents}listen: 0.0.0.0:8470\n${origins}${tls}`).listen.isLoopback).toBe(false);
    expect(parse(`${agents}listen: 0.0.0.0:8470\n${origins}trustedProxies: [192.0.2.7]\n`).trustedProxies).toEqual([
      '192.0.2.7',
    ]);
    expect(() => parse(`${agents}listen: 0.0.0.0:8470\n${tls}logins: "on"\n`)).toThrow(/origins/u);
    expect(() => parse(`${agents}listen: 0.0.0.0:8470\n${tls}origins: ["https://a.example"]\nlogins: "off"\n`)).toThrow(
      /logins/u,
    );
  });

  it('never leaves a proxied loopback listener without logins', () => {
    expect(() =>
      parse(`${agents}trustedProxies: [127.0.0.1]\norigins: ["https://a.example"]\nlogins: "off"\n`),
    ).toThrow(/logins/u);
  });

  it('takes no address beyond this machine that browsers speak to in clear', () => {
    const proxied = `${agents}trustedProxies: [127.0.0.1]\n`;
    expect(() => parse(`${proxied}origins: ["https://a.example", "http://a.example"]\n`)).toThrow(
      /gateway\.yaml:3: origins: http:\/\/a\.example .* must be https/u,
    );
    expect(parse(`${agents}origins: ["http://localhost:9000", "https://a.example"]\n`).origins).toHaveLength(2);
  });

  it('takes addresses, not names', () => {
    expect(() => parse(`${agents}listen: example.org:8470\n`)).toThrow(/an address is/u);
    expect(() => parse(`${agents}origins: ["https://a.example/path"]\n`)).toThrow(/an origin is/u);
  });
});
