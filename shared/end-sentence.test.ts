import { describe, expect, it } from 'vitest';
import { endSentence } from './end-sentence';

describe('endSentence', () => {
  it.each([
    ['it ended with exit code 3', 'it ended with exit code 3.'],
    ['Permission denied (publickey).', 'Permission denied (publickey).'],
    ['Who are you?\n', 'Who are you?'],
    ['say "no."', 'say "no."'],
    ['waiting…', 'waiting…'],
    ['port 22 ', 'port 22.'],
  ])('ends %j', (text, expected) => {
    expect(endSentence(text)).toBe(expected);
  });
});
