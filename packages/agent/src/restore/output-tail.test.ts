import { expect, it } from 'vitest';
import { OutputTail } from './output-tail.ts';

it('keeps all of a short output', () => {
  const tail = new OutputTail();
  for (const text of ['one\n', 'two\n', 'é\n']) tail.push(Buffer.from(text));
  expect(tail.text()).toBe('one\ntwo\né\n');
});

it('keeps the first and the last words of a flood, in bounded memory, and says what is missing', () => {
  const tail = new OutputTail();
  tail.push(Buffer.from('first words\n'));
  for (let i = 0; i < 2000; i++) tail.push(Buffer.alloc(1024, 'x'));
  tail.push(Buffer.from('\nlast words\n'));
  const text = tail.text();
  expect(text.startsWith('first words\n')).toBe(true);
  expect(text.endsWith('\nlast words\n')).toBe(true);
  expect(text).toMatch(/\[\d+ bytes left out\]/);
  expect(text.length).toBeLessThan(70_000);
});
