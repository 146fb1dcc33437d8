import { describe, expect, it } from 'vitest';
import { encodeBase64 } from '../../signing/base64';
import { toHex } from '../../signing/hex';
import { decodeSignature } from './decode-signature';

const SIZE = 256;
/** Bytes whose Base64 has '+', '/' and padding. */
const signature = Uint8Array.from({ length: SIZE }, (_, at) => (at * 181 + 251) % 256);
const base64 = encodeBase64(signature);
const hex = toHex(signature);
const urlSafe = base64.replaceAll('+', '-').replaceAll('/', '_');
const encode = (text: string): string => encodeBase64(new TextEncoder().encode(text));
const lines = (text: string, end: string): string => text.replace(/.{64}/g, `$&${end}`);

/** What is read, in short: the bytes as 'whole' or their number, and what each cause says. */
function read(text: string, sizeBytes = SIZE) {
  const { bytes, causes, end, finding } = decodeSignature(text, sizeBytes);
  const isSame = bytes !== null && toHex(bytes) === hex;
  return {
    bytes: isSame ? 'the signature' : (bytes?.length ?? null),
    causes: causes.map(({ code, phrase }) => `${code}: ${phrase}`),
    end,
    finding,
  };
}

const WRAPPED = 'encoding.wrapped: and then wrapped in line breaks, white space or quotes';
const HEADER = 'encoding.header_name: with the header name inside the value';
const front = (what: string): string => `encoding.header_name: with ${what} in front of the value`;
const SCHEME = 'the name of a scheme';
const LITERAL = "encoding.wrapped: and then written as Python writes bytes (b'…')";
const PERCENT = 'encoding.double: and then percent-encoded';
const HTML = 'encoding.double: and then escaped as HTML';
const BOM = 'encoding.wrapped: with a byte order mark in front of the value';
const ESCAPED = 'encoding.double: and then escaped as JSON text';
const HEX = 'encoding.hex: and then written as hex';
const TWICE = 'encoding.double: and then encoded twice';
const URL_SAFE = 'encoding.url_safe: and then written as URL-safe Base64';
const CUT = 'encoding.truncated: and then cut short';
const UNPADDED = 'encoding.truncated: and then stripped of its padding';
const ALTERED = 'encoding.truncated: and then altered at its end';
const SPACES = "encoding.url_safe: with '+' turned into spaces on the way";
const AS_TEXT = 'encoding.double: and then turned into a text, whose UTF-8 was encoded';
const latin1 = String.fromCharCode(...signature);
const ZERO = 'encoding.wrapped: with a zero byte in front of it';

