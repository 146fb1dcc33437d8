import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import fc from 'fast-check';
import { drawEcho, findEcho } from '../../test/support/encoded-echo';
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
  ['capital letters', SECRET.toUpperCase()],
  ['small letters', SECRET.toLowerCase()],
  ['Base64 with escapes', Buffer.from(`key:${SECRET}??`).toString('base64').replaceAll('/', '\\u002f').replaceAll('+', '%2B')],
])('masks %s, and nothing beside it', (_name, form) => {
  const masked = maskKnownSecrets(`{"note":"a ${form} é\\n b"}`, [SECRET]);
  expect(masked).toMatch(/^\{"note":"a (?:[^"]{0,12}[^\s…]{4}…[^\s…]{4}[^"]{0,12}|[^"]{0,4}•{8}[^"]{0,4}) é\\n b"\}$/);
  expect(masked.length).toBeLessThan(50);
}); // prettier-ignore

const WORDS = 'Grüße-aus-Zürich-naïve-é1';

it.each<[string, (text: string) => string]>([
  ['as it is', (text) => text],
  ['Base64', (text) => Buffer.from(`a${text}`).toString('base64')],
  ['hex', (text) => Buffer.from(text).toString('hex')],
  ['percent', encodeURIComponent],
  ['bytes of UTF-8 read as Latin-1, as headers are', (text) => Buffer.from(text).toString('latin1')],
  ['Unicode escapes', (text) => [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')],
  ['Base64 in Base64', (text) => Buffer.from(`x${Buffer.from(`{"a":"${text}"}`).toString('base64')}`).toString('base64')],
  ['gzip in Base64', (text) => gzipSync(`{"a":"${text}"}`).toString('base64')],
])('masks letters beyond ASCII, composed and decomposed: %s', (_name, write) => {
  for (const secret of [WORDS, WORDS.normalize('NFD')]) {
    for (const form of ['NFC', 'NFD'] as const) {
      const echo = write(secret.normalize(form));
      const masked = maskKnownSecrets(`{"note":"a ${echo} b"}`, [secret]);
      expect(masked).not.toContain(echo.slice(5, -5));
      expect(masked).toMatch(/^\{"note":"a .{1,30} b"\}$/);
    }
  }
}); // prettier-ignore

it('masks each of two writings with separators in one text', () => {
  const bytes = [...SECRET].map((one) => one.charCodeAt(0)).join(',');
  expect(maskKnownSecrets(`[${bytes}] ${hexPairs.join(' ')}`, [SECRET])).toMatch(/^\[[^,]{1,20}\] .{1,20}$/);
});

it.each([
  ['blanks of a form', 'two words & more', 'two+words+%26+more'],
  ['blanks as they are, a plus for each', 'two words more', 'two+words+more'],
  ['a quote of SQL', "it's a secret", "it''s a secret"],
  ['quotes of CSV', 'so "quoted" it is', 'so ""quoted"" it is'],
])('masks what a writing does with its signs: %s', (_what, secret, form) => {
  expect(maskKnownSecrets(`at value '${form}' of it`, [secret])).toMatch(/^at value '[^']{8,9}' of it$/);
});

it('takes no word in other letters for a short secret', () => {
  expect(maskKnownSecrets('{"state":"SUCCEEDED"}', ['succeeded'])).toBe('{"state":"SUCCEEDED"}');
});

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

describe('within texts in Base64 or hex', () => {
  const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');
  const opaque = 'nZ7-Qk2_w9XbT4mE1vLsC8aRjY0hUgPd';

  it.each<[string, string]>([
    ['Base64 in Base64', base64(base64(opaque))],
    ['Base64 of Basic in Base64 of JSON', base64(JSON.stringify({ authorization: `Basic ${base64(`key:${opaque}`)}` }))],
    ['Base64 in Base64 in Base64', base64(`{"a":"${base64(`{"b":"${base64(opaque)}"}`)}"}`)],
    ['Base64 in Base64 behind a sign of its own', `v1_${base64(`x${base64(`y${opaque}`)}`)}`],
    ['Base64 without padding in Base64', base64(Buffer.from(`ab${opaque}`).toString('base64url'))],
    ['escaped letters in Base64', base64([...opaque].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''))],
    ['percent in Base64', base64([...opaque].map((one) => `%${one.charCodeAt(0).toString(16)}`).join(''))],
    ['UTF-16 in Base64', base64(Buffer.from(opaque, 'utf16le'))],
    ['hex of Base64', Buffer.from(base64(`k:${opaque}`)).toString('hex')],
    ['Base64 of hex of Base64', base64(Buffer.from(base64(`k:${opaque}`)).toString('hex'))],
    ['gzip in Base64', base64(gzipSync(`{"headers":{"authorization":"Bearer ${opaque}"}}`))],
    ['zlib in URL-safe Base64', deflateSync(opaque).toString('base64url')],
    ['gzip, cut off, in Base64', base64(gzipSync(opaque.repeat(3)).subarray(0, -8))],
    ['gzip in Base64 in gzip in Base64', base64(gzipSync(base64(gzipSync(`a ${opaque}`))))],
    ['Base64 in Base64 over lines', base64(`padding ${base64(`key:${opaque}`)} and more of it`.repeat(3)).replace(/.{76}/g, '$&\r\n')],
    ['the same in JSON', quote(base64(`padding ${base64(`key:${opaque}`)} and more of it`.repeat(3)).replace(/.{76}/g, '$&\r\n'))],
    ['Base64 with escaped slashes', base64(`???>>>ÿÿÿ ${base64(opaque)}`).replaceAll('/', '\\/')],
  ])('masks %s, and nothing beside it', (_name, form) => {
    const masked = maskKnownSecrets(`{"note":"a ${form} é\\n b"}`, [opaque]);
    expect(masked).toMatch(/^\{"note":"a (?:[^\s"…]{4}…[^\s"…]{4}|•{8})=* é\\n b"\}$/);
  }); // prettier-ignore
});

it('leaves nothing of a secret, in whatever envelopes it comes back', () => {
  fc.assert(
    fc.property(drawEcho(), (drawn) => {
      const text = JSON.stringify({ note: `sent: ${drawn.echo} (as asked)`, more: [drawn.echo] });
      expect(findEcho(drawn, maskKnownSecrets(text, [drawn.secret]))).toEqual([]);
    }),
    { numRuns: 1000, seed: 20_261_123 },
  );
});

it('leaves texts in Base64 and hex that hold none of it, binary ones too', () => {
  const bytes = Buffer.from(Array.from({ length: 3000 }, (_, at) => (at * at * 31 + at) % 251));
  const text = [
    bytes.toString('base64').replace(/.{76}/g, '$&\r\n'),
    bytes.toString('hex'),
    gzipSync('a text of somebody else, and more of it').toString('base64'),
    Buffer.from(SECRET.slice(0, -1)).toString('base64'),
    'H4sIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ].join('\n\n');
  expect(maskKnownSecrets(text, [SECRET])).toBe(text);
});

it('shows nothing of what unpacks to more than may be looked at, and spends no time on it', () => {
  const processorMs = countProcessorMs();
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024)).toString('base64');
  const masked = maskKnownSecrets(`a ${bomb} b ${bomb} c`, [SECRET]);
  expect(masked).toMatch(/^a H4sI….{4}=* b H4sI….{4}=* c$/);
  for (const piece of ['QUFB', 'H4sI', 'eJw', 'ffff', `${'QUJD'.repeat(20)}\n`, '\\n', '\\/']) {
    maskKnownSecrets(piece.repeat(2_000_000 / piece.length), [SECRET]);
  }
  expect(processorMs()).toBeLessThan(6000);
});

