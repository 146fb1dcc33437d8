import { constants, generateKeyPairSync, publicDecrypt, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../../signing/hex';
import { HASH_ALGORITHMS, HASHES, type HashName } from '../../signing/hash-algorithms';
import { hash, infoOf, padPkcs1, padPss, padZeros } from '../../../test/support/doctor-blocks';
import { hashForPss, readPaddings } from './read-padding';

const TEXT = 'R-1|10';
const info = infoOf(TEXT);
const digestHex = hash('sha256', TEXT);
const withoutNull = fromHex(`302f300b0609608648016503040201${'0420'}${digestHex}`);
const read = (block: Uint8Array, bits = 2048) => readPaddings(block, bits, hash);
const salt = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => at * 7 + 3);

describe('a block with a DigestInfo', () => {
  it.each([
    ['as it should be', padPkcs1(info), null],
    ['of a longer key', padPkcs1(info, 512), null],
    ['without NULL', padPkcs1(withoutNull), 'a DigestInfo that lacks its NULL'],
    ['with a byte before it', padPkcs1(Uint8Array.of(9, ...info)), 'one byte before the DigestInfo'],
    ['with bytes behind it', padPkcs1(Uint8Array.of(...info, 9, 9)), '2 bytes after the DigestInfo'],
    [
      'with bytes around it',
      padPkcs1(Uint8Array.of(8, 8, ...info, 9)),
      '2 bytes before the DigestInfo and one byte after the DigestInfo',
    ],
    ['behind zeros alone', padZeros(info), 'no padding around the DigestInfo'],
    [
      'behind no more zeros than chance',
      padZeros(info, info.length + 16),
      'no padding around the DigestInfo',
    ],
  ])('is read %s', (_what, block, fault) => {
    expect(read(block)).toEqual([{ kind: 'digest', hash: 'sha256', digestHex, fault }]);
  });
});

describe('a block with bare bytes', () => {
  const bare = Uint8Array.from(Buffer.from(TEXT));
  const ofUnknownHash = fromHex(`302130090605112233445505000414${'ab'.repeat(20)}`);
  it.each([
    ['padded', padPkcs1(bare), { payload: bare, isPadded: true, isBrokenInfo: false }],
    ['not padded', padZeros(bare), { payload: bare, isPadded: false, isBrokenInfo: false }],
    [
      'in the form of a DigestInfo',
      padPkcs1(ofUnknownHash),
      { payload: ofUnknownHash, isPadded: true, isBrokenInfo: true },
    ],
    [
      'with such a form within them alone',
      padPkcs1(Uint8Array.of(1, ...ofUnknownHash)),
      { isPadded: true, isBrokenInfo: false },
    ],
    ['none', padPkcs1(new Uint8Array()), { payload: new Uint8Array(), isPadded: true }],
    ['with the fewest bytes of padding', padPkcs1(bare, bare.length + 11), { payload: bare, isPadded: true }],
  ])('is read: %s', (_what, block, padding) => {
    expect(read(block)).toMatchObject([{ kind: 'bare', ...padding }]);
  });
});

describe('a block of another key', () => {
  const right = padPkcs1(info);
  const changed = (at: number, value: number): Uint8Array => right.with(at, value);
  it.each([
    ['another first byte', changed(0, 1)],
    ['the padding of encryption', changed(1, 2)],
    ['an end of its padding that is no zero', changed(256 - info.length - 1, 1)],
    ['less padding than there must be', padPkcs1(info, info.length + 10)],
    ['as many zeros in front as chance may have', padZeros(info, info.length + 15)],
    ['zeros alone', new Uint8Array(256)],
    ['the last byte of PSS alone', new Uint8Array(256).fill(0x5a).with(255, 0xbc)],
  ])('is not read: %s', (_what, block) => {
    expect(read(block)).toEqual([]);
  });
});

describe('a block with PSS', () => {
  it.each(
    HASHES.flatMap((name) => (['sha1', 'sha256', name] as HashName[]).map((mask) => [name, mask] as const)),
  )('of %s and a mask of %s is certain by its zeros', (name, mask) => {
    const [padding, ...others] = read(padPss(TEXT, salt(20), 2048, name, mask));
    expect(others).toEqual([]);
    expect(padding).toMatchObject({ kind: 'pss', hash: name, salt: salt(20), isCertain: true });
  });

  it('holds what the string gives with its salt', () => {
    for (const name of HASHES) {
      const [padding] = read(padPss(TEXT, salt(12), 2048, name));
      if (padding?.kind !== 'pss') throw new Error('not read');
      expect(hashForPss(TEXT, padding.salt, name, hash)).toBe(padding.digestHex);
      expect(hashForPss(`${TEXT}!`, padding.salt, name, hash)).not.toBe(padding.digestHex);
      expect(hashForPss(TEXT, padding.salt.slice(1), name, hash)).not.toBe(padding.digestHex);
    }
  });

  it.each([
    [2048, 218, true],
    [2048, 219, null],
    [2048, 221, null],
    [2048, 222, false],
    [2047, 222, false],
    [2042, 218, true],
    [2049, 218, true],
    [2049, 222, false],
  ])('of %d bits with a salt of %d bytes: certain is %s', (bits, length, isCertain) => {
    const readings = read(padPss(TEXT, salt(length), bits), bits);
    expect(readings.map((one) => one.kind === 'pss' && [one.isCertain, toHex(one.salt)])).toEqual(
      isCertain === null ? [] : [[isCertain, toHex(salt(length))]],
    );
  });

  it.each([1024, 1025, 1026, 1032, 1033])('made by a real key of %d bits is read with its salt', (bits) => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    const signature = sign('sha256', Buffer.from(TEXT), { key: privateKey, padding, saltLength: 32 });
    const block = publicDecrypt({ key: publicKey, padding: constants.RSA_NO_PADDING }, signature);
    const [found] = read(block, bits);
    if (found?.kind !== 'pss') throw new Error('not read');
    expect(found).toMatchObject({ hash: 'sha256', isCertain: true });
    expect(hashForPss(TEXT, found.salt, 'sha256', hash)).toBe(found.digestHex);
  });

  it.each<[HashName, HashName, number]>([
    ['sha256', 'sha1', 1],
    ['sha512', 'sha512', 1],
    ['sha1', 'sha256', 0],
  ])('whose salt fills it is read with the masks that libraries take: %s, %s', (name, mask, found) => {
    const fill = salt(2048 / 8 - HASH_ALGORITHMS[name].sizeBytes - 2);
    const readings = read(padPss(TEXT, fill, 2048, name, mask));
    // One in 128 of the others looks so by chance.
    expect(readings.filter((one) => one.kind === 'pss' && toHex(one.salt) === toHex(fill))).toHaveLength(
      found,
    );
  });

  it('is none where a bit is set that none may have', () => {
    const block = padPss(TEXT, salt(20));
    expect(read(block.with(0, block[0]! | 0x80))).toEqual([]);
    expect(read(block.with(255, 0xbd))).toEqual([]);
    expect(read(padPss(TEXT, salt(20), 2049).with(0, 1), 2049)).toEqual([]);
  });
});
