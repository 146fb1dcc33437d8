import { createHash, generateKeyPairSync, publicDecrypt, sign, constants } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { HASH_ALGORITHMS, findDigestInfo, writeDigestInfoHead, type HashName } from './hash-algorithms';
import { fromHex, toHex } from './hex';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const names = Object.keys(HASH_ALGORITHMS) as HashName[];

/** What stands inside a signature of OpenSSL, padding taken off. */
function openSignature(hash: string): string {
  const signature = sign(hash, Buffer.from('text'), privateKey);
  return publicDecrypt({ key: publicKey, padding: constants.RSA_PKCS1_PADDING }, signature).toString('hex');
}

describe('DigestInfo', () => {
  it.each([
    'sha256',
    'sha1',
    'sha512',
    'sha384',
    'sha224',
    'md5',
    'sha512-256',
    'sha3-256',
    'ripemd160',
  ] as const)('of %s is that of OpenSSL', (name) => {
    const digestHex = createHash(name).update('text').digest('hex');
    const opened = openSignature(name);
    expect(`${writeDigestInfoHead(name)}${digestHex}`).toBe(opened);
    expect(findDigestInfo(opened)).toEqual({
      hash: name,
      digestHex,
      hasNull: true,
      bytesBefore: 0,
      bytesAfter: 0,
    });
  });

  it.each(names)('of %s is read with NULL and without it', (hash) => {
    const digestHex = 'ab'.repeat(HASH_ALGORITHMS[hash].sizeBytes);
    for (const hasNull of [true, false]) {
      const head = writeDigestInfoHead(hash, hasNull);
      expect(findDigestInfo(head + digestHex)).toEqual({
        hash,
        digestHex,
        hasNull,
        bytesBefore: 0,
        bytesAfter: 0,
      });
      expect(findDigestInfo(`${head}${digestHex}00`)).toMatchObject({ digestHex, bytesAfter: 1 });
      expect(findDigestInfo(head + digestHex.slice(2))).toBeNull();
      expect(findDigestInfo(`00${head}${digestHex}`)).toMatchObject({ digestHex, bytesBefore: 1 });
      expect(findDigestInfo(`0${head}${digestHex}0`)).toBeNull();
    }
  });

  it('is not everything', () => {
    expect(findDigestInfo('')).toBeNull();
    expect(findDigestInfo('ab'.repeat(32))).toBeNull();
  });
});

describe('hex', () => {
  it('is written in lower case, two digits a byte, and read back in any case', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const hex = Buffer.from(bytes).toString('hex');
    expect(toHex(bytes)).toBe(hex);
    expect(fromHex(hex)).toEqual(bytes);
    expect(fromHex(hex.toUpperCase())).toEqual(bytes);
    expect([toHex(new Uint8Array()), fromHex('')]).toEqual(['', new Uint8Array()]);
  });
});
