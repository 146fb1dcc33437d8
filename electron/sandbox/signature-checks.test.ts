import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSignatureChecks } from './signature-checks';
import { verifyWith } from './testing/verify-with';

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
const signed = (text: string, by = pair) => sign('sha256', Buffer.from(text), by.privateKey);

test('each question gets its own answer, many at once too', async () => {
  const checks = createSignatureChecks(() => [pair.publicKey]);
  const answers = Array.from({ length: 30 }, (_, n) =>
    verifyWith(checks, `text ${n}`, signed(`text ${n}`, n % 3 === 0 ? other : pair)),
  );
  expect(await Promise.all(answers)).toEqual(answers.map((_, n) => n % 3 !== 0));
});

test('a key that replaces another counts for what is not answered yet', async () => {
  let keys = [other.publicKey];
  const checks = createSignatureChecks(() => keys);
  const answer = verifyWith(checks, 'text', signed('text'));
  keys = [pair.publicKey];
  expect(await answer).toBe(true);
});

test('without a key, and without a signature, nothing is valid', async () => {
  expect(
    await verifyWith(
      createSignatureChecks(() => []),
      'text',
      signed('text'),
    ),
  ).toBe(false);
  const checks = createSignatureChecks(() => [pair.publicKey]);
  expect(await verifyWith(checks, 'text', Buffer.alloc(0))).toBe(false);
  expect(await verifyWith(checks, 'text', Buffer.alloc(5000))).toBe(false);
});