describe('the signature is read', () => {
  it.each<[string, string, string[]]>([
    ['as it should be', base64, []],
    ['as UTF-8 of a binary string', encode(latin1), [AS_TEXT]],
    ['as hex of it', toHex(new TextEncoder().encode(latin1)), [HEX, AS_TEXT]],
    ['behind the name of its header', `X-Custom-Signature: ${base64}`, [HEADER]],
    ['behind a name of small letters and blanks', `  x-signature = ${base64}`, [HEADER]],
    ['as an option of curl', `-H "X-Custom-Signature: ${base64}"`, [HEADER]],
    ['as a member of JSON', `"signature": "${base64}",`, [HEADER]],
    ['as a member of JSON in one quote', `'Signature':'${base64}', `, [HEADER]],
    ['as a digest is written', `sha256=${base64}`, [HEADER]],
    ['behind a scheme', `Bearer ${base64}`, [`${front(SCHEME)} (Bearer)`]],
    ['behind an algorithm', `RSA-SHA256=${base64}`, [`${front(SCHEME)} (RSA-SHA256=)`]],
    ['behind an algorithm and a colon', `sha256withrsa : ${base64}`, [`${front(SCHEME)} (sha256withrsa :)`]],
    ['behind a scheme, in quotes', ` "Basic ${base64}" `, [`${front(SCHEME)} (Basic)`]],
    ['behind header and scheme', `Authorization: Bearer ${base64}`, [HEADER, `${front(SCHEME)} (Bearer)`]],
    ['as a data URL', `data:;base64, ${base64}`, [`${front('the head of a data URL')} (data:;base64,)`]],
    [
      'as a data URL in quotes',
      `"data:text/plain;base64,${base64}"`,
      [`${front('the head of a data URL')} (data:text/plain;base64,)`],
    ],
    ["as Python's bytes", `b'${base64}'`, [LITERAL]],
    ["as Python's bytes within a text", ` "b'${base64}'" `, [LITERAL]],
    ["as Python's bytes in two quotes", `b"${base64}"`, [LITERAL]],
    ['over several lines', lines(base64, '\n'), [WRAPPED]],
    ['over several lines of Windows', lines(base64, '\r\n'), [WRAPPED]],
    ['over lines whose ends are written out', lines(base64, String.raw`\r\n\t`), [WRAPPED]],
    [
      'between the lines of a PEM',
      `-----BEGIN SIGNATURE-----\n${base64}\n-----END SIGNATURE-----`,
      ['encoding.wrapped: and then put between BEGIN and END lines, as in a PEM file'],
    ],
    ['in quotes', `"${base64}"`, [WRAPPED]],
    ['in other signs', `  \`<('${base64}')>\`;,\n`, [WRAPPED]],
    ['with a mark of byte order', `\ufeff${base64}`, [BOM]],
    ['with one that was read as Latin-1', `\u00ef\u00bb\u00bf${base64}`, [`${BOM} (ï»¿)`]],
    ['with a space of no width', `${base64}\u200b`, [WRAPPED]],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(base64)), [PERCENT]],
    ['over lines, percent-encoded', encodeURIComponent(lines(base64, '\n')), [PERCENT, WRAPPED]],
    ['with its padding as HTML', base64.replaceAll('=', '&#61;'), [HTML]],
    ['percent-encoded', encodeURIComponent(base64), [PERCENT]],
    [
      'percent-encoded in small letters',
      encodeURIComponent(base64).replace(/%../g, (code) => code.toLowerCase()),
      [PERCENT],
    ],
    ['percent-encoded at its end alone', base64.replace('==', '%3D='), [PERCENT]],
    ['percent-encoded in its slashes alone', base64.replaceAll('/', '%2F'), [PERCENT]],
    ['with escaped slashes', base64.replaceAll('/', String.raw`\/`), [ESCAPED]],
    [
      'with escaped signs',
      base64.replaceAll('+', String.raw`\u002b`).replaceAll('=', String.raw`\u003D`),
      [ESCAPED],
    ],
    ['as hex', hex, [HEX]],
    ['as hex of large letters', hex.toUpperCase(), [HEX]],
    ['as hex behind 0x', `0x${hex}`, [HEX]],
    ['as hex with colons', hex.replace(/..(?!$)/g, '$&:'), [HEX]],
    ['as hex over lines', lines(hex, '\n'), [WRAPPED, HEX]],
    ['as hex with a zero in front', `00${hex}`, [HEX, ZERO]],
    ['as Base64 with a zero in front', encodeBase64(Uint8Array.of(0, ...signature)), [ZERO]],
    ['as Base64 of Base64', encode(base64), [TWICE]],
    ['as Base64 of lines of Base64', encode(`${lines(base64, '\r\n')}\n`), [TWICE]],
    ['as Base64 of URL-safe Base64', encode(urlSafe), [TWICE]],
    ['as Base64 of hex', encode(hex), [TWICE]],
    ['as hex of Base64', toHex(new TextEncoder().encode(base64)), [TWICE]],
    ['as URL-safe Base64', urlSafe, [URL_SAFE]],
    ['as URL-safe Base64 without padding', urlSafe.replace(/=+$/, ''), [URL_SAFE]],
    ['without its padding', base64.replace(/=+$/, ''), [UNPADDED]],
    ['with half of its padding', base64.slice(0, -1), [ALTERED]],
    ['with too much padding', `${base64}=`, [ALTERED]],
    ['with an ellipsis behind it', `${base64.replace(/=+$/, '')}…`, [CUT]],
    ['with dots behind it', `${base64.replace(/=+$/, '')}... `, [WRAPPED, CUT]],
    ['with spaces for plus signs', base64.replaceAll('+', ' '), [SPACES]],
  ])('%s', (_what, text, causes) => {
    expect(read(text)).toMatchObject({ bytes: 'the signature', causes });
  });

  const INSIDE = 'encoding.wrapped: and then put into a longer text';
  const BESIDE =
    'encoding.wrapped: and then joined with another value by a comma, as where the header is sent twice';
  const AGAIN = 'encoding.wrapped: and then sent more than once in one value';
  it.each([
    ['as JSON', `{"alg":"RS256","sig":"${base64}"}`, [INSIDE]],
    ['as JSON with slashes escaped', JSON.stringify({ sig: base64 }).replaceAll('/', '\\/'), [INSIDE]],
    ['as PHP prints an array', `Array\n(\n    [0] => ${base64}\n)\n`, [INSIDE]],
    ['as HTTP signatures have it', `keyId="a",algorithm="rsa-sha256",signature="${base64}"`, [INSIDE]],
    ['twice, as a header that stands twice', `${base64}, ${base64}`, [AGAIN]],
    ['beside another, as a header that stands twice', `${base64}, AAAA`, [BESIDE]],
    ['as URL-safe Base64 in JSON', `{"sig":"${urlSafe}"}`, [INSIDE, URL_SAFE]],
  ])('%s', (_what, text, causes) => {
    expect(read(text)).toMatchObject({ bytes: 'the signature', causes });
  });

  it('as openssl prints it without -binary', () => {
    const { bytes, causes } = read(`RSA-SHA2-256(body.json)= ${hex}\n`);
    expect(bytes).toBe('the signature');
    expect(causes[0]).toContain('with what openssl dgst prints in front of the value (RSA-SHA2-256(body.json)=)');
  }); // prettier-ignore

  it('with HTML escapes', () => {
    const text = base64.replaceAll('+', '&#43;').replaceAll('/', '&#x2F;').replaceAll('=', '&#61;');
    expect(read(text)).toMatchObject({ bytes: 'the signature' });
    expect(read(text).causes).toContain('encoding.double: and then escaped as HTML');
  });

  it('not out of a text that holds two', () => {
    const other = encodeBase64(signature.map((byte) => byte ^ 1));
    expect(read(`${base64}, ${other}`).bytes).not.toBe('the signature');
  });

  it.each([
    ['signed bytes, as Java prints them', (one: number) => one - (one > 127 ? 256 : 0), '[', ']'],
    ['bytes, as C# and Go print them', (one: number) => one, '{ ', ' }'],
    ['bytes without brackets', (one: number) => one, ' ', ''],
  ])('as a list of %s', (_what, print, before, behind) => {
    const list = [...signature].map(print).join(' ,\n');
    expect(read(`${before}${list}${behind}`)).toEqual({
      bytes: 'the signature',
      causes: ['encoding.wrapped: and then written as a list of numbers'],
      end: 'whole',
      finding: 'a list of numbers, 256 bytes',
    });
  });

  it('as one decimal number, small ones included', () => {
    const causes = ['encoding.wrapped: and then written as one decimal number'];
    const finding = 'one decimal number, 256 bytes';
    const number = BigInt(`0x${hex}`);
    expect(read(`${number}\n`)).toEqual({ bytes: 'the signature', causes, end: 'whole', finding });
    const small = (number >> 16n).toString();
    expect(toHex(decodeSignature(small, SIZE).bytes!)).toBe(`0000${hex.slice(0, -4)}`);
    // More than the bytes hold: those are hex digits.
    expect(read('9'.repeat(618))).toMatchObject({ bytes: 309, causes: [HEX] });
  });
});

