import type { Product } from '@shared/payments/tables/products';
import { readEnvironmentName } from '@shared/contract/environment-id';
import type { AppError } from '@shared/errors';
import type { Clock, HttpAnswer, HttpClient } from '../../platform/ports';
import { errorsOf } from '../errors-of';
import type { Credentials } from '../vault/vault-credentials';
import { decodeJwt, readTimeClaim } from './decode-jwt';

const TokensError = errorsOf<'tokens'>();

/** A token as the service gave it. Times are this machine's epoch milliseconds. */
export interface FetchedToken {
  token: string;
  issuedAt: number;
  /** Null: neither the answer nor the token says. */
  expiresAt: number | null;
}

export interface TokenRequest {
  environment: string;
  baseUrl: string;
  product: Product;
  credentials: Credentials;
  timeoutMs: number;
}

const MAX_ANSWER_BYTES = 64 * 1024;
/** What may stand in an Authorization header (RFC 6750 §2.1). */
const BEARER = /^[\w.~+/-]+=*$/;

/**
 * Asks the service for a token (assumption A1).
 *
 * @throws {AppError} `tokens.refused`, `tokens.bad_answer`, `tokens.unavailable`, `tokens.no_address`, `sending.*`
 * @source payments-service-interface, parts 4.6 and 5.2; design assumption A1
 */
export async function fetchToken(
  request: TokenRequest,
  http: HttpClient,
  clock: Clock,
): Promise<FetchedToken> {
  const { environment, baseUrl, product, credentials, timeoutMs } = request;
  if (baseUrl === '') {
    throw new TokensError(
      'tokens.no_address',
      `'${readEnvironmentName(environment)}' has no address yet. Set its base address and try again.`,
    );
  }
  const body = {
    consumer_key: credentials.consumerKey,
    consumer_secret: credentials.consumerSecret,
    product,
  };
  const answer = await http({
    method: 'POST',
    url: `${baseUrl.replace(/\/+$/, '')}/auth/v1/token`,
    headers: [
      ['Content-Type', 'application/json'],
      ['Accept', 'application/json'],
    ],
    body: Buffer.from(JSON.stringify(body), 'utf8'),
    timeoutMs,
    maxResponseBytes: MAX_ANSWER_BYTES,
  });
  return readTokenAnswer(answer, request, clock.now());
}

function readTokenAnswer(answer: HttpAnswer, request: TokenRequest, now: number): FetchedToken {
  const { httpStatus } = answer;
  const content = parseObject(answer.body);
  const details = { httpStatus, environment: request.environment, product: request.product };
  if (httpStatus === 429 || httpStatus >= 500) throw unavailable(answer, details);
  if (httpStatus >= 400) throw refused(content, request, details);
  const token = content?.['access_token'];
  if (httpStatus >= 300 || typeof token !== 'string' || !BEARER.test(token))
    throw badAnswer(httpStatus, details);
  const given = content?.['product'];
  if (typeof given === 'string' && given !== request.product) {
    throw new TokensError(
      'tokens.bad_answer',
      `The service gave a token for '${given.slice(0, 40)}' where '${request.product}' was asked for. Check which products the account has.`,
      { details },
    );
  }
  return { token, issuedAt: now, expiresAt: readExpiry(token, content?.['expires_in'], now) };
}

/** Counts from the moment of receipt where it can: the service's clock may differ from this machine's. */
function readExpiry(token: string, expiresIn: unknown, now: number): number | null {
  const seconds = typeof expiresIn === 'string' ? Number(expiresIn) : expiresIn;
  if (typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0) return now + seconds * 1000;
  const { claims } = decodeJwt(token);
  const expires = readTimeClaim(claims, 'exp');
  const issued = readTimeClaim(claims, 'iat');
  if (expires === null) return null;
  return issued === null ? expires : now + (expires - issued);
}

type Details = Record<string, unknown>;

function refused(content: Record<string, unknown> | null, request: TokenRequest, details: Details): AppError {
  const code = readText(content, 'code');
  const said = [code, readText(content, 'description') ?? readText(content, 'message')]
    .filter((part) => part !== null)
    .map((part) => cutSecrets(part, request.credentials))
    .join(': ');
  return new TokensError(
    'tokens.refused',
    `The service refused the consumer key and secret of '${readEnvironmentName(request.environment)}' for ${request.product}` +
      `${said === '' ? '' : ` (${said})`}. Check them in Keys and tokens, and that the account has this product.`,
    { details: { ...details, code } },
  );
}

function unavailable(answer: HttpAnswer, details: Details): AppError {
  const retryAfter = answer.headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1] ?? null;
  const when = retryAfter === null ? 'in a moment' : `after ${retryAfter.slice(0, 40)} (seconds or date)`;
  return new TokensError(
    'tokens.unavailable',
    `The service could not issue a token now (HTTP ${answer.httpStatus}). Try again ${when}.`,
    { details: { ...details, retryAfter }, retryable: true },
  );
}

function badAnswer(httpStatus: number, details: Details): AppError {
  return new TokensError(
    'tokens.bad_answer',
    `The answer to the token request cannot be read (HTTP ${httpStatus}, no access_token). Check the base address of the environment.`,
    { details },
  );
}

function parseObject(body: Uint8Array): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    // The caller says what an unreadable answer means for its status.
    return null;
  }
}

function readText(content: Record<string, unknown> | null, name: string): string | null {
  const value = content?.[name];
  return typeof value === 'string' && value !== '' ? value.slice(0, 300) : null;
}

/** A service may repeat what it was sent. */
function cutSecrets(text: string, { consumerKey, consumerSecret }: Credentials): string {
  return text.replaceAll(consumerSecret, '[cut]').replaceAll(consumerKey, '[cut]');
}
