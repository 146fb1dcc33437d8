import { describe, expect, it } from 'vitest';
import { checkClientKey } from '../../environments/check-setup';
import { TAG, writeElement, writeInteger, writeOid, writeSequence } from './der';
import { writeEncryptedPem, generatePrivateKey } from './key-making';
import { readKey } from './key-reading';
import { countRounds, MOST_ROUNDS } from './key-stretching';

const PBES2 = '1.2.840.113549.1.5.13';
const PBKDF2 = '1.2.840.113549.1.5.12';
const SCRYPT = '1.3.6.1.4.1.11591.4.11';
const OLD_DES = '1.2.840.113549.1.5.3';
const AES = '2.16.840.1.101.3.4.1.42';

const octets = (size: number): Buffer => writeElement(TAG.octetString, Buffer.alloc(size, 7));
const integer = (value: number): Buffer =>
  writeInteger(Buffer.from(value.toString(16).padStart(12, '0'), 'hex'));
const encrypted = (algorithm: Buffer): Buffer => writeSequence(algorithm, octets(1232));
const cipher = writeSequence(writeOid(AES), octets(16));
const pbkdf2 = (...numbers: Buffer[]): Buffer =>
  encrypted(
    writeSequence(
      writeOid(PBES2),
      writeSequence(writeSequence(writeOid(PBKDF2), writeSequence(octets(8), ...numbers)), cipher),
    ),
  );
const scrypt = (...numbers: number[]): Buffer =>
  encrypted(
    writeSequence(
      writeOid(PBES2),
      writeSequence(
        writeSequence(writeOid(SCRYPT), writeSequence(octets(8), ...numbers.map(integer))),
        cipher,
      ),
    ),
  );
const toPem = (der: Buffer): string =>
  `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${der.toString('base64')}\n-----END ENCRYPTED PRIVATE KEY-----\n`;

describe('the rounds that a key asks for', () => {
  it('are read from each form, whatever its number', async () => {
    const own = await writeEncryptedPem(await generatePrivateKey(2048), 'abc');
    const der = Buffer.from(own.replace(/-----[^-]+-----/g, ''), 'base64');
    expect(countRounds(der)).toBeGreaterThan(1000);
    expect(countRounds(pbkdf2(integer(2048), integer(32)))).toBe(2048);
    expect(
      countRounds(encrypted(writeSequence(writeOid(OLD_DES), writeSequence(octets(8), integer(70_000))))),
    ).toBe(70_000);
    expect(countRounds(scrypt(16_384, 8, 5, 32))).toBe(16_384 * 8 * 5);
    expect(countRounds(pbkdf2(writeInteger(Buffer.alloc(9, 255))))).toBe(Infinity);
    expect(countRounds(Buffer.from('no key'))).toBe(0);
  });

  it('are refused at once where they would hold up everything for minutes', async () => {
    for (const der of [
      pbkdf2(integer(0x7fff_ffff)),
      pbkdf2(writeInteger(Buffer.alloc(9, 255))),
      scrypt(16_384, 8, 1_000_000),
      encrypted(writeSequence(writeOid(OLD_DES), writeSequence(octets(8), integer(MOST_ROUNDS)))),
    ]) {
      await expect(readKey(toPem(der), 'abc')).rejects.toMatchObject({
        code: 'keys.unreadable',
        message: expect.stringMatching(
          /^This key asks for .* rounds .*Save it anew with: openssl pkcs8/,
        ) as string,
      });
      await expect(readKey(der, 'abc')).rejects.toMatchObject({ code: 'keys.unreadable' });
    }
    const slow = toPem(pbkdf2(integer(MOST_ROUNDS + 1)));
    const refused = /asks for more than 2000000 rounds/;
    expect(() => checkClientKey('', slow, 'abc')).toThrow(refused);
    expect(() => checkClientKey('', `${toPem(Buffer.from('x'))}${slow}`, 'abc')).toThrow(refused);
  });
});
