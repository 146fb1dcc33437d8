import { expect, it } from 'vitest';
import { listBodyForms } from './body-forms';

const phrasesOf = (text: string): (string | undefined)[] =>
  [...listBodyForms(new TextEncoder().encode(text))].map(({ deviation }) => deviation?.phrase);

it('writes a body anew only where its tree is small, and a small one in every form', () => {
  const write = (letters: number): string => ` {"a": "${'x'.repeat(letters)}"}`;
  const likely = [
    undefined,
    expect.stringContaining('without the white space'),
    expect.stringContaining('a line feed'),
  ];
  expect(phrasesOf(write(2 ** 20))).toEqual(likely);
  expect(phrasesOf(write(2 ** 17))).toEqual([...likely, expect.stringContaining('minified')]);
  expect(phrasesOf(write(10)).length).toBeGreaterThan(40);
});

it('takes bytes that read alike for one body, in a text of any length', () => {
  const long = `${'é'.repeat(40_000)}\n`;
  expect(phrasesOf(long)).toHaveLength(3);
  expect(phrasesOf(long.trim())).toHaveLength(2);
});
