import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { hashSha256, openSha256, SCRATCH_BYTES } from './sha256';

it('gives what node:crypto gives, at every length around the blocks', () => {
  const sha256 = openSha256();
  for (const size of [...Array.from({ length: 200 }, (_, index) => index), 1000, 4096, SCRATCH_BYTES]) {
    const bytes = Uint8Array.from({ length: size }, (_, index) => (index * 37 + size) & 0xff);
    const expected = createHash('sha256').update(bytes).digest();
    sha256.input.set(bytes);
    expect(sha256.hash(size)).toBe(expected.readInt32BE(0));
    expect(Buffer.from(sha256.digest()).equals(expected)).toBe(true);
  }
});

it('leaves long inputs to the function given', () => {
  expect(hashSha256(new Uint8Array(5000), () => Uint8Array.of(1))).toEqual(Uint8Array.of(1));
});
