import { expect, it } from 'vitest';
import { quoteAnswer } from './quote-answer';

const quote = (text: string, headers: Parameters<typeof quoteAnswer>[1] = {}): string =>
  quoteAnswer(Buffer.from(text), headers, (all) => all.replaceAll('whsec_x', '••••'));

it.each<[what: string, text: string, quoted: string]>([
  ['JSON as it stands', '{"error":"no matching\\nsignature"}', '“{"error":"no matching\\nsignature"}”'],
  ['lines as one', 'Bad\r\n  signature\n', '“Bad signature”'],
  ['nothing of nothing', ' \n', ''],
  ['no bytes that are no text', '\u0000\u0001', ''],
  ['what is hidden', 'expected whsec_x', '“expected ••••”'],
  [
    'no token that nobody here knows',
    'no tk.0123456789abcdef.Zm9vYmFyMTIzNDU2Nzg5MA in Zm9v/YmFyMTIzNDU2Nzg5MDEyMw== %74%6b%2e%30%31%32%33 tk.01234\\n56789\\nabcde',
    '“no tk.0…g5MA in Zm9v…Mw== %74%…2%33 tk.0…bcde”',
  ],
  ['no short token that is said to be one', 'got Bearer abcdef1234567890', '“got Bearer ••••••••”'],
  [
    'no secret that has its name',
    '{"password":"hunter2"} ?pin=4711',
    '“{"password":"••••••••"} ?pin=••••••••”',
  ],
  ['a word behind Bearer', 'Bearer authentication required', '“Bearer authentication required”'],
  [
    'what is long and no token',
    'payment 8f14e45f-ceea-467a-9575-1a2b3c4d5e6f at /usr/lib/python3.11/site-packages/web/handler_of_webhooks.py',
    '“payment 8f14e45f-ceea-467a-9575-1a2b3c4d5e6f at /usr/lib/python3.11/site-packages/web/handler_of_webhooks.py”',
  ],
  ['no control that moves the cursor', 'a\u001b[2Jb', '“a\\x1b[2Jb”'],
  [
    'a page without its head and styles',
    '<!DOCTYPE html><html><head><title>403</title><style>p{}</style></head><body><h1>Forbidden</h1><p>CSRF &amp; so&nbsp;on</p><script>1<2</script></body><im',
    '“Forbidden CSRF & so on”',
  ],
])('quotes %s', (_what, text, quoted) => {
  expect(quote(text)).toBe(quoted);
});

it('quotes no more than a sentence holds, and nothing that is compressed', () => {
  expect(quote('x'.repeat(900))).toBe(`“${'x'.repeat(160)}… (900 characters)”`);
  expect(quote('x'.repeat(9000))).toBe(`“${'x'.repeat(160)}… (4 KiB or more)”`);
  expect(quote('ab', { 'content-encoding': 'gzip' })).toBe('');
});

it('reads what is no UTF-8 in the character set that its type names', () => {
  const words = Buffer.from('ung\xfcltige Signatur', 'latin1');
  const type = 'text/plain; charset=ISO-8859-1';
  expect(quoteAnswer(words, { 'content-type': type }, String)).toBe('“ungültige Signatur”');
  expect(quoteAnswer(words, {}, String)).toBe('');
  expect(quote('ungültige Signatur', { 'content-type': type })).toBe('“ungültige Signatur”');
});
