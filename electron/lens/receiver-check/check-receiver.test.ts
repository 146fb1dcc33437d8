import { createHmac } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { createServer as createRawServer, type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import {
  effectScenarios,
  receiverScenarioNames,
  type ReceiverScenario,
  type ScenarioResult,
} from '@shared/receiver-check/receiver-scenarios';
import { writeReceiverHtml, writeReceiverJunit } from '@shared/receiver-check/write-reports';
import { createHttpClient } from '../../platform/http/http-client';
import { createWebhookSecret } from '../../platform/crypto/standard-webhooks';
import { checkReceiver } from './check-receiver';
import { ReceiverState } from './receiver-state';

const secret = createWebhookSecret();
const finalStates = ['SUCCESS', 'FAILED', 'CANCELED'];

type Webhook = Record<string, unknown>;
/** One step of a receiver that does it wrong; what is left out is done right. */
interface Fault {
  /** Payments that others report meanwhile: one beside each of the first so many webhooks. */
  others?: number;
  readBody?(request: IncomingMessage): Promise<string>;
  isSigned?(headers: IncomingHttpHeaders, body: string): boolean;
  /** HTTP status of a refusal; null: taken. */
  refuse?(webhook: Webhook, text: string): number | null;
  take?(payments: Map<string, unknown>, webhook: Webhook, headers: IncomingHttpHeaders): void | Promise<void>;
  redirect?: string;
  answerAfterMs?: number;
  /** So many attempts are answered 500, after they were taken. */
  failFirst?: number;
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Which of the signatures fits; -1: none, or its time is not now. */
function findSignature(headers: IncomingHttpHeaders, body: string, tolerance = 300, length = 100): number {
  const timestamp = Number(headers['webhook-timestamp']);
  if (Math.abs(Date.now() / 1000 - timestamp) > tolerance) return -1;
  const message = `${String(headers['webhook-id'])}.${timestamp}.${body}`;
  const expected = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(message)
    .digest('base64');
  const given = String(headers['webhook-signature']).split(' ');
  return given.findIndex((one) => one.slice(0, length) === `v1,${expected}`.slice(0, length));
}

function takeRight(
  payments: Map<string, unknown>,
  webhook: Webhook,
  key: unknown = webhook['client_reference'],
): void {
  if (finalStates.includes(String(webhook['status'])) && !payments.has(String(key)))
    payments.set(String(key), webhook);
}

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function startServer(answer: RequestListener): Promise<URL> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  servers.push(server);
  await new Promise((resolve) => server.once('listening', resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`);
}

async function startReceiver(fault: Fault): Promise<URL> {
  const { readBody = readAll, isSigned = (headers, body) => findSignature(headers, body) >= 0 } = fault;
  const { refuse = () => null, take = (known, webhook) => takeRight(known, webhook) } = fault;
  const payments = new Map<string, unknown>();
  const attempts = new Map<unknown, number>();
  let { others = 0 } = fault;
  const receive = async (request: IncomingMessage): Promise<number> => {
    const text = await readBody(request);
    if (!isSigned(request.headers, text)) return 401;
    const webhook = JSON.parse(text) as Webhook;
    const refused = refuse(webhook, text);
    if (refused !== null) return refused;
    await take(payments, webhook, request.headers);
    if (others-- > 0) setTimeout(() => payments.set(`ours-${payments.size}`, { status: 'SUCCESS' }), 30);
    await wait(fault.answerAfterMs ?? 0);
    const attempt = (attempts.get(webhook['client_reference']) ?? 0) + 1;
    attempts.set(webhook['client_reference'], attempt);
    return attempt <= (fault.failFirst ?? 0) ? 500 : 204;
  };
  return startServer((request, response) => {
    if (request.method === 'GET') return void response.end(JSON.stringify([...payments.entries()]));
    if (fault.redirect !== undefined) return void response.writeHead(308, { location: fault.redirect }).end();
    receive(request).then(
      (status) => response.writeHead(status).end(),
      () => response.writeHead(500).end(),
    );
  });
}

/** Names of the scenarios that fail. */
async function findFailures(
  url: URL,
  scenarios: readonly ReceiverScenario[] = receiverScenarioNames,
  timeoutMs = 20_000,
): Promise<Record<string, string>> {
  const state = new ReceiverState(url.href, createHttpClient(), timeoutMs, { quietMs: 60, longestMs: 600 });
  const failures: Record<string, string> = {};
  const options = { url, secret, state, timeoutMs, retryWaitsMs: [0, 20, 20] };
  for await (const result of checkReceiver(scenarios, options)) {
    if (result.verdict === 'fail') failures[result.scenario] = result.reason;
  }
  return failures;
}

const refuseUnless =
  (isFine: (webhook: Webhook, text: string) => boolean) => (webhook: Webhook, text: string) =>
    isFine(webhook, text) ? null : 400;

const broken: Record<string, [Fault, readonly ReceiverScenario[]]> = {
  'does nothing wrong': [{}, []],
  'counts every webhook': [
    {
      take: (payments, webhook) =>
        void (finalStates.includes(String(webhook['status'])) && payments.set(`${payments.size}`, webhook)),
    },
    ['duplicate', 'duplicate-at-once', 'late', 'amount-form', 'retries'],
  ],
  'looks first and notes later': [
    {
      async take(payments, webhook) {
        if (!finalStates.includes(String(webhook['status']))) return;
        if (payments.has(String(webhook['client_reference']))) return;
        await wait(5);
        const key = String(webhook['client_reference']);
        payments.set(payments.has(key) ? `${key} again` : key, webhook);
      },
    },
    ['duplicate-at-once'],
  ],
  'goes by webhook-id alone': [
    { take: (payments, webhook, headers) => takeRight(payments, webhook, headers['webhook-id']) },
    ['late'],
  ],
  'believes the latest status': [
    { take: (payments, webhook) => void payments.set(String(webhook['client_reference']), webhook['status']) },
    ['out-of-order'],
  ],
  'takes final statuses alone': [
    { refuse: refuseUnless(({ status }) => finalStates.includes(String(status))) },
    ['out-of-order', 'unknown-status'],
  ],
  'takes its own references alone': [
    { refuse: refuseUnless((webhook) => !String(webhook['client_reference']).startsWith('unknown-')) },
    ['unknown-reference'],
  ],
  'takes seven members alone': [
    { refuse: refuseUnless((webhook) => Object.keys(webhook).length <= 7) },
    ['extra-fields'],
  ],
  'reads text in place of bytes': [
    {
      readBody: async (request) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        return Buffer.concat(chunks).toString('latin1');
      },
    },
    ['extra-fields'],
  ],
  'writes the JSON anew before it looks at the signature': [
    { isSigned: (headers, body) => findSignature(headers, JSON.stringify(JSON.parse(body))) >= 0 },
    ['extra-fields', 'amount-form'],
  ],
  'needs metadata': [{ refuse: refuseUnless((webhook) => 'metadata' in webhook) }, ['missing-meta']],
  'keeps payment_uuid as a number': [
    { take: (payments, webhook) => takeRight(payments, webhook, Number(webhook['payment_uuid'])) },
    ['large-payment-uuid'],
  ],
  'keeps payment_uuid as a number beside the reference': [
    {
      take: (payments, webhook) => {
        takeRight(payments, webhook, Number(webhook['payment_uuid']));
        takeRight(payments, webhook);
      },
    },
    ['large-payment-uuid'],
  ],
  'wants an integer literal': [
    { refuse: refuseUnless((_webhook, text) => /"amount":\d+,/.test(text)) },
    ['amount-form'],
  ],
  'notes the amount as it is written': [
    {
      take: (payments, webhook, headers) =>
        takeRight(payments, webhook, `${String(webhook['client_reference'])} ${String(headers['x-amount'])}`),
      readBody: async (request) => {
        const text = await readAll(request);
        request.headers['x-amount'] = /"amount":([^,]*)/.exec(text)?.[1] ?? '';
        return text;
      },
    },
    ['amount-form'],
  ],
  'takes 100 kB at most': [{ refuse: (_webhook, text) => (text.length > 100_000 ? 413 : null) }, ['large-meta']],
  'reads one piece': [
    { readBody: async (request) => String((await request[Symbol.asyncIterator]().next()).value), isSigned: () => true },
    ['large-meta', 'slow-sender', 'wrong-signature', 'old-signature'],
  ],
  'trims the body before it verifies': [
    { isSigned: (headers, body) => findSignature(headers, body.trim()) >= 0 },
    ['extra-fields'],
  ],
  'verifies nothing': [{ isSigned: () => true }, ['wrong-signature', 'old-signature']],
  'takes old signatures': [{ isSigned: (headers, body) => findSignature(headers, body, 1e6) >= 0 }, ['old-signature']],
  'looks at the first signature': [
    { isSigned: (headers, body) => findSignature(headers, body) === 0 },
    ['rotated-signature'],
  ],
  'looks at the last signature': [
    {
      isSigned: (headers, body) =>
        findSignature(headers, body) === String(headers['webhook-signature']).split(' ').length - 1,
    },
    ['rotated-signature'],
  ],
  'verifies where there is a signature': [
    { isSigned: (headers, body) => !headers['webhook-signature'] || findSignature(headers, body) >= 0 },
    ['wrong-signature'],
  ],
  'compares as many bytes as there are': [
    {
      isSigned: (headers, body) => headers['webhook-signature'] === 'v1,' || findSignature(headers, body) >= 0,
    },
    ['wrong-signature'],
  ],
  'refuses whatever comes': [{ isSigned: () => false }, receiverScenarioNames],
  'is not there': [{ refuse: () => 404, isSigned: () => true }, receiverScenarioNames],
  'counts what it then answers 500': [
    { failFirst: 1, take: (payments, webhook) => void payments.set(`${payments.size}`, webhook) },
    receiverScenarioNames.filter((name) => !['wrong-signature', 'old-signature'].includes(name)),
  ],
}; // prettier-ignore

it('fails each broken receiver exactly where it is broken', async () => {
  const failures = Object.entries(broken).map(async ([name, [fault]]) => [
    name,
    Object.keys(await findFailures(await startReceiver(fault))),
  ]);
  const expected = Object.entries(broken).map(([name, [, scenarios]]) => [name, scenarios]);
  expect(Object.fromEntries(await Promise.all(failures))).toEqual(Object.fromEntries(expected));
});

it('finds who compares the beginning of a signature alone', async () => {
  const hasty = await startReceiver({
    isSigned: (headers, body) => findSignature(headers, body, 300, 40) >= 0,
  });
  expect(await findFailures(hasty, ['wrong-signature'])).toEqual({
    'wrong-signature': expect.stringContaining(
      'A webhook whose signature is right but for its last byte was answered 204: compare all bytes',
    ) as string,
  });
});

describe('the check', () => {
  it('says of a refused webhook that is signed right that it is, and of one that is refused for something else at most that no mistake in it was taken', async () => {
    const reserialising = await startReceiver({
      isSigned: (headers, body) => findSignature(headers, JSON.stringify(JSON.parse(body))) >= 0,
    });
    expect((await findFailures(reserialising, ['extra-fields']))['extra-fields']).toContain(
      'answered 401: the service takes that for a failure and sends it again. Its signature is right by the secret that was given. The handler takes the same webhook signed over the body written anew, minified, numbers rewritten: compute the signature over the bytes as they came,',
    );
    const first = await startReceiver({ isSigned: (headers, body) => findSignature(headers, body) === 0 });
    expect((await findFailures(first, ['rotated-signature']))['rotated-signature']).toContain(
      'the second of them is right: try each.',
    );
    const nobody = await startReceiver({ isSigned: () => false });
    const refused = await findFailures(nobody, ['wrong-signature', 'old-signature', 'rotated-signature']);
    expect(refused['wrong-signature']).toMatch(
      /^It cannot be told whether it refuses what is forged: a webhook that is signed right was answered 401.*none was taken/,
    );
    expect(refused['old-signature']).toContain('whether it refuses what is old');
    expect(refused['rotated-signature']).not.toContain('try each');
    const small = await startReceiver({ refuse: () => 413 });
    expect((await findFailures(small, ['large-meta']))['large-meta']).toContain(
      'raise the limit of the handler',
    );
    for (const status of [422, 500]) {
      const picky = await startReceiver({ refuse: () => status });
      expect((await findFailures(picky, ['success']))['success']).toMatch(
        /sends it again\. It was sent again with \d+ usual mistakes in its signature, and none was taken: look/,
      );
    }
  });

  it('tells of a body that is refused for something else that others were taken', async () => {
    const strict = await startReceiver({ refuse: (webhook) => ('settlement' in webhook ? 400 : null) });
    expect((await findFailures(strict, ['success', 'extra-fields']))['extra-fields']).toMatch(
      /and others that are signed right were taken: .* none was taken: look in the log of the handler/,
    );
  });

  it('tells what a handler does that throws where a signature does not fit', async () => {
    const thrower = await startReceiver({
      isSigned: (headers, body) => {
        if (findSignature(headers, JSON.stringify(JSON.parse(body), null, 2)) === 0) return true;
        throw new Error('the signature does not fit');
      },
    });
    const told = await findFailures(thrower, ['success', 'rotated-signature']);
    expect(told['success']).toMatch(
      /answered 500: .* The handler takes the same webhook signed over the body/,
    );
    const whole = await startReceiver({
      isSigned: (headers, body) => {
        if (findSignature(headers, body) === 0 && !String(headers['webhook-signature']).includes(' '))
          return true;
        throw new Error('not of the same length');
      },
    });
    expect((await findFailures(whole, ['rotated-signature']))['rotated-signature']).toContain(
      'answered 500: the service takes that for a failure and sends it again. Two signatures stand in its webhook-signature',
    );
    const failing = await startReceiver({
      isSigned: () => {
        throw new Error('whatever comes');
      },
    });
    const failed = await findFailures(failing, ['wrong-signature', 'rotated-signature']);
    expect(failed['wrong-signature']).toContain('was answered 500, and so may be one that is signed right');
    expect(failed['rotated-signature']).not.toContain('Two signatures');
  });

  it('ends a delivery of which the receiver reads nothing, and answers nothing', async () => {
    const readBody = (): Promise<string> => new Promise(() => undefined);
    const failures = await findFailures(
      await startReceiver({ readBody }),
      ['large-meta', 'slow-sender'],
      200,
    );
    expect(Object.values(failures).map((reason) => reason.includes('did not answer'))).toEqual([true, true]);
  });

  it('passes a receiver that first answers 500 and then does not count again', async () => {
    expect(await findFailures(await startReceiver({ failFirst: 2 }), ['retries'])).toEqual({});
  });

  it('says of each scenario about effects that only answers were judged where there is no state', async () => {
    const url = await startReceiver(broken['counts every webhook']![0]);
    const options = { url, secret, state: null, timeoutMs: 5000, retryWaitsMs: [0] };
    const played: ScenarioResult[] = [];
    const scenarios = ['success', 'duplicate', 'amount-form', 'retries', 'old-signature'] as const;
    for await (const one of checkReceiver(scenarios, options)) played.push(one);
    const alone = played.filter(({ isAnswerOnly }) => isAnswerOnly);
    expect(alone.map(({ scenario }) => scenario)).toEqual(scenarios.slice(1));
    for (const { reason } of alone) expect(reason).toMatch(/^Only the answers were judged.*state address/);
    const left =
      '4 by their answers alone; a state address (--state-url) that shows what they did lets it judge that, too';
    expect(writeReceiverHtml('here', played)).toContain(`5 scenarios played, none failed; ${left}.`);
    expect(writeReceiverHtml('here', played).match(/pass \(answers alone\)/g)).toHaveLength(4);
    expect(writeReceiverJunit('here', played).match(/<system-out>Only the answers/g)).toHaveLength(4);
  });

  it('says so, too, where the state shows nothing of a webhook: a handler that does nothing has no second effect', async () => {
    const url = await startReceiver({ take: () => undefined });
    const state = new ReceiverState(url.href, createHttpClient(), 5000, { quietMs: 60, longestMs: 600 });
    const options = { url, secret, state, timeoutMs: 5000, retryWaitsMs: [0] };
    const scenarios = ['success', ...effectScenarios] as const;
    const played: ScenarioResult[] = [];
    for await (const one of checkReceiver(scenarios, options)) played.push(one);
    const blind = played.filter(({ isAnswerOnly }) => isAnswerOnly);
    expect(blind.map(({ scenario }) => scenario)).toEqual([...effectScenarios]);
    for (const { reason } of blind) expect(reason).toContain('cannot show the effect of another');
  });

  it('waits longer for the effects of a handler that answers first and works afterwards', async () => {
    const scenarios = ['success', 'failed', 'duplicate', 'late', 'wrong-signature'] as const;
    const take: Fault['take'] = (payments, webhook) =>
      void setTimeout(() => takeRight(payments, webhook), 200);
    expect(await findFailures(await startReceiver({ take }), scenarios)).toEqual({});
    const doubled: Fault['take'] = (payments, webhook) =>
      void setTimeout(() => payments.set(`${payments.size}`, webhook), 200);
    expect(Object.keys(await findFailures(await startReceiver({ take: doubled }), scenarios))).toEqual([
      'duplicate',
      'late',
    ]);
  });

  it('says of a handler that does not wait for a slow body that it has to, and of one that fails now and then nothing of it', async () => {
    const { readBody } = broken['reads one piece']![0];
    const hasty = await startReceiver({ readBody: readBody! });
    const slow = await findFailures(hasty, ['slow-sender', 'large-meta']);
    expect(slow['slow-sender']).toMatch(
      /^The slow webhook was answered 401, and one that came at once was taken: read the whole body/,
    );
    const failing = await startReceiver({ failFirst: 1 });
    expect((await findFailures(failing, ['slow-sender']))['slow-sender']).not.toContain('the whole body');
  });

  it('says of 404 that it may be of a payment that is not known', async () => {
    const picky = await startReceiver({ refuse: () => 404 });
    expect((await findFailures(picky, ['success']))['success']).toContain(
      'or the handler knows no such payment: it has to answer 2xx to one that it does not know, too.',
    );
  });

  it('names the members of the state that a second delivery changed', async () => {
    const url = await startReceiver(broken['counts every webhook']![0]);
    const failures = await findFailures(url, ['duplicate', 'retries']);
    for (const reason of Object.values(failures))
      expect(reason).toMatch(/in the state \/(\d) was added: \["\1",\{/);
  });

  it('judges a handler on which others work by a round of its own, and says so where there is none', async () => {
    const scenarios = ['duplicate', 'out-of-order', 'late', 'retries'] as const;
    expect(await findFailures(await startReceiver({ others: 3 }), scenarios)).toEqual({});
    const { duplicate } = await findFailures(await startReceiver({ others: 100 }), ['duplicate']);
    expect(duplicate).toMatch(/took effect a second time.*Meanwhile something of another payment came/);
    const [doubled] = broken['counts every webhook']!;
    const counted = await findFailures(await startReceiver({ ...doubled, others: 2 }), ['duplicate']);
    expect(counted['duplicate']).toMatch(/took effect a second time/);
    expect(counted['duplicate']).not.toContain('another payment');
  });

  it('names where a redirect leads, and does not go there', async () => {
    const failures = await findFailures(await startReceiver({ redirect: '/hooks/' }), ['redirect']);
    expect(failures['redirect']).toContain('308, a redirect to /hooks/');
  });

  it('takes an answer that comes too late for none', async () => {
    const failures = await findFailures(await startReceiver({ answerAfterMs: 2000 }), ['success'], 200);
    expect(failures['success']).toContain('did not answer within 0.2 s');
  });

  it('says that nobody is there before it judges anything', async () => {
    const url = await startReceiver({});
    await new Promise((resolve) => servers.pop()!.close(resolve));
    await expect(findFailures(url, ['success'])).rejects.toMatchObject({
      code: 'sending.unreachable',
      message: expect.not.stringMatching(/environment/i) as string,
    });
  });

  it.each([
    ['no JSON', '<html>', 'no JSON'],
    ['lists in lists', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'nested deeper'],
  ])('refuses a state address that answers %s', async (_what, state, reason) => {
    const url = await startServer((_request, response) => void response.end(state));
    const refused = { code: 'receiver.bad_state', message: expect.stringContaining(reason) as string };
    await expect(findFailures(url, ['duplicate'])).rejects.toMatchObject(refused);
  });

  it('asks again for a state whose server closed a waiting connection, and says so of one that never rests', async () => {
    let count = 0;
    const url = await startServer((request, response) => {
      if (request.method === 'POST') return void response.writeHead(204).end();
      response.end(String(++count), () => request.socket.destroy());
    });
    const { duplicate } = await findFailures(url, ['duplicate']);
    expect(duplicate).toContain('kept changing for five seconds');
  });

  it('fails the scenarios that need a state which cannot be read any more once a webhook came, and plays the others', async () => {
    let hasCome = false;
    const url = await startServer((request, response) => {
      hasCome ||= request.method === 'POST';
      response.writeHead(request.method === 'GET' && hasCome ? 500 : 200).end('1');
    });
    const failures = await findFailures(url, ['success', 'duplicate', 'redirect']);
    expect(failures).toEqual({ duplicate: expect.stringContaining('answered HTTP 500') as string });
  });

  it('takes an answer that begins and does not end for none, as the service does', async () => {
    const url = await startServer((request, response) => {
      if (request.method === 'GET') return void response.end('1');
      response.writeHead(200).write('never ');
    });
    expect((await findFailures(url, ['success'], 1500))['success']).toContain('did not end within 1.5 s');
  });

  it('says nothing of TLS where a handler that has answered drops the connection', async () => {
    const url = await startServer((request, response) => {
      request.on('data', (chunk) => void (String(chunk).includes('FAILED') && request.socket.destroy()));
      request.on('end', () => response.end('1'));
      request.resume();
    });
    const { failed } = await findFailures(url, ['success', 'failed']);
    expect(failed).toMatch(/dropped the connection without an answer\.$/);
  });

  it('says of an answer that is no HTTP that it is none, and nothing of services', async () => {
    const server = createRawServer((socket) => void socket.once('data', () => socket.end('SSH-2.0\r\n\r\n')));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const played = checkReceiver(['success'], {
      url,
      secret: null,
      state: null,
      timeoutMs: 500,
      retryWaitsMs: [],
    });
    expect((await played.next()).value).toMatchObject({
      verdict: 'fail',
      reason:
        'The webhook got no answer: what it answered cannot be read as HTTP/1.1 (should that port speak TLS, its address begins with https://).',
    });
    server.close();
  });
});
