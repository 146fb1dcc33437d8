import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { CheckedKey } from './helper-thread';
import { SignatureChecks } from './signature-checks';

/** A second thread that finds every signature valid, once it is told to. */
const helper = vi.hoisted(() => ({ isDone: false }));
vi.mock(import('./helper-thread'), () => {
  const ringBuffer = {
    publish: () => 0,
    isDone: () => helper.isDone,
    take: () => (helper.isDone ? true : null),
    end: () => undefined,
  };
  return { HelperThread: class { findRingBuffer = () => ringBuffer; stop = () => undefined } as never };
}); // prettier-ignore

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
const checkedKey = ({ publicKey: key }: typeof pair): CheckedKey => ({
  key,
  pem: key.export({ type: 'spki', format: 'pem' }).toString(),
});

test.each([
  ['counts for nothing once the key is replaced', true, [false, false, false, false]],
  ['counts while the key stays', false, [true, true, true, true]],
])('what the second thread found %s', async (_name, isReplaced, expected) => {
  helper.isDone = false;
  let keys = [checkedKey(pair)];
  const checks = new SignatureChecks(() => keys, new URL('file:///nowhere'));
  const answers = ['a', 'b', 'c', 'd'].map((text) =>
    checks.verify(text, sign('sha256', Buffer.from(text), pair.privateKey)),
  );
  await new Promise((done) => setImmediate(done));
  if (isReplaced) keys = [checkedKey(other)];
  helper.isDone = true;
  expect(await Promise.all(answers)).toEqual(expected);
});