it('is said to be standard Base64 where it is', () => {
  expect(read(base64)).toEqual({
    bytes: 'the signature',
    causes: [],
    end: 'whole',
    finding: 'standard Base64, 256 bytes',
  });
});

it.each([
  ['hex', toHex],
  ['Base64', encodeBase64],
])('of bytes that are letters is not read twice: %s', (_what, write) => {
  const letters = new Uint8Array(48).fill(0x41);
  expect(decodeSignature(`${write(letters)}\n`, 48).bytes).toEqual(letters);
});

describe('numbers that are no signature', () => {
  const list = (length: number, last: number): string => `[${'1,'.repeat(length - 1)}${last}]`;
  it.each([
    ['a word before them', `a ${list(SIZE, 1)}`, false],
    ['a word behind them', `${list(SIZE, 1)} a`, false],
    ['too few', list(SIZE - 1, 1), false],
    ['too many', list(SIZE + 1, 1), false],
    ['one above a byte', list(SIZE, 256), false],
    ['one below a byte', list(SIZE, -129), false],
    ['the largest byte', list(SIZE, 255), true],
    ['the smallest byte', list(SIZE, -128), true],
    ['a short number', '1'.repeat(512), false],
    ['a long number', '1'.repeat(640), false],
    ['digits with a letter behind', `${'1'.repeat(600)}a`, false],
    ['digits with a letter before', `a${'1'.repeat(600)}`, false],
  ])('%s: %#', (_what, text, isRead) => {
    const { bytes, causes } = decodeSignature(text, SIZE);
    expect(
      causes.some(({ phrase }) => phrase.includes('and then written as') && !phrase.includes('hex')),
    ).toBe(isRead);
    if (isRead) expect(bytes).toHaveLength(SIZE);
  });
});

