import {
  constants,
  createHash,
  createHmac,
  createPrivateKey,
  generateKeyPairSync,
  privateEncrypt,
  publicEncrypt,
  sign,
} from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { DoctorResult } from '@shared/contract/doctor';
import { writeDigestInfoHead, type HashName } from '@shared/signing/hash-algorithms';
import { countThreadMs } from '../../../test/support/processor-time';
import { runDiagnosis, type PlainQuestion } from './run-diagnosis';

const BODY =
  '{"transaction":{"reference":"INV-2026-0042","amount":1500,"service_code":"MPESA-KE","currency":"KES"},"originator":{"country":"KE"}}';
const EXPECTED = 'INV-2026-00421500KEMPESA-KE';

const rsa = (bits: number): ReturnType<typeof generateKeyPairSync> =>
  generateKeyPairSync('rsa', { modulusLength: bits });
const { publicKey, privateKey } = rsa(2048);
const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();

function ask(signature: string | Buffer, more: Partial<PlainQuestion> = {}): Promise<DoctorResult> {
  return runDiagnosis({
    body: BODY,
    signature: typeof signature === 'string' ? signature : signature.toString('base64'),
    key: { pem, name: null, environment: null, fingerprint: 'ab'.repeat(32) },
    otherKeys: [],
    claimedString: null,
    earlier: [],
    ...more,
  });
}

const signed = (text: string | Buffer, hash = 'sha256'): Buffer => sign(hash, Buffer.from(text), privateKey);
const padded = (bytes: string | Buffer): Buffer => privateEncrypt(privateKey, Buffer.from(bytes));
const codesOf = ({ causes }: DoctorResult): string[] => causes.map(({ code }) => code).sort();

