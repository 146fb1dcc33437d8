import { execFile } from 'node:child_process';
import { createHash, createPublicKey } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '@shared/errors';
import { generatePrivateKey, writeEncryptedPem, writePrivatePem } from './key-making';
import { readKey, readPrivateKey, readPublicKey } from './key-reading';
import { because, isInstalled } from '../../../../test/support/programs';

const PASSPHRASE = 'correct hörse 12';

/** Runs openssl: the keys that are read here are another program's, not our own. */
function openssl(args: readonly string[], input: string | Buffer = ''): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = execFile('openssl', [...args], { encoding: 'buffer' }, (error, stdout, stderr) => {
      if (error) reject(new Error(stderr.toString()));
      else resolve(stdout);
    });
    // What makes a key reads nothing, and may have ended by now.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

const made = { pkcs8: '', pkcs1: '', spki: '', pkcs1Public: '', fingerprint: '' };
let der: Buffer;

beforeEach(({ skip }) => skip(...because('openssl')));
beforeAll(async () => {
  if (!isInstalled('openssl')) return;
  made.pkcs8 = (
    await openssl(['genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048', '-quiet'])
  ).toString();
  made.pkcs1 = (await openssl(['rsa', '-traditional'], made.pkcs8)).toString();
  made.spki = (await openssl(['pkey', '-pubout'], made.pkcs8)).toString();
  made.pkcs1Public = (await openssl(['rsa', '-RSAPublicKey_out'], made.pkcs8)).toString();
  der = await openssl(['pkcs8', '-topk8', '-nocrypt', '-outform', 'DER'], made.pkcs8);
  const spkiDer = await openssl(['pkey', '-pubout', '-outform', 'DER'], made.pkcs8);
  made.fingerprint = createHash('sha256').update(spkiDer).digest('hex');
});

function makeCertificate(): Promise<Buffer> {
  return openssl([
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    '/dev/null',
    '-subj',
    '/CN=test',
    '-days',
    '2',
  ]);
}

function bodyOf(pem: string): string {
  return pem.replace(/-----[^-]+-----/g, '').trim();
}

