import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { explainSignature } from './explain-signature';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const key = Buffer.from(secret.slice(6), 'base64');
const body = Buffer.from('{"client_reference":"R-1","amount":10.0}');
const receivedAt = 1_614_265_330_000;
const seconds = String(receivedAt / 1000);

const sign = (message: string): string => `v1,${createHmac('sha256', key).update(message).digest('base64')}`;

function explain(signature: string | null, change: Partial<Parameters<typeof explainSignature>[0]> = {}) {
  const lines = [
    'POST /hooks HTTP/1.1',
    'Webhook-Id: msg_1',
    `Webhook-Timestamp: ${seconds}`,
    ...(signature === null ? [] : [`WEBHOOK-SIGNATURE: ${signature}`]),
  ];
  const head = Buffer.from(lines.join('\r\n'));
  return explainSignature({ head, body, isCut: false, receivedAt, keys: [secret], ...change });
}

it('says what the sender of a stored webhook did otherwise, by its bytes as received', () => {
  const { verdict, reason, keyIndex, causes } = explain(sign(`${seconds}.${body.toString()}`));
  expect([verdict, keyIndex, causes.map(({ part }) => part)]).toEqual(['invalid', 0, ['content']]);
  expect(reason).toContain('without webhook-id');
});

it('judges as of the moment when it came', () => {
  const right = sign(`msg_1.${seconds}.${body.toString()}`);
  expect(explain(right)).toEqual({ verdict: 'valid', reason: null, keyIndex: 0, causes: [] });
  expect(explain(right, { receivedAt: receivedAt + 400_000 })).toMatchObject({
    verdict: 'invalid',
    keyIndex: 0,
  });
});

it('says how much was tried where nothing gives the signature', () => {
  const { reason, causes } = explain(`v1,${Buffer.alloc(32, 1).toString('base64')}`);
  expect(causes).toEqual([]);
  expect(reason).toMatch(
    /^No signature fits.* [\d,]+ ways to sign it otherwise were tried, and none of them/,
  );
});

it('judges nothing of which only the beginning is kept, and nothing without a signature or a secret', () => {
  const cut = explain(sign('all of it'), { isCut: true });
  expect(cut).toMatchObject({ verdict: 'unchecked', reason: expect.stringContaining('Only the beginning') });
  expect(explain(null, { isCut: true })).toMatchObject({ verdict: 'unsigned' });
  expect(explain(sign('x'), { keys: [] })).toMatchObject({ verdict: 'unchecked' });
});