it('masks the whole of a secret that begins with another, whichever is named first', () => {
  const [short, long] = ['0123-abcd', '0123-abcd-and-its-rest'];
  for (const secrets of [
    [short, long],
    [long, short],
  ]) {
    for (const text of [
      long,
      Buffer.from(long).toString('hex'),
      `{"a":"${long.replaceAll('-', '\\u002d')}"}`,
    ])
      expect(maskKnownSecrets(text, secrets)).not.toMatch(/its|697473|and/);
  }
});

describe('of very many secrets', () => {
  const many = Array.from({ length: 300_000 }, (_, index) => `value ${index}/of many`);
  const last = many.at(-1)!;

  it('the first are sought in all writings, and each of the others where it stands as a text or a word', () => {
    const masked = maskKnownSecrets(
      JSON.stringify({ a: last, b: `x ${SECRET}`, c: Buffer.from(SECRET).toString('base64'), d: 'one more' }),
      [SECRET, ...many, 'word-of-its-own'],
    );
    expect(JSON.parse(masked)).toEqual({ a: 'valu…many', b: 'x c0ns…m1ne', c: 'YzBu…0xbmU=', d: 'one more' });
    const words = 'at=word-of-its-own, word-of-its-own: (word-of-its-own)';
    expect(maskKnownSecrets(words, [...many, 'word-of-its-own'])).not.toContain('-of-');
    expect(maskKnownSecrets(`"${JSON.stringify(last).slice(1).replace('/', '\\/')}`, many)).not.toContain(
      'of many',
    );
  });

  it.each([
    ['those that are sought', many.slice(0, 20_000).join('","')],
    ['quotes that end nowhere', '"\\'.repeat(1_000_000)],
    ['words', 'a '.repeat(1_000_000)],
  ])('takes its time by the text, not by their number: %s', (_what, text) => {
    const processorMs = countProcessorMs();
    maskKnownSecrets(text, many);
    expect(processorMs()).toBeLessThan(8000);
  });
});

