import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { LONGEST_IN_EDITOR, refuseLongPaste } from './refuse-long-paste';

it.each([
  [500_000, undefined, false],
  [500_001, undefined, true],
  [500_001, LONGEST_IN_EDITOR, false],
  [4_000_001, LONGEST_IN_EDITOR, true],
])(
  'of a pasted text of %i characters, where %s may be, it says whether it is too long',
  (length, most, isTooLong) => {
    const preventDefault = vi.fn();
    const take = vi.fn();
    const clipboardData = { getData: () => 'a'.repeat(length) } as unknown as DataTransfer;
    refuseLongPaste({ clipboardData, preventDefault }, take, most);
    expect([preventDefault.mock.calls.length, take.mock.calls.length]).toEqual(isTooLong ? [1, 1] : [0, 0]);
  },
);

it.each([
  ['a\u05d0'.repeat(5000), undefined, false],
  ['a\u05d0'.repeat(5001), undefined, true],
  ['a\u0627\n'.repeat(5001), undefined, false],
  ['a\u05d0'.repeat(5001), LONGEST_IN_EDITOR, false],
  ['\u05d0'.repeat(5001), undefined, true],
  [`${'\u05d0'.repeat(200)} `.repeat(100), undefined, false],
  [`${'a\u05d0'.repeat(4000)}\n`.repeat(2), undefined, true, 'TEXTAREA'],
  ['a\u200f'.repeat(5001), undefined, true],
  ['a\u0627\n'.repeat(5001), undefined, true, 'INPUT'],
  ['a\u0627\n'.repeat(5001), undefined, false, 'TEXTAREA'],
])(
  'of a line that is read to and fro it takes a few thousand turns (%#)',
  (text, most, isTooLong, tagName?: string) => {
    const take = vi.fn();
    const clipboardData = { getData: () => text } as unknown as DataTransfer;
    const target = { tagName } as Element;
    refuseLongPaste({ clipboardData, preventDefault: vi.fn(), target }, take, most);
    expect(take).toHaveBeenCalledTimes(isTooLong ? 1 : 0);
  },
);

/** Files that have a plain field, and refuse in another way or have none that is typed into. */
const others = new Set(['features/lab/marked-text-area.tsx', 'ui/text-field.tsx']);

it('is asked by every plain field that text is typed into', () => {
  const root = join(import.meta.dirname, '..');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.tsx'),
  );
  const faulty = files.filter((name) => {
    const fields =
      readFileSync(join(root, name), 'utf8').match(/<(?:input|textarea|Input|TextArea)\b[^]*?\/>/g) ?? [];
    return fields.some((field) => !/type="(?:checkbox|file|radio)"|refuseAtField/.test(field));
  });
  expect(faulty.map((name) => name.replaceAll('\\', '/')).filter((name) => !others.has(name))).toEqual([]);
});

/** What a search holds is cut as it is typed; a path is typed here alone. */
const neverLong = new Set([
  'app/command-search.tsx',
  'features/requests/search/search-dialog.tsx',
  'features/requests/collections/path-field.tsx',
]);

it('draws the beginning of a value that came from a file in every plain field', () => {
  const root = join(import.meta.dirname, '..');
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) =>
    name.replaceAll('\\', '/'),
  );
  const faulty = names.filter((name) => {
    if (!name.endsWith('.tsx') || neverLong.has(name)) return false;
    const fields =
      readFileSync(join(root, name), 'utf8').match(/<(?:input|textarea|Input|TextArea)\b[^]*?\/>/g) ?? [];
    return fields.some((field) => !/type="(?:checkbox|file|radio)"|\{\.\.\.fit|inputRef/.test(field));
  });
  expect(faulty).toEqual(['features/lab/marked-text-area.tsx']);
});
