import { describe, expect, it } from 'vitest';
import { countProcessorMs } from '../../../../test/support/processor-time';
import { joinHunks, mergeTexts, nameHunks, type HunkChoice } from './merge-texts';

const base = 'a\nb\nc\nd\ne\n';
const choose = (...choices: [number, HunkChoice][]) => new Map(choices);

describe('merging a draft with what stands on disk', () => {
  it('takes what each side changed in a place of its own', () => {
    const hunks = mergeTexts(base, base.replace('b', 'mine'), base.replace('d', 'theirs'));
    expect(hunks.map(({ kind }) => kind)).toEqual(['same', 'mine', 'same', 'theirs', 'same']);
    expect(joinHunks(hunks, choose())).toBe('a\nmine\nc\ntheirs\ne\n');
  });

  it('leaves a place that both changed to a choice: either, or both', () => {
    const hunks = mergeTexts(base, base.replace('c', 'mine'), base.replace('c', 'theirs'));
    expect(hunks.map(({ kind }) => kind)).toEqual(['same', 'conflict', 'same']);
    expect(joinHunks(hunks, choose())).toContain('b\nmine\nd');
    expect(joinHunks(hunks, choose([1, 'theirs']))).toContain('b\ntheirs\nd');
    expect(joinHunks(hunks, choose([1, 'both']))).toContain('b\nmine\ntheirs\nd');
  });

  it('names each stretch, two that look the same apart, and by its name still where another one came before it', () => {
    const mine = base.replace('b', 'x').replace('d', 'x');
    const names = nameHunks(mergeTexts(null, mine, 'a\ny\nc\ny\ne\n'));
    expect(new Set(names).size).toBe(5);
    const later = nameHunks(mergeTexts(null, mine, 'first\na\ny\nc\ny\ne\n'));
    expect(later.slice(1)).toEqual(names);
  });

  it('sees that both made the same change', () => {
    const both = base.replace('c', 'x');
    expect(mergeTexts(base, both, both).every(({ kind }) => kind === 'same')).toBe(true);
  });

  it('takes back nothing of the other side where it is not known what both came from', () => {
    const hunks = mergeTexts(null, base.replace('b', 'mine'), base.replace('d', 'theirs'));
    expect(hunks.filter(({ kind }) => kind !== 'same').map(({ kind }) => kind)).toEqual([
      'conflict',
      'conflict',
    ]);
  });

  it('keeps every byte of either side, whatever they hold', () => {
    const alphabet = ['a\n', 'b\n', 'c\r\n', '\n', 'd'];
    let seed = 7;
    const draw = (most: number): number => (seed = (seed * 48271) % 2147483647) % most;
    const text = (): string =>
      Array.from({ length: draw(9) }, () => alphabet[draw(alphabet.length)]!).join('');
    for (let round = 0; round < 2000; round++) {
      const [from, mine, theirs] = [round % 5 === 0 ? null : text(), text(), text()];
      const hunks = mergeTexts(from, mine, theirs);
      expect(hunks.map((one) => one.mine).join('')).toBe(mine);
      expect(hunks.map((one) => one.theirs).join('')).toBe(theirs);
      if (from === mine) expect(joinHunks(hunks, choose())).toBe(theirs);
      if (from === theirs) expect(joinHunks(hunks, choose())).toBe(mine);
    }
  });

  it('compares long texts that have nothing in common at once', () => {
    const lines = (word: string): string =>
      Array.from({ length: 20_000 }, (_, at) => `${word} ${at}\n`).join('');
    const processorMs = countProcessorMs();
    expect(mergeTexts(lines('x'), lines('y'), lines('z'))).toHaveLength(1);
    expect(processorMs()).toBeLessThan(5000);
  });
});
