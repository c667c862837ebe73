import fc from 'fast-check';
import { expect, it } from 'vitest';
import { serverSentMessages } from './event-stream.ts';

async function* chunks(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const cut of [...cuts].sort((one, other) => one - other)) {
    yield bytes.subarray(from, cut);
    from = cut;
  }
  yield bytes.subarray(from);
}

it('reads the same messages wherever the stream is cut into chunks', async () => {
  const text =
    'event: connected\r\ndata: {}\r\n\r\n: comment\n\nid: e-1\ndata: {"x":"ü"}\n\nevent: ping\ndata: \n\ndata: a\ndata:b\n\ndata: unfinished\n';
  const bytes = new TextEncoder().encode(text);
  const expected = [
    { event: 'connected', data: '{}' },
    { event: 'message', data: '{"x":"ü"}' },
    { event: 'ping', data: '' },
    { event: 'message', data: 'a\nb' },
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 8 }), async (cuts) => {
      const messages: unknown[] = [];
      for await (const message of serverSentMessages(chunks(bytes, cuts))) messages.push(message);
      expect(messages).toEqual(expected);
    }),
  );
});
