import { expect, it } from 'vitest';
import { remarkBody } from './body-remarks';

const remark = (headers: [string, string][], isUtf8: boolean, sizeBytes = 5) =>
  remarkBody(headers, { sizeBytes, isUtf8: () => isUtf8 }).map(({ kind, text }) => `${kind}: ${text}`);

it('says what keeps a body from being read as its text, and nothing of one that is', () => {
  expect(remark([['content-type', 'application/json']], true)).toEqual([]);
  expect(remark([['Content-Encoding', 'Identity']], true)).toEqual([]);
  expect(remark([['Content-Encoding', 'gzip']], false, 0)).toEqual([]);
  expect(remark([['content-encoding', ' GZip ']], false)).toEqual([
    'compressed: Compressed (gzip), and not unpacked here: nothing is read in it. Its bytes are kept, and handed on, as they came.',
  ]);
  expect(
    remark(
      [
        ['Content-Encoding', 'deflate'],
        ['content-encoding', 'br'],
      ],
      false,
    )[0],
  ).toContain('(deflate, br)');
  expect(remark([['Content-Encoding', 'x'.repeat(9000)]], false)[0]!.length).toBeLessThan(200);
  expect(remark([], false)).toEqual([
    'not_utf8: Not UTF-8: what of the body is none is shown as \ufffd. Its bytes are kept, and handed on, as they came.',
  ]);
});
