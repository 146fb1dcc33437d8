import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isLater, MOST_FILE_BYTES, MOST_NOTICE_BYTES, releaseNotice } from './release-notice';

it('compares versions number by number', () => {
  const part = fc.nat({ max: 999_999 });
  fc.assert(
    fc.property(fc.tuple(part, part, part), fc.tuple(part, part, part), (one, other) => {
      const weigh = (parts: number[]): bigint =>
        parts.reduce((sum, next) => sum * 1_000_000n + BigInt(next), 0n);
      expect(isLater(one.join('.'), other.join('.'))).toBe(weigh(one) > weigh(other));
    }),
  );
  expect(isLater('0.10.0', '0.9.9')).toBe(true);
  expect(isLater('1.0.0', '1.0.0')).toBe(false);
});

it.each(['../latest', 'a/b', 'C:evil', '.hidden', 'a\\b', '', 'http://x.test/a', 'a b'])(
  'takes no file that is called %j',
  (name) => {
    const file = { name, system: 'linux', arch: 'x64', size: 1, sha512: '0'.repeat(128) };
    const notice = { app: 'countersign', version: '1.0.0', released: '2026-12-01', notes: '', files: [file] };
    expect(releaseNotice.safeParse(notice).success).toBe(false);
    expect(
      releaseNotice.safeParse({ ...notice, files: [{ ...file, name: 'countersign.deb' }] }).success,
    ).toBe(true);
  },
);

const FILE = { name: 'a.deb', system: 'linux', arch: 'x64', size: 1, sha512: '0'.repeat(128) };
const NOTICE = { app: 'countersign', version: '10.20.30', released: '2026-12-01', notes: '', files: [FILE] };

it.each<[string, object]>([
  ['a version with more', { version: '1.2.3-rc1' }],
  ['a version with something before', { version: 'v1.2.3' }],
  ['a day with more', { released: '2026-12-01T00:00' }],
  ['a day with something before', { released: 'x2026-12-01' }],
  ['another app', { app: 'other' }],
  ['endless notes', { notes: 'x'.repeat(20_001) }],
  ['an empty file', { files: [{ ...FILE, size: 0 }] }],
  ['a file without an end', { files: [{ ...FILE, size: MOST_FILE_BYTES + 1 }] }],
  ['a longer hash', { files: [{ ...FILE, sha512: '0'.repeat(129) }] }],
  ['a hash in upper case', { files: [{ ...FILE, sha512: 'A'.repeat(128) }] }],
  ['hundreds of files', { files: Array.from({ length: 51 }, () => FILE) }],
])('takes no notice with %s', (_what, change) => {
  expect(releaseNotice.safeParse(NOTICE).success).toBe(true);
  expect(releaseNotice.safeParse({ ...NOTICE, files: [{ ...FILE, size: MOST_FILE_BYTES }] }).success).toBe(
    true,
  );
  expect(releaseNotice.safeParse({ ...NOTICE, ...change }).success).toBe(false);
});

it('reads no notice beyond 64 KiB', () => {
  expect(MOST_NOTICE_BYTES).toBe(65_536);
});
