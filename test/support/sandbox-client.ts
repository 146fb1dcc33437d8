import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { readStringToSign } from '@shared/signing/string-to-sign';
import { collection, MISSING, payout, remittance, type Body } from './bodies';
import type { Product } from '@shared/payments/tables/products';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../electron/sandbox/create-sandbox';

/** An answer with its body read as JSON. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into answers of any shape
  readonly body: any;
}

export const testKeys = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const testPublicPem = testKeys.publicKey.export({ type: 'spki', format: 'pem' }).toString();

/** The callback address of these bodies: nobody listens there. */
const NOWHERE = 'http://127.0.0.1:9/webhooks';

interface MadeBody {
  transaction: { reference: string; amount: number } & Record<string, unknown>;
  [name: string]: unknown;
}

/** Lays parts over a valid body, one level deep. */
function extend(body: Body, parts: Readonly<Record<string, object>>, top: object): MadeBody {
  for (const [name, part] of Object.entries(parts)) body[name] = { ...(body[name] as object), ...part };
  return { ...(body as MadeBody), callback_url: NOWHERE, ...top };
}

/** A payout that passes every check. */
export function makePayout(transaction: object = {}, recipient: object = {}, top: object = {}): MadeBody {
  return extend(payout({ meta: MISSING }), { transaction, recipient }, top);
}

/** A remittance that passes every check. */
export function makeRemittance(transaction: object = {}, recipient: object = {}, top: object = {}): MadeBody {
  return extend(remittance({ meta: MISSING }), { transaction, recipient }, top);
}

/** A collection that passes every check. */
export function makeCollection(transaction: object = {}, top: object = {}): MadeBody {
  const shown = { description: 'A <b>book</b>', ...transaction };
  return extend(
    collection({ meta: MISSING }),
    { transaction: shown },
    { redirect_url: 'http://127.0.0.1:9/thanks?order=7', ...top },
  );
}

const PATHS = {
  payout: '/payments/v1/payouts',
  remittance: '/payments/v1/remittance',
  collection: '/payments/v1/collections',
} as const;

/** Signs the string to sign of a body. */
export function signBody(body: string, key: KeyObject = testKeys.privateKey): string {
  return sign('sha256', Buffer.from(readStringToSign(body).text, 'utf8'), key).toString('base64');
}

/** A client of one sandbox: signs, fetches tokens, reads answers. */
export interface SandboxClient {
  readonly sandbox: Sandbox;
  request(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<TestAnswer>;
  token(product: Product): Promise<string>;
  /** Sends a body, signed where its product is. `headers` go over what would be sent. */
  initiate(product: Product, body: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  status(product: Product, query: unknown): Promise<TestAnswer>;
  balance(product: Product, currency: string): Promise<{ actual: number; available: number }>;
  admin(method: string, path: string, body?: unknown): Promise<TestAnswer>;
}

/** Starts a sandbox on a free port, in memory unless told otherwise, and gives a client of it. */
export async function startTestSandbox(options: SandboxOptions = {}): Promise<SandboxClient> {
  const sandbox = await createSandbox({ port: 0, publicKeys: [testPublicPem], ...options });
  const tokens = new Map<Product, { text: string; endsAt: number }>();

  const request: SandboxClient['request'] = async (method, path, body, headers = {}) => {
    const response = await fetch(sandbox.baseUrl + path, {
      method,
      redirect: 'manual',
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? (JSON.parse(text) as unknown) : text,
    };
  };
  const token: SandboxClient['token'] = async (product) => {
    const known = tokens.get(product);
    if (known !== undefined && sandbox.readState(1).now < known.endsAt) return known.text;
    const answer = await request('POST', '/auth/v1/token', {
      consumer_key: sandbox.consumerKey,
      consumer_secret: sandbox.consumerSecret,
      product,
    });
    const endsAt = sandbox.readState(1).now + 3_500_000;
    tokens.set(product, { text: answer.body.access_token, endsAt });
    return answer.body.access_token;
  };

  return {
    sandbox,
    request,
    token,
    async initiate(product, body, headers = {}) {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const signature: Record<string, string> =
        product === 'collection' ? {} : { 'x-custom-signature': signBody(text) };
      return request('POST', PATHS[product], text, {
        authorization: `Bearer ${await token(product)}`,
        ...signature,
        ...headers,
      });
    },
    async status(product, query) {
      return request('POST', '/tsq/v1/query/payments', query, {
        authorization: `Bearer ${await token(product)}`,
      });
    },
    async balance(product, currency) {
      const answer = await request('GET', `/tsq/v1/wallet-balances?currency=${currency}`, undefined, {
        authorization: `Bearer ${await token(product)}`,
      });
      const [wallet] = answer.body.results;
      return { actual: wallet.actual_balance, available: wallet.available_balance };
    },
    admin: (method, path, body) =>
      request(method, `/_sandbox/${path}`, body, { authorization: `Bearer ${sandbox.adminToken}` }),
  };
}
