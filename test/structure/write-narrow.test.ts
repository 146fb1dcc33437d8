import { describe, expect, it } from 'vitest';
import { escapeWide } from '../../scripts/write-narrow';

/** Runs what was written, and tells what it gives and whether all of it is Latin-1. */
function run(code: string): { value: unknown; isNarrow: boolean } {
  const written = escapeWide(`const raw = String.raw; globalThis.__given = ${code};`);
  (0, eval)(written.replace('const raw', 'var raw'));
  const { __given: value } = globalThis as { __given?: unknown };
  return { value, isNarrow: [...written].every((one) => one.charCodeAt(0) < 256) };
}

describe('what is built', () => {
  it.each([
    ['a text', `'… – “é” 😀 \\u2026 \\\\…'`, '… – “é” 😀 … \\…'],
    ['a text that escapes it needlessly', `'\\…'`, '…'],
    ['a template', '`“${1 + 1}” → \\`é\\``', '“2” → `é`'],
    ['a regular expression', `/^[…–]+$/u.test('…–')`, true],
    ['a pair of surrogates in one', `/^😀{2}$/u.test('😀😀')`, true],
    ['a key', `Object.keys({ 'a→b': 1 })[0]`, 'a→b'],
  ])('says the same in Latin-1: %s', (_what, code, value) => {
    expect(run(code)).toEqual({ value, isNarrow: true });
  });

  it('is refused where an escape would say something else', () => {
    expect(() => escapeWide('String.raw`…`')).toThrow("No escape can stand for '…' here: String.raw`…`");
  });
});
