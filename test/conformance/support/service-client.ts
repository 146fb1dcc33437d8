import { createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { request, type IncomingHttpHeaders } from 'node:http';
import { createSandbox, type SandboxOptions } from '../../../electron/sandbox/create-sandbox';
import type { Body } from '../../support/bodies';
import type { Product } from '@shared/payments/tables/products';

/** One answer as it came over the wire. */
export interface Answer {
  httpStatus: number;
  headers: IncomingHttpHeaders;
  text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what tests look into has any shape
  json: any;
}

export const clientKeys = generateKeyPairSync('rsa', { modulusLength: 2048 });

export const paths = {
  remittance: '/payments/v1/remittance',
  payout: '/payments/v1/payouts',
  collection: '/payments/v1/collections',
  status: '/tsq/v1/query/payments',
  balances: '/tsq/v1/wallet-balances',
  token: '/auth/v1/token',
  sendTest: '/developer-tools/webhooks/send-test',
} as const;

/** Sends one request with node:http alone; nothing is added but what is given, Host and Content-Length. */
export function exchange(
  baseUrl: string,
  method: string,
  path: string,
  body?: string | Buffer,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const outgoing = request(baseUrl + path, { method, headers: { ...length, ...headers } }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const isJson = incoming.headers['content-type']?.startsWith('application/json') ?? false;
        const json: unknown = isJson && text !== '' ? JSON.parse(text) : undefined;
        resolve({ httpStatus: incoming.statusCode ?? 0, headers: incoming.headers, text, json });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Signs a text as part 5.5 says: RSA PKCS#1 v1.5 with SHA-256, standard Base64. */
export function signText(text: string, key: KeyObject = clientKeys.privateKey): string {
  return sign('sha256', Buffer.from(text, 'utf8'), key).toString('base64');
}

/** The string to sign of a body whose amount is written the way JavaScript writes it. */
export function stringToSign(body: Body): string {
  const { transaction, originator } = body as {
    transaction?: Body;
    originator?: Body;
  };
  const values = [
    transaction?.reference,
    transaction?.amount,
    originator?.country,
    transaction?.service_code,
  ];
  return values.map(String).join('');
}

export type Service = Awaited<ReturnType<typeof startService>>;

/** Starts a sandbox on a free port and gives a plain client of it. Time stands at the test's command: settlement takes an hour. */
export async function startService(options: SandboxOptions = {}) {
  const pem = createPublicKey(clientKeys.privateKey).export({ type: 'spki', format: 'pem' }).toString();
  const sandbox = await createSandbox({
    port: 0,
    publicKeys: [pem],
    ...options,
    settings: { settleMs: 3_600_000, ...options.settings },
  });
  const { baseUrl, consumerKey, consumerSecret, adminToken } = sandbox;
  const tokens = new Map<Product, string>();
  const json = { 'content-type': 'application/json' };

  const call = (method: string, path: string, body?: string | Buffer, headers: Record<string, string> = {}) =>
    exchange(baseUrl, method, path, body, headers);
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    call('POST', path, typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body), {
      ...json,
      ...headers,
    });
  const requestToken = (product: string, changes: Body = {}) =>
    post(paths.token, { consumer_key: consumerKey, consumer_secret: consumerSecret, product, ...changes });
  const token = async (product: Product): Promise<string> => {
    if (!tokens.has(product)) tokens.set(product, (await requestToken(product)).json.access_token as string);
    return tokens.get(product)!;
  };
  const bearer = async (product: Product) => ({ authorization: `Bearer ${await token(product)}` });
  const admin = (method: string, path: string, body?: unknown) =>
    call(method, `/_sandbox/${path}`, body === undefined ? undefined : JSON.stringify(body), {
      ...json,
      authorization: `Bearer ${adminToken}`,
    });

  return {
    baseUrl,
    consumerKey,
    consumerSecret,
    call,
    post,
    requestToken,
    token,
    bearer,
    admin,
    /** Sends an initiation, signed where its product is signed. */
    async initiate(product: Product, body: Body, headers: Record<string, string> = {}) {
      const signature: Record<string, string> =
        product === 'collection' ? {} : { 'x-custom-signature': signText(stringToSign(body)) };
      return post(paths[product], body, { ...(await bearer(product)), ...signature, ...headers });
    },
    async status(product: Product, query: unknown) {
      return post(paths.status, query, await bearer(product));
    },
    async balances(product: Product, currency?: string) {
      const query = currency === undefined ? '' : `?currency=${encodeURIComponent(currency)}`;
      return call('GET', paths.balances + query, undefined, await bearer(product));
    },
    async wallet(product: Product, currency = 'KES'): Promise<{ actual: number; available: number }> {
      const answer = await call(
        'GET',
        `${paths.balances}?currency=${currency}`,
        undefined,
        await bearer(product),
      );
      const [record] = answer.json.results as { actual_balance: number; available_balance: number }[];
      return { actual: record!.actual_balance, available: record!.available_balance };
    },
    /** Moves the sandbox's time on; tokens fetched before may have expired then. */
    async advance(seconds: number) {
      tokens.clear();
      await admin('POST', 'clock/advance', { seconds });
    },
    async reset() {
      await admin('POST', 'reset');
    },
    close: () => sandbox.close(),
  };
}
