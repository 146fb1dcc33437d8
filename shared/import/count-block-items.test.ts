import { expect, it } from 'vitest';
import { countBlockItems } from './count-block-items';

const count = (...lines: string[]): number =>
  countBlockItems(lines.join('\n'), new Set(['items', 'children']));

it('counts the entries of lists, and of lists within them', () => {
  expect(
    count(
      'name: x',
      'items:',
      '  - name: a',
      '    headers:',
      '      - name: h',
      '      - name: i',
      '  - name: f',
      '    children:',
      '      - name: b',
      '        children: ',
      '          - name: c',
      '          - name: d',
      '      - name: e',
      '',
      '  # - name: no',
      '  -   name: g',
      'environments:',
      '  - name: no',
    ),
  ).toBe(7);
});

it('counts entries that stand as far left as their key, and ends with it', () => {
  expect(
    count('items: # all', '- a: 1', '  children:', '  - b: 2', '  - c: 3', '- d: 4', 'more:', '- e: 5'),
  ).toBe(4);
});

it('takes no line of a text for an entry', () => {
  expect(
    count(
      'items:',
      '  - docs: |-',
      '      items:',
      '        - no',
      '',
      '      - no',
      '    text: >',
      '      - no',
      '  - |',
      '    - no',
      '  - name: "- no"',
      'text: |',
      '  items:',
      '    - no',
    ),
  ).toBe(3);
});

it.each([
  ['a list in brackets', ['items: [a, b]']],
  ['another key', ['myitems:', '  - a', 'items2:', '  - b', 'x:items:', '  - c']],
  ['no entry', ['items:', 'other: 1', '- a']],
  ['tabs', ['items:', '\t- a']],
])('counts nothing in %s', (_what, lines) => {
  expect(count(...lines)).toBe(0);
});

it('has the same with CR and LF', () => {
  expect(countBlockItems('items:\r\n  - a: 1\r\n  - b: 2\r\n', new Set(['items']))).toBe(2);
});

it('takes time that grows with the text alone', () => {
  const deep = Array.from({ length: 3000 }, (_, at) => `${' '.repeat(at)}items:`).join('\n');
  expect(countBlockItems(deep, new Set(['items']))).toBe(0);
  expect(countBlockItems('- '.repeat(200_000), new Set(['items']))).toBe(0);
});