async function failureOf(input: string | Uint8Array, passphrase?: string): Promise<AppError> {
  try {
    await readPrivateKey(input, passphrase);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('it was read');
}

/** Forms in which people bring the same PKCS#8 key, and a repair that must be told; null: there is nothing to tell. */
const FORMS: readonly (readonly [name: string, make: () => string | Uint8Array, repair: RegExp | null])[] = [
  ['PKCS#8 PEM as openssl writes it', () => made.pkcs8, null],
  ['CRLF line ends', () => made.pkcs8.replaceAll('\n', '\r\n'), null],
  ['old Mac line ends', () => made.pkcs8.replaceAll('\n', '\r'), null],
  ['space around it', () => `\n\n   ${made.pkcs8}\n\n  `, null],
  ['indented lines', () => made.pkcs8.replace(/^/gm, '    '), null],
  [
    'lines of 76',
    () =>
      `-----BEGIN PRIVATE KEY-----\n${bodyOf(made.pkcs8).replace(/\n/g, '').replace(/.{76}/g, '$&\n')}\n-----END PRIVATE KEY-----`,
    null,
  ],
  ['a blank line between any two', () => made.pkcs8.replaceAll('\n', '\n\n'), null],
  ['all on one line', () => made.pkcs8.replaceAll('\n', ''), /line breaks restored/],
  ['line breaks turned into spaces', () => made.pkcs8.trim().replaceAll('\n', ' '), /line breaks restored/],
  ['line breaks turned into tabs', () => made.pkcs8.trim().replaceAll('\n', '\t'), /line breaks restored/],
  ['every white space lost, in the labels too', () => made.pkcs8.replace(/\s/g, ''), /line breaks restored/],
  ['literal \\n', () => made.pkcs8.replaceAll('\n', '\\n'), /literal \\n/],
  ['literal \\r\\n', () => made.pkcs8.replaceAll('\n', '\\r\\n'), /literal \\n/],
  ['doubly escaped \\\\n', () => made.pkcs8.replaceAll('\n', '\\\\n'), /literal \\n/],
  ['a JSON string', () => JSON.stringify(made.pkcs8), /quotes removed/],
  [
    'a JSON object',
    () => JSON.stringify({ type: 'service', private_key: made.pkcs8, id: 7 }),
    /quotes removed/,
  ],
  ['a .env line', () => `PRIVATE_KEY="${made.pkcs8.replaceAll('\n', '\\n')}"`, /quotes removed/],
  ['a YAML block', () => `key: |\n${made.pkcs8.replace(/^/gm, '  ')}`, null],
  ['single quotes', () => `'${made.pkcs8}'`, /quotes removed/],
  ['curly quotes', () => `“${made.pkcs8}”`, /quotes removed/],
  ['back ticks', () => '`' + made.pkcs8 + '`', /quotes removed/],
  [
    'JavaScript source, joined by +',
    () =>
      made.pkcs8
        .trim()
        .split('\n')
        .map((line) => `"${line}\\n"`)
        .join(' +\n  '),
    /several pieces/,
  ],
  [
    'PHP source, joined by .',
    () =>
      made.pkcs8
        .trim()
        .split('\n')
        .map((line) => `'${line}' .`)
        .join('\n'),
    /quotes removed|several pieces/,
  ],
  ['a shell line continuation', () => made.pkcs8.trim().replaceAll('\n', '\\\n'), /line continuations/],
  ['a comment block', () => made.pkcs8.trim().replace(/^/gm, '# '), /line prefixes/],
  ['a quoted mail', () => made.pkcs8.trim().replace(/^/gm, '> '), /line prefixes/],
  ['a byte order mark', () => `\uFEFF${made.pkcs8}`, /invisible characters/],
  ['zero-width spaces', () => made.pkcs8.replaceAll('\n', '\u200B\n'), /invisible characters/],
  ['no-break spaces', () => made.pkcs8.replaceAll('\n', '\u00A0\n'), null],
  ['dashes turned typographic', () => made.pkcs8.replaceAll('-----', '—–—'), /dashes restored/],
  ['two hyphens each turned into a dash', () => made.pkcs8.replaceAll('-----', '——-'), /dashes restored/],
  ['a hyphen left before a dash', () => made.pkcs8.replaceAll('-----', '-—–'), /dashes restored/],
  ['too few dashes', () => made.pkcs8.replaceAll('-----', '---'), /header and footer/],
  ['no footer', () => made.pkcs8.replace(/-----END[^-]+-----/, ''), /header and footer/],
  ['no header and footer', () => bodyOf(made.pkcs8), /header and footer/],
  ['no header, one line', () => bodyOf(made.pkcs8).replaceAll('\n', ''), /header and footer/],
  [
    'URL-safe Base64',
    () =>
      made.pkcs8.replace(bodyOf(made.pkcs8), bodyOf(made.pkcs8).replaceAll('+', '-').replaceAll('/', '_')),
    /URL-safe|^$/,
  ],
  ['no padding', () => made.pkcs8.replace(/=+(?=\n-)/, ''), null],
  ['Base64 of the whole PEM file', () => Buffer.from(made.pkcs8).toString('base64'), /decoded from Base64/],
  ['percent-encoded', () => encodeURIComponent(made.pkcs8), /percent-encoding/],
  ['HTML line breaks', () => made.pkcs8.replaceAll('\n', '&#10;'), /HTML line breaks/],
  [
    'with bag attributes, as from PKCS#12',
    () => `Bag Attributes\n    localKeyID: 01\nKey Attributes: <No Attributes>\n${made.pkcs8}`,
    null,
  ],
  ['its public key before it', () => made.spki + made.pkcs8, /out of 2 blocks/],
  [
    'a wrong label',
    () => made.pkcs8.replaceAll('PRIVATE KEY', 'RSA PRIVATE KEY'),
    /header said RSA PRIVATE KEY/,
  ],
  ['DER bytes', () => der, null],
  ['DER with bytes behind it', () => Buffer.concat([der, Buffer.from('\n\n')]), /bytes after the key/],
  ['DER in hex', () => der.toString('hex'), /decoded from hex/],
  ['DER in hex with colons', () => der.toString('hex').replace(/..(?=.)/g, '$&:'), /decoded from hex/],
  ['PEM bytes', () => Buffer.from(made.pkcs8), null],
  ['PEM in UTF-16 with a byte order mark', () => Buffer.from(`\uFEFF${made.pkcs8}`, 'utf16le'), /UTF-16/],
  ['PEM in big-endian UTF-16', () => Buffer.from(`\uFEFF${made.pkcs8}`, 'utf16le').swap16(), /UTF-16/],
];

describe('readPrivateKey reads', () => {
  it.each(FORMS)('%s', async (_name, make, repair) => {
    const key = await readPrivateKey(make());
    expect(key).toMatchObject({
      kind: 'private',
      bits: 2048,
      exponent: 65_537,
      fingerprint: made.fingerprint,
    });
    expect(key.publicKeyPem).toBe(made.spki);
    if (repair === null) expect(key.repairs).toEqual([]);
    else expect(key.repairs.join('; ')).toMatch(repair);
  });

  it('PKCS#1, and says that it was converted', async () => {
    const key = await readPrivateKey(made.pkcs1);
    expect(key).toMatchObject({ format: 'PKCS#1 PEM', fingerprint: made.fingerprint });
    expect(key.repairs).toContain('converted from PKCS#1 to PKCS#8');
    expect(writePrivatePem(key.privateKey)).toBe(made.pkcs8);
  });

  it('PKCS#1 DER', async () => {
    const bytes = await openssl(['rsa', '-traditional', '-outform', 'DER'], made.pkcs8);
    expect(await readPrivateKey(bytes)).toMatchObject({
      format: 'PKCS#1 DER',
      fingerprint: made.fingerprint,
    });
  });
});

/** Ways in which openssl protects a key: PBES2 of each kind, PBES1, and the old PEM encryption. */
const PROTECTIONS: readonly (readonly [name: string, args: readonly string[]])[] = [
  ['PKCS#8, AES-256 and PBKDF2', ['pkcs8', '-topk8', '-v2', 'aes-256-cbc']],
  ['PKCS#8, AES-128 and HMAC-SHA-512', ['pkcs8', '-topk8', '-v2', 'aes-128-cbc', '-v2prf', 'hmacWithSHA512']],
  ['PKCS#8, triple DES', ['pkcs8', '-topk8', '-v2', 'des3']],
  ['PKCS#8, scrypt', ['pkcs8', '-topk8', '-scrypt', '-scrypt_N', '1024']],
  ['PKCS#8, PBE-SHA1-3DES', ['pkcs8', '-topk8', '-v1', 'PBE-SHA1-3DES']],
  ['PEM, AES-256-CBC', ['rsa', '-traditional', '-aes256']],
  ['PEM, AES-128-CBC', ['rsa', '-traditional', '-aes128']],
  ['PEM, DES-EDE3-CBC', ['rsa', '-traditional', '-des3']],
  // Node has neither of these two: node-forge reads them.
  ['PEM, DES-CBC', ['rsa', '-traditional', '-des', '-provider', 'legacy', '-provider', 'default']],
  [
    'PKCS#8, PBE-SHA1-RC2-40',
    ['pkcs8', '-topk8', '-v1', 'PBE-SHA1-RC2-40', '-provider', 'legacy', '-provider', 'default'],
  ],
];

describe('a key under a passphrase', () => {
  it.each(PROTECTIONS)('is read: %s', async (_name, args) => {
    const text = (await openssl([...args, '-passout', `pass:${PASSPHRASE}`], made.pkcs8)).toString();
    const key = await readPrivateKey(text, PASSPHRASE);
    expect(key.fingerprint).toBe(made.fingerprint);
    expect(key.format).toMatch(/^encrypted PKCS#[18] PEM$/);
    expect((await failureOf(text)).code).toBe('keys.passphrase_needed');
    expect((await failureOf(text, `${PASSPHRASE}x`)).code).toBe('keys.wrong_passphrase');
  });

  it('is opened by no wrong passphrase, and the message says that it is the passphrase, of a key of ours and of a pad that fits', async () => {
    const { privateKey } = await readPrivateKey(made.pkcs8);
    const own = await writeEncryptedPem(privateKey, PASSPHRASE);
    expect(await failureOf(own, `${PASSPHRASE}x`)).toMatchObject({
      code: 'keys.wrong_passphrase',
      // One in 256 looks padded when it is opened by another: then it says what else it may be.
      message: expect.stringMatching(/^The passphrase does not open this key[.,] /) as string,
    });
    const args = ['pkcs8', '-topk8', '-scrypt', '-scrypt_N', '16384', '-scrypt_r', '8'];
    const scrypt = (await openssl([...args, '-passout', `pass:${PASSPHRASE}`], made.pkcs8)).toString();
    // One wrong passphrase in 256 leaves bytes that look padded: so many come upon it.
    const wrong = await Promise.all(
      Array.from({ length: 40 }, (_, at) => failureOf(scrypt, `${PASSPHRASE}${at}`)),
    );
    expect(new Set(wrong.map(({ code }) => code))).toEqual(new Set(['keys.wrong_passphrase']));
  });

  it('is read when its old-style PEM lost its line breaks', async () => {
    const text = (
      await openssl(['rsa', '-traditional', '-aes256', '-passout', 'pass:abcd'], made.pkcs8)
    ).toString();
    expect(await readPrivateKey(text.replaceAll('\n', ' '), 'abcd')).toMatchObject({
      fingerprint: made.fingerprint,
    });
    expect(await readPrivateKey(text.replaceAll('\n', '\\n'), 'abcd')).toMatchObject({
      fingerprint: made.fingerprint,
    });
  });

  it('is read by openssl when we wrote it', async () => {
    const { privateKey } = await readPrivateKey(made.pkcs8);
    const text = await writeEncryptedPem(privateKey, PASSPHRASE);
    expect(text).toMatch(/^-----BEGIN ENCRYPTED PRIVATE KEY-----\n/);
    expect((await openssl(['pkey', '-passin', `pass:${PASSPHRASE}`], text)).toString()).toBe(made.pkcs8);
    expect(await readPrivateKey(text, PASSPHRASE)).toMatchObject({ fingerprint: made.fingerprint });
  });
});

describe('readPrivateKey refuses', () => {
  it('an EC, an Ed25519, a DSA and an RSA-PSS key, each by its name', async () => {
    const dsa = await openssl(['dsaparam', '-noout', '-genkey', '1024']);
    const keys: readonly (readonly [string, string | Uint8Array])[] = [
      ['EC', (await openssl(['ecparam', '-genkey', '-name', 'prime256v1'])).toString()],
      [
        'EC',
        (await openssl(['ecparam', '-genkey', '-noout', '-name', 'secp384r1', '-outform', 'DER'])).toString(
          'base64',
        ),
      ],
      [
        'EC',
        (await openssl(['genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'])).toString(),
      ],
      ['Ed25519', (await openssl(['genpkey', '-algorithm', 'ed25519'])).toString()],
      ['DSA', dsa.toString()],
      ['RSA-PSS', (await openssl(['genpkey', '-algorithm', 'rsa-pss', '-quiet'])).toString()],
    ];
    for (const [name, key] of keys) {
      const error = await failureOf(key);
      expect(error.code, name).toBe('keys.not_rsa');
      expect(error.message).toContain(` ${name} key`);
    }
  });

  it('a key whose first line is damaged, or with a second text behind its end, and says which', async () => {
    const damaged = await failureOf(made.pkcs8.replaceAll('BEGIN', 'BEG1N'));
    expect(damaged.message).toMatch(/^No key was found in this text: its first line is not as a PEM has it/);
    const twice = `-----BEGIN PRIVATE KEY-----\nMIIBAA==\n${bodyOf(made.pkcs8)}\n-----END PRIVATE KEY-----`;
    expect((await failureOf(twice)).message).toMatch(
      /^The key text has '=' before its end, where no PEM has one\./,
    );
  });

  it('a key of 1024 bits, saying what is needed', async () => {
    const error = await failureOf((await openssl(['genrsa', '1024'])).toString());
    expect(error).toMatchObject({ code: 'keys.too_short', details: { bits: 1024 } });
    expect(error.message).toContain('2048');
  });

  it.each([
    [3n, null],
    [2n ** 53n - 1n, null],
    [1n, /exponent of this RSA key is 1, which no pair has: what verifies by it proves nothing/],
    [2n, /exponent of this RSA key is 2, /],
    [65536n, /exponent of this RSA key is 65536, /],
    [2n ** 53n + 1n, /exponent of this RSA key has 54 bits.+65537/],
    [2n ** 1100n + 1n, /has 1101 bits/],
  ])('a key whose exponent is out of all proportion: %s', async (exponent, refusal) => {
    const hex = exponent.toString(16);
    const e = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
    const { n } = createPublicKey(made.spki).export({ format: 'jwk' });
    const key = createPublicKey({ key: { kty: 'RSA', n: n!, e }, format: 'jwk' });
    const pem = key.export({ type: 'spki', format: 'pem' }).toString();
    if (refusal === null) expect(readPublicKey(pem).exponent).toBe(Number(exponent));
    else expect(() => readPublicKey(pem)).toThrow(refusal);
  });

  it('a public key whose modulus is even', () => {
    const { n, e } = createPublicKey(made.spki).export({ format: 'jwk' });
    const modulus = Buffer.from(n!, 'base64url');
    modulus[modulus.length - 1]! ^= 1;
    const key = createPublicKey({
      key: { kty: 'RSA', n: modulus.toString('base64url'), e: e! },
      format: 'jwk',
    });
    expect(() => readPublicKey(key.export({ type: 'spki', format: 'pem' }).toString())).toThrow(
      /modulus of this RSA key is even/,
    );
  });

  it('a public key and a certificate, naming what is needed', async () => {
    const certificate = await makeCertificate();
    for (const text of [made.spki, made.pkcs1Public, certificate.toString()]) {
      const error = await failureOf(text);
      expect(error.code).toBe('keys.public_given');
      expect(error.message).toContain('BEGIN PRIVATE KEY');
    }
  });

  it('text without a key, half a key, a key with a letter changed, and other tools’ forms', async () => {
    const body = bodyOf(made.pkcs8);
    const at = Math.floor(body.length / 2);
    const changed = body.slice(0, at) + (body[at] === 'A' ? 'B' : 'A') + body.slice(at + 1);
    const texts = [
      '',
      '   \n',
      'hello, this is no key',
      '-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----',
      made.pkcs8.replace(body, body.slice(0, 800)),
      made.pkcs8.replace(body, changed),
      made.pkcs8.replace(body, `${body.slice(0, 200)}…${body.slice(-200)}`),
      '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n-----END OPENSSH PRIVATE KEY-----',
      'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ me@host',
      'PuTTY-User-Key-File-3: ssh-rsa',
      '<RSAKeyValue><Modulus>abc</Modulus></RSAKeyValue>',
    ];
    for (const text of texts) expect((await failureOf(text)).code, text.slice(0, 60)).toBe('keys.unreadable');
    expect((await failureOf(texts[7]!)).message).toContain('ssh-keygen');
  });

  it('any bytes whatever with a code of its own, never with a crash', async () => {
    const bytes = Buffer.from(der);
    for (let round = 0; round < 150; round++) {
      const spoilt = Buffer.from(bytes);
      const at = (round * 7919) % spoilt.length;
      spoilt[at] = (spoilt[at]! + 1 + (round % 250)) % 256;
      await readKey(spoilt).catch((error: unknown) => {
        expect(error).toBeInstanceOf(AppError);
        expect((error as AppError).code).toMatch(/^keys\./);
      });
    }
  });
});

describe('readPublicKey', () => {
  it('reads SPKI, PKCS#1 and bare Base64', () => {
    expect(readPublicKey(made.spki)).toMatchObject({
      format: 'SPKI PEM',
      fingerprint: made.fingerprint,
      repairs: [],
    });
    expect(readPublicKey(made.pkcs1Public).fingerprint).toBe(made.fingerprint);
    expect(readPublicKey(bodyOf(made.spki)).fingerprint).toBe(made.fingerprint);
    expect(
      readPublicKey(createPublicKey(made.spki).export({ type: 'spki', format: 'der' })).fingerprint,
    ).toBe(made.fingerprint);
  });

  it('takes the public half of a private key, or of a certificate, and says so', async () => {
    const certificate = await makeCertificate();
    expect(readPublicKey(made.pkcs8)).toMatchObject({
      kind: 'public',
      privateKey: null,
      fingerprint: made.fingerprint,
    });
    expect(readPublicKey(made.pkcs8).repairs).toContain('public half of a private key taken');
    expect(readPublicKey(certificate.toString()).repairs).toContain('public key taken from the certificate');
  });

  it('asks for no passphrase: a public key is what it needs', async () => {
    const text = (await openssl(['pkcs8', '-topk8', '-passout', 'pass:abcd'], made.pkcs8)).toString();
    expect(() => readPublicKey(text)).toThrow(expect.objectContaining({ code: 'keys.passphrase_needed' }));
  });
});

describe('generatePrivateKey', () => {
  it('makes a key that openssl finds sound, with exponent 65537', async () => {
    const pem = writePrivatePem(await generatePrivateKey(2048));
    expect((await openssl(['rsa', '-check', '-noout'], pem)).toString()).toContain('RSA key ok');
    expect(await readPrivateKey(pem)).toMatchObject({ bits: 2048, exponent: 65_537, format: 'PKCS#8 PEM' });
  });
});

it.each([
  ['{"info":{"name":"collection"}}', 'This is JSON, and no key stands in it.'],
  ['\uFEFF[1]', 'This is JSON, and no key stands in it.'],
  ['{"kty":"RSA","n":"AQAB","e":"AQAB"}', 'This is a key as JSON (JWK).'],
  ['<!DOCTYPE html><html><body>Sign in</body></html>', 'This is a page of HTML'],
  ['<?xml version="1.0"?><a/>', 'This is XML.'],
  ['ecdsa-sha2-nistp256 AAAAE2VjZHNh me@here', 'This is a public key in OpenSSH’s form.'],
  ['eyJhbGciOiJSUzI1NiJ9.e30.AQAB', 'This is a token (JWT), not a key.'],
  ['-----BEGIN X509 CRL-----\nMIIB\n-----END X509 CRL-----', 'This is a PEM block that holds no key.'],
  [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]), 'This is a binary file'],
  ['POST {{base_url}}/x', "it has no -----BEGIN line, and '{' stands in no Base64"],
  ['', 'the text is empty'],
  ['{'.repeat(900_000), 'it has no -----BEGIN line'],
])('names what is no key for what it is: %j', async (text, said) => {
  const error = await readKey(text).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'keys.unreadable', message: expect.stringContaining(said) as string });
  expect((error as Error).message).not.toContain('changed on its way');
});