describe('what is no signature of this key', () => {
  const secret = 'secret';
  const ec = (namedCurve: string): string =>
    generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const rs = (curve: string): Buffer =>
    sign('sha256', Buffer.from(EXPECTED), {
      key: createPrivateKey(ec(curve)),
      dsaEncoding: 'ieee-p1363',
    });
  it.each([
    ['HMAC-SHA512', createHmac('sha512', secret).update(EXPECTED).digest(), 'HMAC-SHA512'],
    ['HMAC-SHA256', createHmac('sha256', secret).update(EXPECTED).digest(), 'HMAC-SHA256'],
    ['SHA-512', createHash('sha512').update(EXPECTED).digest(), 'SHA-512'],
    ['SHA-384', createHash('sha384').update(EXPECTED).digest(), 'SHA-384'],
    ['Ed25519', sign(null, Buffer.from(EXPECTED), generateKeyPairSync('ed25519').privateKey), 'Ed25519'],
    ['Ed448', sign(null, Buffer.from(EXPECTED), generateKeyPairSync('ed448').privateKey), 'Ed448'],
    ['ECDSA P-256 in DER', sign('sha256', Buffer.from(EXPECTED), ec('P-256')), 'ECDSA'],
    ['ECDSA P-384 in DER', sign('sha256', Buffer.from(EXPECTED), ec('P-384')), 'ECDSA'],
    ['ECDSA P-521 in DER', sign('sha256', Buffer.from(EXPECTED), ec('P-521')), 'ECDSA'],
    ['ECDSA P-256', rs('P-256'), 'ECDSA'],
    ['ECDSA P-384', rs('P-384'), 'ECDSA'],
    ['ECDSA P-521', rs('P-521'), 'ECDSA'],
    ['RSA of 1024 bits', sign('sha256', Buffer.from(EXPECTED), rsa(1024).privateKey), '1024 bits'],
  ])('%s is named, not called a part of a signature', async (_, bytes, kind) => {
    for (const text of [bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')]) {
      const result = await ask(text);
      expect([text.length, result.verdict, result.causes]).toEqual([text.length, 'not_a_signature', []]);
      expect(result.explanation).toContain(kind);
    }
  });

  it('a key, a certificate and a token are named', async () => {
    expect((await ask(pem)).explanation).toContain('a public key');
    const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
    expect(await ask(jwt)).toMatchObject({ verdict: 'not_a_signature' });
    expect((await ask(jwt)).explanation).toContain('JSON Web Token');
    const armoured = (what: string): string =>
      `-----BEGIN ${what}-----\n${Buffer.alloc(600, 7).toString('base64')}\n-----END ${what}-----\n`;
    const texts = [
      ['eyJhbGciOiJSUzI1NiJ9..c2lnbmF0dXJl', 'it is a JSON Web Signature'],
      ['eyJhbGciOiJSUzI1NiJ9.c2lnbmVk.c2lnbmF0dXJl', 'it is a JSON Web Signature'],
      [armoured('PGP SIGNATURE'), 'it is a PGP signature'],
      [armoured('SSH SIGNATURE'), 'it is a signature of OpenSSH'],
    ] as const;
    for (const [text, kind] of texts) {
      const { verdict, explanation } = await ask(text);
      expect([verdict, explanation]).toEqual(['not_a_signature', expect.stringContaining(kind)]);
    }
  });

  // A column of so many characters is met more often than the key.
  it('one of 1536 bits and 256 characters of another look the same: both are said', async () => {
    const whole = sign('sha256', Buffer.from(EXPECTED), rsa(1536).privateKey).toString('base64');
    for (const text of [whole, signed(EXPECTED).toString('base64').slice(0, 256)]) {
      const { explanation, causes } = await ask(text);
      for (const said of [explanation, causes[0]!.message]) expect(said).toContain('RSA key of 1536 bits');
    }
  });

  it.each([255, 200, 300, 100])('the first %i characters of a signature are a part of it', async (length) => {
    const result = await ask(signed(EXPECTED).toString('base64').slice(0, length));
    expect([result.verdict, codesOf(result)]).toEqual(['explained', ['encoding.truncated']]);
  });
});

describe('what a signature was wrapped in', () => {
  const base64 = signed(EXPECTED).toString('base64');
  it.each([
    ['Bearer', `Bearer ${base64}`, 'encoding.header_name'],
    ['a header and Bearer', `Authorization: Bearer ${base64}`, 'encoding.header_name'],
    ['a data URL', `data:application/octet-stream;base64,${base64}`, 'encoding.header_name'],
    ["Python's b'…'", `b'${base64}'`, 'encoding.wrapped'],
    ["Python's b'…' in quotes", `"b'${base64}'"`, 'encoding.wrapped'],
    ['bytes as Java prints them', `[${[...new Int8Array(signed(EXPECTED))].join(', ')}]`, 'encoding.wrapped'],
    ['bytes as JavaScript prints them', [...signed(EXPECTED)].join(','), 'encoding.wrapped'],
    ['one decimal number', BigInt(`0x${signed(EXPECTED).toString('hex')}`).toString(), 'encoding.wrapped'],
    ['hex of Base64', Buffer.from(base64).toString('hex'), 'encoding.double'],
    ['hex of hex', Buffer.from(signed(EXPECTED).toString('hex')).toString('hex'), 'encoding.double'],
    ['Base64 of hex', Buffer.from(signed(EXPECTED).toString('hex')).toString('base64'), 'encoding.double'],
    ['reversed bytes', signed(EXPECTED).reverse().toString('base64'), 'encoding.wrapped'],
  ])('%s is taken off and named', async (_, text, code) => {
    const result = await ask(text);
    expect([result.verdict, [...new Set(codesOf(result))], result.signedString]).toEqual([
      'explained',
      [code],
      EXPECTED,
    ]);
  });

  it("every '+' that became a space is put back, and nothing is called cut", async () => {
    for (let run = 0; run < 300; run += 1) {
      const text = signed(`${EXPECTED}|${run}`).toString('base64');
      if (!text.includes('+')) continue;
      const result = await ask(text.replaceAll('+', ' '), { claimedString: `${EXPECTED}|${run}` });
      expect(codesOf(result)).toEqual(['encoding.url_safe', 'string.field_extra']);
    }
  }, 120_000);

  it('a last character with stray bits is not called stripped padding', async () => {
    const altered = base64.replace(/[AQgw]==$/, (end) => `${String.fromCharCode(end.charCodeAt(0) + 1)}==`);
    const result = await ask(altered);
    expect([result.verdict, codesOf(result)]).toEqual(['explained', ['encoding.truncated']]);
    expect(result.explanation).toContain('altered at its end');
  });
});

describe('what was signed instead of the string', () => {
  const body = BODY.replace('1500', '1e3').replace('INV-2026-0042', 'INV 7/é');
  it.each([
    [
      'a body that Python read and wrote again',
      JSON.stringify(JSON.parse(body))
        .replace('é', '\\u00e9')
        .replace('1000', '1000.0')
        .replace(/[,:](?=")|:(?=1)|:(?=\{)/g, '$& '),
      'string.whole_body',
    ],
    [
      'a form, percent-encoded',
      'reference=INV+7%2F%C3%A9&amount=1e3&country=KE&service_code=MPESA-KE',
      'string.field_extra',
    ],
  ])('%s is found', async (_, text, code) => {
    const result = await ask(signed(text), { body });
    expect([result.verdict, codesOf(result), result.signedString]).toEqual(['explained', [code], text]);
  });

  it('bytes that no key reads may also have been encrypted: that is said', async () => {
    const { explanation } = await ask(publicEncrypt(publicKey, Buffer.from('abc')));
    expect(explanation).toContain('encrypted with the public key');
  });
});

describe('hashes and their names', () => {
  it('SHA-224 is named, and explained only with a cause', async () => {
    const result = await ask(signed(EXPECTED, 'sha224'));
    expect(result.explanation).toBe('Signed with SHA-224: use SHA-256 (RSA PKCS#1 v1.5 with SHA-256).');
    expect([result.verdict, result.causes, result.signedString]).toEqual(['unexplained', [], EXPECTED]);
    const both = await ask(signed('INV-2026-0042|1500|KE|MPESA-KE', 'sha224'));
    expect([both.verdict, codesOf(both)]).toEqual(['explained', ['string.separator']]);
    expect(both.explanation).toContain('SHA-224');
  });

  it.each([`${EXPECTED}_`, `|${EXPECTED}`, `${EXPECTED},`, `${EXPECTED.toLowerCase()}:`])(
    'a separator at one end alone is found: %s',
    async (text) => {
      const { verdict, causes, signedString } = await ask(signed(text));
      expect([verdict, signedString]).toEqual(['explained', text]);
      expect(causes.map(({ code }) => code)).toContain('string.separator');
    },
  );

  it('a DigestInfo without its NULL is named', async () => {
    const digest = createHash('sha256').update(EXPECTED).digest('hex');
    const result = await ask(padded(Buffer.from(writeDigestInfoHead('sha256', false) + digest, 'hex')));
    expect([result.verdict, result.valid, result.signedString]).toEqual(['unexplained', false, EXPECTED]);
    expect(result.explanation).toContain('lacks its NULL');
  });

  it.each<[HashName, string]>([
    ['sha512-256', 'SHA-512/256'],
    ['sha512-224', 'SHA-512/224'],
    ['sha3-256', 'SHA3-256'],
    ['sha3-512', 'SHA3-512'],
    ['ripemd160', 'RIPEMD-160'],
    ['sm3', 'SM3'],
  ])('the DigestInfo of %s is named', async (name, label) => {
    const digest = createHash(name).update(EXPECTED).digest('hex');
    const result = await ask(padded(Buffer.from(writeDigestInfoHead(name) + digest, 'hex')));
    expect(codesOf(result)).toEqual([]);
    expect(result.explanation).toContain(label);
    expect(result.signedString).toBe(EXPECTED);
  });

  it('UTF-16 text as long as a digest is text', async () => {
    // Sixteen characters are 32 bytes, as many as a SHA-256 digest.
    const body = BODY.replace('INV-2026-0042', 'I').replace('MPESA-KE', 'SERVICE-9');
    const text = 'I1500KESERVICE-9';
    expect(text).toHaveLength(16);
    const result = await ask(padded(Buffer.from(text, 'utf16le')), { body });
    expect([result.verdict, codesOf(result), result.signedString]).toEqual([
      'explained',
      ['hash.missing', 'string.charset'],
      text,
    ]);
  });
});

describe('PSS', () => {
  const pss = (text: string, key = privateKey, saltLength = constants.RSA_PSS_SALTLEN_MAX_SIGN): Buffer =>
    sign('sha256', Buffer.from(text), { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength });

  it('with a salt that fills the block is proved by its string', async () => {
    expect(codesOf(await ask(pss('INV-2026-0042|1500|KE|MPESA-KE')))).toEqual([
      'padding.pss',
      'string.separator',
    ]);
  });

  it('with such a salt and its bytes reversed is not called the work of another key', async () => {
    const known = await ask(pss('INV-2026-0042|1500|KE|MPESA-KE').reverse());
    expect([known.verdict, codesOf(known)]).toEqual([
      'explained',
      ['encoding.wrapped', 'padding.pss', 'string.separator'],
    ]);
  });

  it('a certain reading wins over one that may be chance', async () => {
    // SHA-512 for the digest and its mask: about once in a dozen signatures another hash reads it, too.
    const key = { key: privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 20 };
    for (let run = 0; run < 80; run += 1) {
      const result = await ask(sign('sha512', Buffer.from(EXPECTED), key));
      expect(codesOf(result)).toEqual(['hash.sha512', 'padding.pss']);
    }
  }, 60_000);
});

describe('a search that takes too long', () => {
  const UNFINISHED = /The search was not finished: it looked at ([\d,]+) of ([\d,]+) strings/;

  it.each([
    ['of an unknown text', signed('nobody knows this')],
    [
      'of PSS that may be chance',
      sign('sha256', Buffer.from('nobody knows this'), {
        key: privateKey,
        padding: constants.RSA_PKCS1_PSS_PADDING,
        saltLength: constants.RSA_PSS_SALTLEN_MAX_SIGN,
      }),
    ],
  ])('ends, and says how far it came: %s', async (_what, signature) => {
    const readMs = countThreadMs();
    const result = await ask(signature, { mostMs: 100 });
    expect(readMs()).toBeLessThan(3000);
    expect([result.verdict, result.valid, result.signedString]).toEqual(['unexplained', false, null]);
    const [looked, planned] = UNFINISHED.exec(result.explanation)!
      .slice(1)
      .map((count) => Number(count.replaceAll(',', '')));
    expect(looked).toBeGreaterThan(0);
    expect(planned).toBeGreaterThan(3_000_000);
    expect(looked).toBeLessThan(planned!);
    expect([result.searched, result.planned]).toEqual([looked, planned]);
  });

  it('still finds what is tried first', async () => {
    expect((await ask(signed(EXPECTED), { mostMs: 0 })).verdict).toBe('valid');
    expect((await ask(signed('INV-2026-0042|1500|KE|MPESA-KE'), { mostMs: 0 })).verdict).toBe('explained');
  });
});

describe('earlier attempts', () => {
  const earlier = [
    { title: 'Payout, 09:12', reference: 'INV-2026-0042', stringToSign: 'INV-2026-00421750KEMPESA-KE' },
  ];

  it('of the same reference with another amount are found', async () => {
    const result = await ask(signed('INV-2026-00421750KEMPESA-KE'), { earlier });
    expect([result.verdict, codesOf(result)]).toEqual(['explained', ['string.other_reference']]);
    expect(result.explanation).toContain('1750');
    expect(result.explanation).toContain('Payout, 09:12');
  });

  it('are found together with another deviation', async () => {
    const result = await ask(signed('INV-2026-0042|1750|KE|MPESA-KE'), { earlier });
    expect(codesOf(result)).toEqual(['string.other_reference', 'string.separator']);
  });
});
