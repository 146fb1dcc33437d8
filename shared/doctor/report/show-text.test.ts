import { expect, it } from 'vitest';
import { cutText, showText } from './show-text';

it.each([
  ['\n', 'a line feed'],
  ['\r\n', 'CRLF'],
  ['\0', 'a zero byte'],
  ['\u001f', 'the character U+001F'],
  ['\u00a0', 'the character U+00A0'],
  ['\u{e0001}', 'the character U+E0001'],
  ['|', '“|”'],
  [' |', '“ |”'],
  ['  ', '“  ”'],
  ['', '“”'],
  ['x'.repeat(81), `“${'x'.repeat(80)}…”`],
])('shows %j as %s', (text, shown) => {
  expect(showText(text)).toBe(shown);
});

it('cuts a text that is longer than a line alone', () => {
  expect(cutText('x'.repeat(80))).toBe('x'.repeat(80));
});
