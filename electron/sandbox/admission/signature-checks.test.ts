import { generateKeyPairSync, sign } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { CheckedKey } from './helper-thread';
import { SignatureChecks } from './signature-checks';

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
const signed = (text: string, by = pair) => sign('sha256', Buffer.from(text), by.privateKey);
const checkedKey = ({ publicKey: key }: typeof pair): CheckedKey => ({
  key,
  pem: key.export({ type: 'spki', format: 'pem' }).toString(),
});

/** With a second thread that cannot be started: the integration tests have the built one. */
const open = (keys: () => readonly CheckedKey[]) =>
  new SignatureChecks(keys, pathToFileURL('/nowhere/signatures.js'));

test('each question gets its own answer, many at once too, without a second thread', async () => {
  const keys = [checkedKey(pair)];
  const checks = open(() => keys);
  for (let round = 0; round < 3; round += 1) {
    const answers = Array.from({ length: 30 }, (_, n) =>
      checks.verify(`text ${n}`, signed(`text ${n}`, n % 3 === 0 ? other : pair)),
    );
    expect(await Promise.all(answers)).toEqual(answers.map((_, n) => n % 3 !== 0));
  }
});

test('a key that replaces another counts for what is not answered yet', async () => {
  let keys = [checkedKey(other)];
  const checks = open(() => keys);
  const answer = checks.verify('text', signed('text'));
  keys = [checkedKey(pair)];
  expect(await answer).toBe(true);
});

test('without a key, and without a signature, nothing is valid', async () => {
  expect(await open(() => []).verify('text', signed('text'))).toBe(false);
  const keys = [checkedKey(pair)];
  const checks = open(() => keys);
  expect(await checks.verify('text', Buffer.alloc(0))).toBe(false);
  expect(await checks.verify('text', Buffer.alloc(5000))).toBe(false);
});
