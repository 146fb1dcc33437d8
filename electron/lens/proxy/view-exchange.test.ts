import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { signText } from '../../platform/crypto/rsa-signatures';
import { readPublicKey } from '../../sandbox/admission/read-public-key';
import { judgeExchange } from './judge-exchange';
import { askDoctor } from './prepare-exchange';
import { describeExchange, type StoredExchange } from './stored-exchange';
import { detailExchange } from './view-exchange';

const body =
  '{"transaction":{"reference":"R-1","amount":10,"service_code":"X"},"originator":{"country":"KE","name":"A"}}';

it('gives of several keys the one that the signature was made with, for whoever asks again, be it right or not', async () => {
  const [first, second] = [1, 2].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }));
  const keys = [first!, second!].map(({ publicKey }) =>
    readPublicKey(publicKey.export({ type: 'spki', format: 'pem' }).toString()),
  );
  const sent = signText('R-1|10|KE|X', second!.privateKey);
  const signature = await askDoctor({ body, sent, token: null }, keys);
  const detail = { signature, fieldProblems: [], requestHeaders: [], answerHeaders: [] };
  const bytes = { requestBody: Buffer.alloc(0), answerBody: Buffer.alloc(0) };
  const stored = { ...bytes, at: 0, httpStatus: null, detail } as unknown as StoredExchange;
  expect(detailExchange(stored)).toMatchObject({
    diagnosis: { verdict: 'explained' },
    publicKeyPem: keys[1]!.pem,
  });
  const request = {
    headers: ['X-Custom-Signature', signText('R-110KEX', second!.privateKey)],
    body: Buffer.from(body),
    bodyBytes: body.length,
  };
  const facts = { at: 0, durationMs: 1, method: 'POST', target: '/payments/v1/payouts', request };
  const right = judgeExchange({ ...facts, answer: null, ownStatus: null, fault: null }, keys);
  expect(right.signature).toMatchObject({ valid: true, publicKeyPem: keys[1]!.pem });
  expect(JSON.stringify(describeExchange(stored))).not.toContain('PUBLIC KEY');
});
