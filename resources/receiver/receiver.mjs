// A webhook receiver that does everything right, on Node alone: copy what you need into your own.
//
//   PORT=4040 WEBHOOK_SECRET=whsec_… DATA_FILE=payments.jsonl node receiver.mjs
//   countersign check-receiver http://127.0.0.1:4040/webhooks --state-url http://127.0.0.1:4040/state --secret whsec_…
//
// Without WEBHOOK_SECRET signatures are not asked for; without DATA_FILE it forgets everything when it ends.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';

const { PORT = '4040', WEBHOOK_SECRET = '', DATA_FILE = '' } = process.env;
const MOST_BYTES = 10 * 1024 * 1024;
const TOLERANCE_SECONDS = 300;
const finalStates = { SUCCESS: 'succeeded', FAILED: 'failed', CANCELED: 'canceled' };

/** Final payments by reference: what a reference has become stays, however often and in whatever order webhooks come. */
const payments = new Map();
if (DATA_FILE !== '' && existsSync(DATA_FILE)) {
  for (const line of readFileSync(DATA_FILE, 'utf8').split('\n').filter(Boolean)) {
    const payment = JSON.parse(line);
    payments.set(payment.reference, payment);
  }
}
const file = DATA_FILE === '' ? null : openSync(DATA_FILE, 'a');

/** Standard Webhooks 1.0: HMAC-SHA256 over `id.timestamp.body`; of several signatures one has to fit. */
function isSigned(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!id || !/^\d{1,12}$/.test(timestamp ?? '') || !signatures) return false;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const secret = Buffer.from(WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest();
  return signatures.split(' ').some((one) => {
    const given = Buffer.from(one.replace(/^v1,/, ''), 'base64');
    return one.startsWith('v1,') && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/**
 * Keeps a webhook's news on the disk before it is answered. Looking and writing are one step: nothing is awaited between
 * them, so two deliveries at the same moment cannot both find nothing. In a database, a unique key on the reference does that.
 */
function take(webhook) {
  const reference = webhook.client_reference;
  const state = finalStates[webhook.status];
  if (typeof reference !== 'string' || state === undefined || payments.has(reference)) return;
  // The payment UUID stays text: a number would lose its last digits above 2^53.
  const payment = {
    reference,
    state,
    payment_uuid: String(webhook.payment_uuid),
    amount: Number(webhook.amount),
  };
  if (file !== null) {
    writeSync(file, `${JSON.stringify(payment)}\n`);
    fsyncSync(file);
  }
  payments.set(reference, payment);
  // Here the order is released, the customer told, …: by something that goes by the payments kept above.
}

async function readBody(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** @returns the HTTP status of the answer: 2xx says 'kept, do not send it again' */
async function receive(request) {
  const body = await readBody(request);
  if (body === null) return 413;
  if (WEBHOOK_SECRET !== '' && !isSigned(request.headers, body)) return 401;
  let webhook;
  try {
    webhook = JSON.parse(body.toString('utf8'));
  } catch {
    return 400;
  }
  if (typeof webhook !== 'object' || webhook === null) return 400;
  take(webhook);
  return 204;
}

const server = createServer((request, response) => {
  if (request.method === 'GET' && request.url === '/state') {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify([...payments.values()]));
    return;
  }
  if (request.method !== 'POST') {
    response.writeHead(405, { allow: 'POST' }).end();
    return;
  }
  receive(request).then(
    (status) => response.writeHead(status).end(),
    // Nothing is lost: what was not kept is answered 500, and comes again. A client that left hears nothing.
    () => response.writeHead(500).end(),
  );
});

server.listen(Number(PORT), '127.0.0.1', () => {
  const url = `http://127.0.0.1:${server.address().port}/webhooks`;
  process.stdout.write(`${JSON.stringify({ event: 'ready', url })}\n`);
});
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    server.close();
    server.closeAllConnections();
    if (file !== null) closeSync(file);
  });
}
