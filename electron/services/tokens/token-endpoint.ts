import { findHeader } from '@shared/find-header';
import { parseRecord } from '@shared/json/parse-or-nothing';
import { isProduct, type Product } from '@shared/payments/tables/products';
import type { ServiceProfile } from '@shared/contract/environment-setup';
import { cutMasked } from '@shared/cut-masked';
import type { AppError } from '@shared/errors';
import { readRetryAfterMs } from '@shared/payments/retry-after';
import { findWhyUnread } from '@shared/payments/unread-answer';
import { maskKnownSecrets } from '../../platform/mask-known-secrets';
import type { Clock, HttpAnswer, HttpClient } from '../../platform/ports';
import { errorsOf } from '../errors-of';
import type { Credentials } from '../vault/vault-credentials';
import { readAddress } from '../environments/address-binding';
import { requireSandbox } from '../environments/base-url';
import type { Destination } from '../environments/environment-setups';
import { asMoment, decodeJwt, readTimeClaim } from './decode-jwt';
import { findField } from './find-field';

const TokensError = errorsOf<'tokens'>();

/** A token as the service gave it. Times are this machine's epoch milliseconds. */
export interface FetchedToken {
  token: string;
  issuedAt: number;
  /** Null: neither the answer nor the token says. */
  expiresAt: number | null;
}

export interface TokenRequest {
  environment: Destination;
  product: Product;
  credentials: Credentials;
  /** They come from environment variables: there is nothing to look at in the vault. */
  areGiven?: boolean;
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
  const { environment, timeoutMs } = request;
  const answer = await http({
    method: 'POST',
    url: findTokenAddress(environment),
    headers: [
      ['Content-Type', 'application/json'],
      ['Accept', 'application/json'],
    ],
    body: Buffer.from(JSON.stringify(writeTokenCall(request)), 'utf8'),
    timeoutMs,
    aftermath: 'none',
    isRepeatable: true,
    maxResponseBytes: MAX_ANSWER_BYTES,
    environment,
  });
  return readTokenAnswer(answer, request, clock.now());
}

/** Settings are a file that others may write, too: consumer key and secret go to the environment's own host alone. */
function findTokenAddress({ id, label, baseUrl, setup }: Destination): string {
  requireSandbox({ id, baseUrl });
  if (baseUrl === '') {
    throw new TokensError(
      'tokens.no_address',
      `'${label}' has no address yet. Set its base address and try again.`,
    );
  }
  const address = `${baseUrl.replace(/(?<!\/)\/+$/, '')}${setup.profile.tokenPath}`;
  if (readAddress(address) === readAddress(baseUrl)) return address;
  throw new TokensError(
    'tokens.no_address',
    `The token path of '${label}' leads away from its host. Nothing was sent. Correct it in Environments, Service profile.`,
    { details: { environment: id } },
  );
}

/** The call in the service's own words. @source service profile; by default assumption A1 */
function writeTokenCall({ environment, product, credentials }: TokenRequest): Record<string, string> {
  const names = environment.setup.profile.requestNames;
  return Object.fromEntries([
    [names.consumerKey, credentials.consumerKey],
    [names.consumerSecret, credentials.consumerSecret],
    ...(names.product === '' ? [] : [[names.product, product]]),
  ]);
}

function readTokenAnswer(answer: HttpAnswer, request: TokenRequest, now: number): FetchedToken {
  const { httpStatus } = answer;
  const content = parseRecord(Buffer.from(answer.body).toString('utf8'));
  const { id, setup } = request.environment;
  const { answerNames, expiresInUnit } = setup.profile;
  const details = { httpStatus, environment: id, product: request.product };
  if (httpStatus === 429 || httpStatus >= 500) throw unavailable(answer, details);
  if (httpStatus >= 400) throw refused(content, request, details);
  const token = findField(content, answerNames.accessToken);
  if (httpStatus >= 300 || typeof token !== 'string' || !BEARER.test(token))
    throw badAnswer(answer, describeToken(token, answerNames.accessToken, httpStatus), details);
  const given = content?.['product'];
  // A service that has other words for the products says nothing that could be held against one.
  const named = typeof given === 'string' ? given.toLowerCase() : null;
  if (isProduct(named) && named !== request.product) {
    throw new TokensError(
      'tokens.bad_answer',
      `The service gave a token for '${named}' where '${request.product}' was asked for. Check which products the account has.`,
      { details },
    );
  }
  const expiresIn = findField(content, answerNames.expiresIn);
  return { token, issuedAt: now, expiresAt: readExpiry(token, expiresIn, expiresInUnit, now) };
}

