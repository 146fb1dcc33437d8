import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { createHiding } from '../../platform/mask-message';
import { quoteAnswer } from '@shared/quote-answer';
import { OwnEffects } from './own-effects';
import { createPayment, reportPayment } from './played-webhook';
import { Stage } from './stage';

// Its slashes are escaped in a pointer, and part it into words that are too short for a token.
const secret = 'whsec_abCD12efGH34/kLMn+op5Q/RsTU78vw';
const server = createServer((_request, response) =>
  response.writeHead(302, { location: `/configured/${secret.slice(6)}/hooks` }).end(),
).listen(0, '127.0.0.1');
afterAll(() => void server.close());

it('shows the secret neither in what changed in the state nor in where a redirect leads', async () => {
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`);
  const options = { url, secret, state: null, timeoutMs: 2000, retryWaitsMs: [] };
  const stage = new Stage(options, new OwnEffects());
  const key = secret.slice(6);
  const hex = Buffer.from(key, 'base64').toString('hex');
  const told = [
    stage.describeChange({}, { configured: secret }),
    stage.describeChange({ set: [1] }, { set: [1, `key ${key}`] }),
    stage.describeChange({}, { [`by ${key}`]: 1 }),
    stage.describeChange({}, { hex }),
    await stage.deliver(reportPayment(createPayment()), 'The webhook').then(String, String),
  ];
  expect(told[4]).toContain('a redirect to /configured/');
  for (const text of told) expect(text).not.toMatch(/GH34|op5Q|69b083d7679f187d/);
});

it('quotes no webhook secret, whosever it is', () => {
  const words = Buffer.from(`expected one by ${secret}`);
  expect(quoteAnswer(words, {}, createHiding([]))).toBe('“expected one by whse…78vw”');
});
