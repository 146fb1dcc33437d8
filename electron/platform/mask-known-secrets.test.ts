import { expect, it } from 'vitest';
import { countProcessorMs } from '../../test/support/processor-time';
import { maskKnownSecrets } from './mask-known-secrets';

const SECRET = 'c0nsumer/Secret+of-m1ne';
const unicode = [...SECRET].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const percent = [...SECRET].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('');
const hexPairs = [...SECRET].map((one) => one.charCodeAt(0).toString(16));
const quote = (text: string): string => JSON.stringify(text).slice(1, -1);

it.each<[string, string]>([
  ['itself', SECRET],
  ['UTF-16', [...SECRET].join('\0')],
  ['escaped letters', unicode],
  ['some escaped letters', `${unicode.slice(0, 30)}${SECRET.slice(5)}`],
  ['escaped slashes', SECRET.replace('/', '\\/')],
  ['JSON in JSON in JSON', quote(quote(unicode))],
  ['percent', percent],
  ['percent in small letters', encodeURIComponent(SECRET).toLowerCase().replace('secret', 'Secret')],
  ['percent twice', encodeURIComponent(percent)],
  ['a form in JSON', quote(unicode.replaceAll('\\', '%5C'))],
  ['a page of HTML', SECRET.replace('/', '&#x2F;').replace('+', '&#43;')],
  ['letters as entities', [...SECRET].map((one) => `&#${one.charCodeAt(0)};`).join('')],
  ['entities in JSON', quote(unicode.replaceAll('\\', '&#92;'))],
  ['hex', Buffer.from(SECRET).toString('hex')],
  ['hex in pairs', hexPairs.join(' ')],
  ['hex in pairs, capitals', hexPairs.join(':').toUpperCase()],
  ['hex as code writes it', hexPairs.map((pair) => `0x${pair}`).join(', ')],
  ['hex as strings write it', quote(hexPairs.map((pair) => `\\x${pair}`).join(''))],
  ['hex in words', hexPairs.join('').replace(/.{8}/g, '$& ').trim()],
  ['Base64 over lines, in JSON', quote(Buffer.from(`key:${SECRET}??`).toString('base64').replace(/.{10}/g, '$&\r\n'))],
  ['letters with blanks between', [...SECRET].join(' ')],
  ['bytes in decimal digits', [...SECRET].map((one) => one.charCodeAt(0)).join(', ')],
  ['Base64 with escapes', Buffer.from(`key:${SECRET}??`).toString('base64').replaceAll('/', '\\u002f').replaceAll('+', '%2B')],
])('masks %s, and nothing beside it', (_name, form) => {
  const masked = maskKnownSecrets(`{"note":"a ${form} é\\n b"}`, [SECRET]);
  expect(masked).toMatch(/^\{"note":"a (?:[^"]{0,12}[^\s…]{4}…[^\s…]{4}[^"]{0,12}|[^"]{0,4}•{8}[^"]{0,4}) é\\n b"\}$/);
  expect(masked.length).toBeLessThan(50);
}); // prettier-ignore

it('masks what a pattern matches, escaped or not', () => {
  const pattern = /\bT-\d{6,20}-x/g;
  expect(maskKnownSecrets('T-123456-x, T-12-x, %54-123456\\u002dx', [pattern])).toBe(
    'T-123456-x, T-12-x, %54-123456\\u002dx'.replace('T-123456-x', '••••••••').replace('%54-123456\\u002dx', '••••••••'),
  );
}); // prettier-ignore

it('masks each of many, across layers', () => {
  const text = `${SECRET} ${unicode} ${quote(unicode)} ${encodeURIComponent(percent)}`.repeat(50);
  const masked = maskKnownSecrets(text, [SECRET]);
  for (const form of [SECRET, unicode, percent]) expect(masked).not.toContain(form.slice(0, 12));
});

it('leaves text without them byte for byte, broken escapes too', () => {
  const text =
    '100 % &amp &#; &#x; &#xffffffff; &copy; &amp;amp; \\u12 \\ud800 %zz %E9 \\\\ \0 {"a":"c0nsumer%2FSecret"}';
  expect(maskKnownSecrets(text, [SECRET, 'abc'])).toBe(text);
});

it('takes secrets of any length, and hostile texts, in linear time', () => {
  const processorMs = countProcessorMs();
  const long = 'x/%'.repeat(30_000);
  expect(maskKnownSecrets(`a ${encodeURIComponent(long)} b`, [long])).toBe('a x%2F…F%25 b');
  expect(
    maskKnownSecrets('<b>a&b=c&lt;d&gt;e&quot;f</b> a&amp;b=c&lt;d&gt;e&quot;f', ['a&b=c<d>e"f']),
  ).not.toMatch(/a&amp;b/);
  for (const piece of [
    '&#x63;',
    '&amp;',
    '&',
    '&#',
    '\\u0063',
    'c\0',
    '63 ',
    '99, ',
    '0x',
    '%25',
    '\\',
    '%',
    SECRET.slice(0, -1),
    `${unicode} `,
  ]) {
    maskKnownSecrets(piece.repeat(Math.floor(600_000 / piece.length)), [SECRET]);
  }
  expect(processorMs()).toBeLessThan(3000);
});
