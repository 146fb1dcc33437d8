import { expect, it } from 'vitest';
import { stripJsonComments } from './strip-comments';

it.each<[text: string, kept: string, dropped: string]>([
  ['{\n  // a\n  "b": 1 // c\n}', '{\n  \n  "b": 1 \n}', '{\n  "b": 1 \n}'],
  ['{\r\n  /* a\r\n  */\r\n  "b": 1\r\n}', '{\r\n  \r\n  "b": 1\r\n}', '{\r\n  "b": 1\r\n}'],
  ['  /* a */ {"b": 1}', '   {"b": 1}', ' {"b": 1}'],
  ['{"u":"http://x/*","v":"\\"//"}', '{"u":"http://x/*","v":"\\"//"}', '{"u":"http://x/*","v":"\\"//"}'],
  ['{{a}} // {{b}}', '{{a}} ', '{{a}} '],
  ['1 /* without end', '1 ', '1 '],
  ['1 / 2', '1 / 2', '1 / 2'],
])('takes the comments out of %j', (text, kept, dropped) => {
  expect(stripJsonComments(text, { dropsLines: false })).toBe(kept);
  expect(stripJsonComments(text, { dropsLines: true })).toBe(dropped);
});
