import { describe, expect, it } from 'vitest';
import { SseParser } from './sse-parser.ts';

describe('SseParser', () => {
  it('reads events whole, however the bytes are cut', () => {
    const text = 'event: connected\ndata: {}\n\n\ndata: {"a":1}\nid: e-1\n\n\nevent: ping\ndata: \n\n\n';
    const whole = new SseParser().push(text);
    expect(whole).toEqual([
      { event: 'connected', data: '{}' },
      { event: 'message', data: '{"a":1}', id: 'e-1' },
      { event: 'ping', data: '' },
    ]);
    for (let cut = 1; cut < text.length; cut += 1) {
      const parser = new SseParser();
      expect([...parser.push(text.slice(0, cut)), ...parser.push(text.slice(cut))]).toEqual(whole);
    }
  });

  it('joins several data lines, passes comments over, and takes CRLF', () => {
    expect(new SseParser().push(': hello\r\ndata: a\r\ndata: b\r\n\r\n')).toEqual([{ event: 'message', data: 'a\nb' }]);
  });

  it('gives nothing for an event that has not ended', () => {
    expect(new SseParser().push('data: half')).toEqual([]);
  });
});
