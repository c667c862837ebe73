import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLoopbackHost, judgeRequest, type OriginPolicy, type RequestFacts } from './request-judge.ts';

const loopback: OriginPolicy = { isLoopback: true, scheme: 'http', origins: [] };
const named: OriginPolicy = { isLoopback: false, scheme: 'https', origins: ['https://sets.example.org'] };
const facts = (change: Partial<RequestFacts>): RequestFacts => ({
  method: 'GET',
  host: '127.0.0.1:8470',
  origin: undefined,
  secFetchSite: undefined,
  ...change,
});

describe('a loopback listener', () => {
  it.each(['127.0.0.1:8470', '127.0.0.1', 'localhost:9999', 'LOCALHOST', '[::1]:1', '127.9.9.9:80'])(
    'takes the loopback host %s with any port',
    (host) => expect(judgeRequest(facts({ host }), loopback)).toEqual({ ok: true }),
  );

  it.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example:8470',
    '10.0.0.1:8470',
    '[::2]',
    '0.0.0.0',
    '127.0.0.1:99999',
    '',
    '2130706433',
    '127.1',
  ])('answers 421 for the host %j', (host) =>
    expect(judgeRequest(facts({ host }), loopback)).toMatchObject({ status: 421 }),
  );

  it('answers 421 without a host', () =>
    expect(judgeRequest(facts({ host: undefined }), loopback)).toMatchObject({ status: 421 }));

  it('takes an origin that equals the host, and no other', () => {
    const host = 'localhost:9999';
    expect(judgeRequest(facts({ host, origin: 'http://localhost:9999' }), loopback).ok).toBe(true);
    for (const origin of [
      'http://localhost:9998',
      'http://127.0.0.1:9999',
      'https://localhost:9999',
      'null',
      '',
      'http://evil.example',
    ])
      expect(judgeRequest(facts({ host, origin }), loopback)).toMatchObject({ status: 403, came: origin });
  });

  it('says which origin came and which was expected', () => {
    const verdict = judgeRequest(facts({ origin: 'http://evil.example' }), loopback);
    expect(verdict).toMatchObject({ came: 'http://evil.example', expected: 'http://127.0.0.1:8470' });
  });

  it.each([
    ['same-origin', 'POST', true],
    ['same-origin', 'GET', true],
    ['none', 'GET', true],
    ['none', 'POST', false],
    ['same-site', 'GET', false],
    ['cross-site', 'GET', false],
    ['cross-site', 'POST', false],
    ['anything', 'GET', false],
  ])('with Sec-Fetch-Site %s and %s: %s', (secFetchSite, method, ok) =>
    expect(judgeRequest(facts({ secFetchSite, method }), loopback)).toMatchObject(ok ? { ok } : { ok, status: 403 }),
  );
});

describe('a named listener', () => {
  it('takes its own host only', () => {
    expect(judgeRequest(facts({ host: 'sets.example.org' }), named).ok).toBe(true);
    expect(judgeRequest(facts({ host: 'sets.example.org:443' }), named).ok).toBe(true);
    for (const host of ['127.0.0.1:8470', 'localhost', 'sets.example.org:8443', 'example.org'])
      expect(judgeRequest(facts({ host }), named)).toMatchObject({ status: 421 });
  });

  it('takes its own origin only', () => {
    const host = 'sets.example.org';
    expect(judgeRequest(facts({ host, origin: 'https://sets.example.org' }), named).ok).toBe(true);
    expect(judgeRequest(facts({ host, origin: 'http://sets.example.org' }), named)).toMatchObject({ status: 403 });
  });
});

it('takes no host that a resolver could send elsewhere', () => {
  fc.assert(
    fc.property(fc.domain(), fc.option(fc.nat(65_535)), (name, port) => {
      expect(isLoopbackHost(port === null ? name : `${name}:${port}`)).toBe(false);
    }),
  );
});
