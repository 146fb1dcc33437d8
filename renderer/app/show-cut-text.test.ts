import { expect, it } from 'vitest';
import { showTitle } from './show-cut-text';

it('shows marks of direction in a title as marks, and leaves what is isolated already', () => {
  expect(showTitle('INV\u202e-1 · 127.0.0.1')).toBe('INV[RLO]-1 · 127.0.0.1');
  expect(showTitle('\u2066مرجع\u2069 · +5 ms')).toBe('\u2066مرجع\u2069 · +5 ms');
  expect(showTitle('\u2066a\u202eb\u2069')).toBe('[LRI]a[RLO]b[PDI]');
  expect(showTitle('\u2067a · 201')).toBe('[RLI]a · 201');
  expect(showTitle('one\ntwo')).toBe('one\ntwo');
});
