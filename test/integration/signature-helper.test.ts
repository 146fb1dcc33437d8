import { generateKeyPairSync, sign } from 'node:crypto';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test, vi } from 'vitest';
import { startNodeWorker } from '../../electron/platform/workers/worker-rpc';
import { digestHex } from '../../electron/platform/crypto/rsa-signatures';
import type { CheckedKey } from '../../electron/sandbox/admission/helper-thread';
import { SignatureChecks } from '../../electron/sandbox/admission/signature-checks';
import { startSignatureHelper } from '../../electron/sandbox/admission/signature-helper';
import { makePayout, signBody, testKeys, testPublicPem } from '../support/sandbox-client';
import { fetchToken } from '../support/token';

const helperFile = pathToFileURL(resolve('out/workers/signatures.js'));
const key: CheckedKey = { key: testKeys.publicKey, pem: testPublicPem };
const signed = (text: string) => sign('sha256', Buffer.from(text), testKeys.privateKey);
const strangeKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
/** Every third signature is of another text. */
const isGood = (n: number) => n % 3 !== 0;
const makeQuestion = (n: number) => ({
  text: `text ${n}`,
  signature: signed(isGood(n) ? `text ${n}` : 'other'),
});
const questions = Array.from({ length: 40 }, (_, n) => makeQuestion(n));

test('the built helper verifies a whole round, and ends when it is told to', async () => {
  const onEnd = vi.fn();
  const { ringBuffer, stop } = startSignatureHelper(helperFile, [testPublicPem], onEnd);
  const round = ringBuffer.publish(
    questions.map(({ text, signature }) => ({ digest: digestHex(text), signature })),
  )!;
  await vi.waitFor(() => expect(ringBuffer.isDone(round, questions.length)).toBe(true), 5000);
  expect(questions.map((_, n) => ringBuffer.take(round, n))).toEqual(questions.map((_, n) => isGood(n)));
  stop();
  await vi.waitFor(() => expect(onEnd).toHaveBeenCalledExactlyOnceWith(null), 5000);
});

test('a round that two threads share is answered rightly, also while keys come and go', async () => {
  let keys: readonly CheckedKey[] = [key];
  const checks = new SignatureChecks(() => keys, helperFile);
  for (let round = 0; round < 30; round += 1) {
    const answers = questions.map(({ text, signature }) => checks.verify(text, signature));
    const hasKey = round % 5 !== 4;
    keys = hasKey ? [key] : [];
    expect(await Promise.all(answers)).toEqual(questions.map((_, n) => hasKey && isGood(n)));
  }
  checks.close();
});

test('under load the answers are those of the second thread', async () => {
  // Told apart by a key that only the second thread has: it is given the PEM, this thread the key.
  const strange: CheckedKey = { key: strangeKey, pem: testPublicPem };
  const keys = [strange];
  const checks = new SignatureChecks(() => keys, helperFile);
  const good = questions.filter((_, n) => isGood(n));
  await vi.waitFor(async () => {
    const answers = await Promise.all(good.map(({ text, signature }) => checks.verify(text, signature)));
    expect(answers).toContain(true);
  }, 5000);
  checks.close();
});

test('a sandbox under load can be stopped at once, helper and all', async () => {
  const sandbox = startNodeWorker(pathToFileURL(resolve('out/workers/sandbox.js')), {});
  const credentials = { consumerKey: 'key', consumerSecret: 'secret' };
  const started = await sandbox.call('start', { port: 0, publicKeys: [testPublicPem], ...credentials });
  const { baseUrl } = started as { baseUrl: string };
  const token = await fetchToken({ baseUrl, consumerKey: 'key', consumerSecret: 'secret' }, 'payout');
  const send = async (): Promise<number> => {
    const body = JSON.stringify(makePayout());
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'x-custom-signature': signBody(body),
    };
    return (await fetch(`${baseUrl}/payments/v1/payouts`, { method: 'POST', headers, body })).status;
  };
  const statuses = await Promise.all(Array.from({ length: 60 }, send));
  expect(new Set(statuses)).toEqual(new Set([201]));
  const startedAt = performance.now();
  await sandbox.terminate();
  expect(performance.now() - startedAt).toBeLessThan(3000);
});