describe("spaces that were '+'", () => {
  const text = '++A+BCD+EF/GHQ==';
  const spaces = text.replaceAll('+', ' ');
  it.each([
    ['are put back', spaces, 10, SPACES],
    ['are put back with white space behind', `${spaces}\n`, 10, SPACES],
    ['are put back within alone', '++A BCD EF/GHQ==', 10, SPACES],
    ['are put back in front alone', '  A+BCD+EF/GHQ==', 10, SPACES],
    ['are none where one in front is gone', spaces.slice(1), 10, WRAPPED],
    ['are none in a shorter text', spaces, 13, WRAPPED],
    ['are none in a longer text', spaces, 7, WRAPPED],
    [
      'are none where all characters are there without them',
      `${text.slice(0, 8)} ${text.slice(8)}`,
      10,
      WRAPPED,
    ],
    ['are none where nothing is missing', text, 10, undefined],
    ['are none where white space alone is around it', `${text}\n`, 10, WRAPPED],
    ['are none beside other signs', spaces.replace('/', '!'), 10, WRAPPED],
  ])('%s', (_what, given, sizeBytes, cause) => {
    const { bytes, causes } = decodeSignature(given, sizeBytes);
    expect(causes.map(({ code, phrase }) => `${code}: ${phrase}`)[0]).toBe(cause);
    if (cause !== WRAPPED) expect(encodeBase64(bytes!)).toBe(text);
  });
});