it('finds a key right behind the first words of another file', async () => {
  const text = `BEGIN CERTIFICATE\n${made.pkcs8.replace(/-----(BEGIN[A-Z ]+)-----/, '$1')}`;
  expect(await readPrivateKey(text)).toMatchObject({ fingerprint: made.fingerprint });
});

it('takes the key out of JSON that holds one', async () => {
  const key = await readKey(JSON.stringify({ private_key: made.pkcs8 }));
  expect(key.fingerprint).toBe(made.fingerprint);
});

it('takes neither of two keys that a merge left, wherever its lines stand in them', async () => {
  const lines = made.pkcs8.trim().split('\n');
  const merge = (mine: readonly string[], theirs: readonly string[]): string[] => [
    '<<<<<<< HEAD',
    ...mine,
    '=======',
    ...theirs,
    '>>>>>>> other',
  ];
  const within = [lines[0]!, ...merge(lines.slice(1, -1), lines.slice(2, -1)), lines.at(-1)!];
  for (const [text, line] of [
    [merge(lines, lines), 1],
    [within, 2],
  ] as const)
    for (const read of [readKey, readPublicKey])
      await expect((async () => read(text.join('\n')))()).rejects.toMatchObject({
        code: 'keys.unreadable',
        message: expect.stringContaining(`cannot be used, line ${line}: Two versions stand here`) as string,
      });
});
