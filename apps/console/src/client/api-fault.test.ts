import { describe, expect, it } from 'vitest';
import { faultOf, parseErrorBody } from './api-fault.ts';

describe('faultOf', () => {
  it("keeps the agent's code, words, remedy and request id", () => {
    const error = Object.assign(new Error('no'), {
      data: {
        code: 'digest-stale',
        message: 'The plan changed.',
        remedy: 'Look again.',
        requestId: 'q1',
        details: { digest: 'd' },
      },
    });
    expect(faultOf(error)).toEqual({
      code: 'digest-stale',
      message: 'The plan changed.',
      remedy: 'Look again.',
      requestId: 'q1',
      details: { digest: 'd' },
    });
  });

  it('reads a refusal of the gateway, which is no answer of the router', () => {
    expect(
      faultOf({
        meta: { response: { status: 502 }, responseJSON: { code: 'agent-unreachable', message: 'Nobody answers.' } },
      }),
    ).toEqual({
      code: 'agent-unreachable',
      message: 'Nobody answers.',
    });
  });

  it('tells a lost gateway, a late answer and an ended session apart', () => {
    expect(faultOf(new TypeError('Failed to fetch')).code).toBe('gateway-unreachable');
    expect(faultOf({ cause: new DOMException('late', 'TimeoutError') }).code).toBe('timed-out');
    expect(faultOf({ meta: { response: { status: 401 } } }).code).toBe('unauthenticated');
  });

  it.each([undefined, null, 7, 'x', {}, { data: null }])('never throws: %j', (thrown) => {
    expect(faultOf(thrown).message).not.toBe('');
  });
});

describe('parseErrorBody', () => {
  it('takes nothing that has no code and message', () => {
    expect(parseErrorBody({ message: 'x' })).toBeUndefined();
    expect(parseErrorBody('x')).toBeUndefined();
  });
});
