import { gzipSync } from 'node:zlib';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the service does with a payment; left out: it takes it, and says so by webhook. */
export interface PaymentAnswer {
  httpStatus?: number;
  body?: object;
  /** Taken, and the connection closed without an answer. */
  isDropped?: boolean;
  /** Null: no webhook. */
  webhookAfterMs?: number | null;
  webhook?: object;
}

/** A payments service that counts what reaches it: an account of its own beside what the tested program says. */
export interface CountingService {
  readonly url: string;
  /** References of payments in the order in which they came, those that came twice twice. */
  readonly references: string[];
  /** Of status queries, by reference. */
  readonly queries: { reference: string; at: number }[];
  readonly requests: { method: string; path: string; body: string; headers: IncomingMessage['headers'] }[];
  /** What a status query says of a payment that it knows. */
  state: string;
  /** Decides about a payment that comes. */
  answer: (reference: string, times: number) => PaymentAnswer;
  close(): Promise<void>;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function answerJson(response: ServerResponse, httpStatus: number, body: object): void {
  response.writeHead(httpStatus, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

interface Payment {
  transaction: { reference: string; amount: number };
  callback_url?: string;
}

/** Starts it on a port of its own. */
export async function startCountingService(): Promise<CountingService> {
  const known = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  const service: CountingService = {
    url: '',
    references: [],
    queries: [],
    requests: [],
    state: 'succeeded',
    answer: () => ({}),
    close: () => {
      for (const timer of timers) clearTimeout(timer);
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  const sendWebhook = (payment: Payment, { webhook, webhookAfterMs = 20 }: PaymentAnswer): void => {
    const { callback_url: url, transaction } = payment;
    if (webhookAfterMs === null || url === undefined) return;
    const body = {
      status: 'SUCCESS',
      client_reference: transaction.reference,
      amount: transaction.amount,
      ...webhook,
    };
    const timer = setTimeout(() => {
      timers.delete(timer);
      void fetch(url, { method: 'POST', body: JSON.stringify(body) }).catch(() => undefined);
    }, webhookAfterMs);
    timers.add(timer);
  };
  const pay = (payment: Payment, response: ServerResponse): void => {
    const { reference } = payment.transaction;
    service.references.push(reference);
    const wanted = service.answer(reference, service.references.filter((one) => one === reference).length);
    const isTaken = (wanted.httpStatus ?? 201) < 300;
    if (isTaken) {
      known.add(reference);
      sendWebhook(payment, wanted);
    }
    if (wanted.isDropped) response.destroy();
    else {
      const data = { payment_uuid: String(service.references.length), transaction_reference: reference };
      answerJson(
        response,
        wanted.httpStatus ?? 201,
        wanted.body ?? { status: '200.100', code: 'ACCEPTED', description: 'ok', data },
      );
    }
  };
  const tellStatus = (reference: string, response: ServerResponse): void => {
    service.queries.push({ reference, at: performance.now() });
    if (!known.has(reference)) {
      answerJson(response, 404, {
        status: 'NOT_FOUND',
        code: '404.001.000',
        description: 'unknown',
        data: {},
      });
      return;
    }
    const data = { transaction_reference: reference, state: service.state };
    answerJson(response, 200, { status: '200.100', code: 'ACCEPTED', description: 'ok', data });
  };
  const server: Server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const path = request.url ?? '';
      service.requests.push({ method: request.method ?? '', path, body, headers: request.headers });
      if (path.startsWith('/payments/')) pay(JSON.parse(body) as Payment, response);
      else if (path === '/tsq/v1/query/payments') {
        tellStatus((JSON.parse(body) as { transaction_reference: string }).transaction_reference, response);
      } else {
        const { headers } = request;
        answerJson(response, path === '/missing' ? 404 : 200, { path, echo: headers, ...wrapEcho(headers) });
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(service, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

/** As logs are sent on: packed, or in an envelope in an envelope. */
export function wrapEcho({ authorization }: { authorization?: string | undefined }): Record<string, string> {
  if (authorization === undefined) return {};
  const wrapped = Buffer.from(authorization).toString('base64');
  return {
    wrapped: Buffer.from(JSON.stringify({ data: wrapped })).toString('base64'),
    packed: gzipSync(JSON.stringify({ authorization })).toString('base64'),
  };
}

/** Writes a request file's block that pays. */
export function payoutBlock(name: string, lines: readonly string[], reference = '{{$uuid}}'): string {
  const head = ['POST {{base_url}}/payments/v1/payouts', 'Authorization: Bearer {{token.payout}}', ''];
  const body = `{"transaction":{"reference":"${reference}","amount":1500.00,"currency":"KES","service_code":"X"},"originator":{"country":"KE"},"callback_url":"{{callback_url}}"}`;
  return [`### ${name}`, ...lines.map((line) => `# @${line}`), ...head, body, '', ''].join('\n');
}