describe('what is not the whole signature', () => {
  it.each<[string, string, object]>([
    [
      'nothing readable',
      'no signature, but a sentence!',
      { bytes: null, causes: [WRAPPED], end: 'open', finding: 'neither Base64 nor hex' },
    ],
    ['nothing', '', { bytes: null, causes: [], end: 'open' }],
    [
      'another length, padded',
      encodeBase64(signature.slice(0, 254)),
      { bytes: 254, causes: [], end: 'whole', finding: 'Base64, 254 bytes' },
    ],
    [
      'another length, of no padding',
      encodeBase64(signature.slice(0, 252)),
      { bytes: 252, causes: [], end: 'open' },
    ],
    ['a part, cut within a character', base64.slice(0, 101), { bytes: 75, causes: [CUT], end: 'cut' }],
    ['a part with an ellipsis', `${base64.slice(0, 100)}…`, { bytes: 75, causes: [CUT], end: 'cut' }],
    [
      'a part of the URL-safe form',
      `${urlSafe.slice(0, 101)}`,
      { bytes: 75, causes: [URL_SAFE, CUT], end: 'cut' },
    ],
    ['parts of it', `${base64.slice(0, 100)}…${base64.slice(200, 300)}`, { bytes: null }],
    ['a word', 'a word', { bytes: 3, causes: [WRAPPED, CUT], finding: 'Base64, 3 bytes' }],
    ['two letters', 'ab', { bytes: 1, finding: 'Base64, 1 byte' }],
    ['a word of another alphabet', 'péage', { bytes: null }],
    ['what ends as a scheme is called', 'AAAARSA=', { bytes: 5, causes: [] }],
    ['Base64 that ends in digits', `wxyz${hex.slice(0, 32)}`, { bytes: 27, finding: 'Base64, 27 bytes' }],
    ['a digest in hex', hex.slice(0, 64), { bytes: 32, causes: [HEX], finding: 'hex, 32 bytes' }],
    [
      'a digest in hex behind 0x',
      `0x${hex.slice(0, 64)}`,
      { bytes: 32, causes: [HEX], finding: 'hex, 32 bytes' },
    ],
    ['a digest of sixteen bytes in hex', hex.slice(0, 32), { bytes: 16, causes: [HEX] }],
    ['digits too few for hex', 'ab'.repeat(15), { bytes: 22, finding: 'Base64, 22 bytes' }],
    ['an odd number of digits', 'abc'.repeat(11), { bytes: 24, finding: 'Base64, 24 bytes' }],
    [
      'a digest in hex within Base64',
      encode(hex.slice(0, 64)),
      { bytes: 32, causes: [TWICE], finding: 'Base64 of hex, 32 bytes' },
    ],
    [
      'Base64 within hex',
      toHex(new TextEncoder().encode('SGVsbG8rd29ybGQ/')),
      { bytes: 12, causes: [TWICE], finding: 'hex of Base64, 12 bytes' },
    ],
    ['too few letters within Base64', encode('SGVsbG8rd29ybGQ'), { bytes: 15, causes: [] }],
    [
      'a text within Base64',
      encode('not Base64: a text of words'),
      { bytes: 27, causes: [], finding: 'Base64, 27 bytes' },
    ],
    [
      'bytes below those of texts',
      encodeBase64(Uint8Array.from({ length: 30 }, () => 9)),
      { bytes: 30, causes: [] },
    ],
    [
      'bytes above those of texts',
      encodeBase64(Uint8Array.from({ length: 30 }, () => 0x7f)),
      { bytes: 30, causes: [] },
    ],
    [
      'a zero in front of too many bytes',
      encodeBase64(Uint8Array.of(0, 0, ...signature)),
      { bytes: 258, causes: [] },
    ],
    [
      'a byte in front that is no zero',
      encodeBase64(Uint8Array.of(1, ...signature)),
      { bytes: 257, causes: [] },
    ],
  ])('is said: %s', (_what, text, said) => {
    expect(read(text)).toMatchObject(said);
  });
});

it.each([
  ['X-Custom-Signature : ', { expected: 'Base64 alone', actual: 'X-Custom-Signature :' }],
  ['\n', { expected: 'one line', actual: 'several lines' }],
  ['"', { expected: 'one line', actual: 'quotes or white space around it' }],
])('shows in the table what was there: %j', (before, shown) => {
  const text = before === '\n' ? lines(base64, '\n') : `${before}${base64}`;
  expect(decodeSignature(text, SIZE).causes).toMatchObject([shown]);
});