/** Counts from the moment of receipt where it can: the service's clock may differ from this machine's. */
function readExpiry(
  token: string,
  expiresIn: unknown,
  unit: ServiceProfile['expiresInUnit'],
  now: number,
): number | null {
  const lasts = typeof expiresIn === 'string' ? Number(expiresIn) : expiresIn;
  const told = typeof lasts === 'number' && lasts > 0 ? now + lasts * (unit === 'seconds' ? 1000 : 1) : NaN;
  if (asMoment(told) !== null) return told;
  const { claims } = decodeJwt(token);
  const expires = readTimeClaim(claims, 'exp');
  const issued = readTimeClaim(claims, 'iat');
  if (expires === null) return null;
  return issued === null ? expires : asMoment(now + (expires - issued));
}

type Details = Record<string, unknown>;

function refused(content: Record<string, unknown> | null, request: TokenRequest, details: Details): AppError {
  const { consumerKey, consumerSecret } = request.credentials;
  // A service may repeat what it was sent.
  const hide = (text: string): string => maskKnownSecrets(text, [consumerSecret, consumerKey]);
  const read = (name: string): string | null => {
    const text = readText(content, name);
    return text === null ? null : cutMasked(text, hide, 300);
  };
  const code = read('code');
  const said = [code, read('description') ?? read('message')].filter((part) => part !== null).join(': ');
  const [whose, where] =
    request.areGiven === true
      ? ['COUNTERSIGN_CONSUMER_KEY and COUNTERSIGN_CONSUMER_SECRET', ' (they go before those of the vault)']
      : [`'${request.environment.label}'`, ' in Keys and tokens'];
  return new TokensError(
    'tokens.refused',
    `The service refused the consumer key and secret of ${whose} for ${request.product}` +
      `${said === '' ? '' : ` (${said})`}. Check them${where}, and that the account has this product.`,
    { details: { ...details, code } },
  );
}

function unavailable(answer: HttpAnswer, details: Details): AppError {
  const retryAfter = findHeader(answer.headers, 'retry-after');
  const when = describeRetryAfter(retryAfter ?? '', readRetryAfterMs(answer.headers, Number.NaN));
  return new TokensError(
    'tokens.unavailable',
    `The service could not issue a token now (HTTP ${answer.httpStatus}). Try again ${when}.`,
    { details: { ...details, retryAfter, date: findHeader(answer.headers, 'date') }, retryable: true },
  );
}

/**
 * When to try again. A date is by the service's clock: where its answer tells that, what is left until then.
 *
 * @param waitMs - NaN: its clock is not known
 */
function describeRetryAfter(retryAfter: string, waitMs: number | null): string {
  if (waitMs === null) return 'in a moment';
  if (/^\d+$/.test(retryAfter)) return `in ${retryAfter.slice(0, 40)} s`;
  return Number.isNaN(waitMs) ? `at ${retryAfter}` : `in ${waitMs / 1000} s`;
}

/** Says why what stands where the token is expected is none. */
function describeToken(token: unknown, name: string, httpStatus: number): string {
  if (httpStatus >= 300) return 'a redirect, which is not followed';
  if (token === undefined || token === null) return `no ${name}`;
  if (typeof token !== 'string') return `${name} is no text`;
  return token === '' ? `${name} is empty` : `${name} has characters that no token may have`;
}

function badAnswer(
  { httpStatus, headers, body, isCut }: HttpAnswer,
  whyNoToken: string,
  details: Details,
): AppError {
  const why = findWhyUnread({ headers, sizeBytes: body.length, isCut }) ?? whyNoToken;
  return new TokensError(
    'tokens.bad_answer',
    `The answer to the token request cannot be read (HTTP ${httpStatus}, ${why}). Check the base address of the environment, and its service profile.`,
    { details },
  );
}

function readText(content: Record<string, unknown> | null, name: string): string | null {
  const value = content?.[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