describe('a secret that ends, by its notation, before it is over', () => {
  const secret = 'correct ho"rse&battery\\staple';
  const rest = /ho.{0,4}rse|battery|staple/;
  const inJson = JSON.stringify({ echo: `password=${secret}&to=bob` });

  it.each([
    ['in a form', `password=${secret}&to=bob`],
    ['in an address', `refused /pay?api_key=${secret}`],
    ['in a header', `Authorization: Basic bob ${secret}`],
    ['in JSON', inJson],
    ['in JSON within JSON', JSON.stringify({ log: inJson })],
    ['encoded as a whole', encodeURIComponent(`password=${secret}&to=bob`)],
    ['beside a sign for private use', `\ue000 password=${secret}`],
  ])('is masked to its end %s', (_where, text) => {
    expect(maskKnownSecrets(text, [secret])).not.toMatch(rest);
  });

  it('leaves what follows it to its name', () => {
    expect(maskKnownSecrets(`password=${secret}AndThisToo99`, [secret])).not.toMatch(/AndThisToo99/);
    expect(maskKnownSecrets('password=whatever&to=bob', [secret])).toBe('password=••••••••&to=bob');
  });

  it.each(['\ue000', encodeURIComponent('\ue000'), '\uf8ff'])(
    'takes no sign of the text for it: %j',
    (sign) => {
      expect(maskKnownSecrets(`${sign} password=${secret} ${sign}`, [secret])).toBe(
        `${sign} password=•••••••• ${sign}`,
      );
    },
  );
});

it('works out hundreds of secrets once, whatever secret of its own each text adds', () => {
  const kept = Array.from({ length: 300 }, (_one, at) => `kept-secret-${at}-${'ab12'.repeat(5)}`);
  const countWorkedOut = (secrets: readonly string[]): number => {
    // Each secret is sought composed, too.
    const normalize = vi.spyOn(String.prototype, 'normalize');
    maskKnownSecrets('{"code":"OK"}', secrets);
    const composed = normalize.mock.calls.filter(([form]) => form === 'NFC').length;
    normalize.mockRestore();
    return composed;
  };
  expect(countWorkedOut(kept)).toBe(300);
  expect(countWorkedOut([...kept, 'cookie-of-the-next-answer'])).toBe(1);
});

it.each([
  ['{"account": 4471009283311 ,"b":[1]}', '{"account": "••••••••" ,"b":[1]}'],
  ['{"note":"\\"account\\":4471009283311,"}', '{"note":"\\"account\\":••••••••,"}'],
  [
    '{"note":":4471009283311,","list":["a",":4471009283311}"]}',
    '{"note":":••••••••,","list":["a",":••••••••}"]}',
  ],
  ['account:4471009283311, and 4471009283311.5', 'account:••••••••, and ••••••••.5'],
])('leaves JSON as JSON where a secret is a number in it: %s', (text, masked) => {
  expect(maskKnownSecrets(text, ['4471009283311'])).toBe(masked);
});
