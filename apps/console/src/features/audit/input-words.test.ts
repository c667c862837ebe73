import { expect, it } from 'vitest';
import { inputWords } from './input-words.ts';

it.each([
  ['{"groups":["tag:web","net:corp"],"reason":"ticket 4711"}', 'groups tag:web, net:corp · reason ticket 4711'],
  ['{"forSeconds":3600,"all":true}', 'forSeconds 3600 · all true'],
  ['{"ids":[],"reason":"","at":{"line":3}}', 'ids [] · reason "" · at {"line":3}'],
])('says %s in words', (input, words) => {
  expect(inputWords(input)).toBe(words);
});

it.each(['{"documents":"cut off he', '[1]', 'null', ''])('leaves %s as it is', (input) => {
  expect(inputWords(input)).toBe(input);
});
