import { createHash, createPrivateKey, generateKeyPairSync, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withTimeZone } from '../../../test/support/time-zone';
import { formatTime, shiftTime } from '../../http-file/format-time';
import { readStringToSign } from '../../signing/string-to-sign';

interface Scripts {
  readStringToSign(body: string): string;
  signText(text: string, pem: string): string;
  formatTime(time: Date, pattern: string, isLocal: boolean): string;
  shiftTime(time: Date, count: number, unit: string, isLocal: boolean): Date;
}

/** What the sandbox of Postman has of crypto-js, and this script uses. */
const cryptoJs = {
  enc: { Utf8: { parse: (text: string) => Buffer.from(text, 'utf8') }, Hex: 'hex' },
  SHA256: (bytes: Buffer) => ({ toString: () => createHash('sha256').update(bytes).digest('hex') }),
};

/** Runs the scripts as Postman does: joined to one text, with nothing of Node in sight. */
function loadScripts(): Scripts {
  const texts = ['scripts/read-signed-values.js', 'postman/sign-with-rsa.js', 'postman/draw-values.js'].map(
    (path) => readFileSync(`shared/export/${path}`, 'utf8'),
  );
  const names = 'readStringToSign, signText, formatTime, shiftTime';
  const make = new Function('require', `${texts.join('\n')}\nreturn { ${names} };`) as (
    require: unknown,
  ) => Scripts;
  return make(() => cryptoJs);
}

const scripts = loadScripts();

describe('the string to sign of an exported script', () => {
  const values = [
    '"R-1"',
    '"é\\u00e9\\n\\"x"',
    '1000.00',
    '1e3',
    '-0',
    '12345678901234567890',
    'null',
    'true',
    '[1]',
    '{}',
    '""',
    '"\\ud800"',
  ];
  const value = fc.constantFrom(...values);
  const field = fc.tuple(fc.constantFrom('reference', 'amount', 'service_code', 'country', 'x'), value);
  const object = fc
    .array(field, { maxLength: 6 })
    .map((fields) => `{${fields.map(([name, one]) => `"${name}": ${one}`).join(', ')}}`);
  const member = fc.tuple(
    fc.constantFrom('transaction', 'originator', 'meta', 'reference'),
    fc.oneof(object, value),
  );
  const body = fc
    .array(member, { maxLength: 5 })
    .map((members) => `{${members.map(([name, one]) => `"${name}":${one}`).join(',\n')}}`);

  it('is the one that Countersign signs, for any body', () => {
    const read = (run: () => string): string => {
      try {
        return run();
      } catch {
        return '(refused)';
      }
    };
    fc.assert(
      fc.property(fc.oneof(body, object, fc.json(), fc.string()), (text) => {
        expect(read(() => scripts.readStringToSign(text))).toBe(read(() => readStringToSign(text).text));
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps numbers as they stand in the body, and takes the last of equal keys', () => {
    const text =
      '{"originator":{"country":"KE"},"transaction":{"reference":"a","amount":1},"transaction":{"reference":"R","amount":10.00,"amount":20.50,"service_code":"S"}}';
    expect(scripts.readStringToSign(text)).toBe('R20.50KES');
  });
});

describe('the signature of an exported script', () => {
  it.each([2048, 1031])('verifies, by a key of %i bits in either form', (modulusLength) => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength });
    for (const type of ['pkcs8', 'pkcs1'] as const) {
      const pem = privateKey.export({ type, format: 'pem' }).toString();
      for (const [text, given] of [
        ['R-11000KEX', pem],
        ['é…\u{1f600}', pem.replace(/\n/g, '\\n')],
        ['', pem.replace(/\n/g, '\r\n')],
      ] as const) {
        const signature = Buffer.from(scripts.signText(text, given), 'base64');
        expect(verify('sha256', Buffer.from(text), publicKey, signature), `${type} ${text}`).toBe(true);
      }
    }
  });

  it('says what it cannot read', () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const locked = createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' })).export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'long enough',
    });
    for (const text of [
      'no key',
      locked.toString(),
      publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    ]) {
      expect(() => scripts.signText('a', text)).toThrow(/PKCS#8/);
    }
  });
});

describe('the times of an exported script', () => {
  withTimeZone('Europe/Berlin');

  it('are those that Countersign draws', () => {
    const pattern = 'YYYY YY MMMM MMM MM M DD D dddd ddd dd d HH H hh h A a mm m ss s SSS ZZ Z [T at]';
    const times = fc.date({ min: new Date('1999-01-01'), max: new Date('2060-01-01'), noInvalidDate: true });
    const shifts = fc.tuple(
      fc.integer({ min: -40, max: 40 }),
      fc.constantFrom('ms', 's', 'm', 'h', 'd', 'w', 'M', 'Q', 'y'),
    );
    fc.assert(
      fc.property(times, shifts, fc.boolean(), (time, [count, unit], isLocal) => {
        const shifted = scripts.shiftTime(time, count, unit, isLocal);
        expect(shifted).toEqual(shiftTime(time, { count, unit }, isLocal));
        expect(scripts.formatTime(shifted, pattern, isLocal)).toBe(formatTime(shifted, pattern, isLocal));
      }),
      { numRuns: 500 },
    );
  });
});
