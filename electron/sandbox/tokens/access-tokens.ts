import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { parseRecord } from '@shared/json/parse-or-nothing';
import { isProduct, type Product } from '@shared/payments/tables/products';
import type { SandboxClock } from '../sandbox-clock';

/** Seconds that a token lives. @source design 6, A1 */
export const TOKEN_LIFETIME_SECONDS = 3600;

const HEADER = encode(JSON.stringify({ alg: 'HS256', typ: 'JWT' }));
const CACHE_LIMIT = 2000;
/** Longer ones are not ours; reading them would only cost time. */
const LONGEST_TOKEN = 4096;

export type TokenReading = { ok: true; product: Product } | { ok: false; reason: string };

interface Claims {
  readonly product: Product;
  readonly exp: number;
}

/**
 * Issues and checks product-scoped JWTs, HS256.
 *
 * Only HS256 with this sandbox's own key is taken, whatever a token's header says: `none` and swapped
 * algorithms are refused by name. Checked tokens are remembered; their expiry is looked at each time.
 * @source payments-service-interface, part 5; assumption A1; RFC 7519
 */
export class AccessTokens {
  /** By the whole header. */
  private readonly known = new Map<string, Claims>();

  /** @param options.secret - made at the first start, 32 bytes */
  constructor(private readonly options: { secret: Buffer; clock: SandboxClock }) {}

  /** @param subject - the consumer key @returns the token and the second at which it ends (sandbox clock) */
  issue(product: Product, subject: string): { token: string; expiresAt: number } {
    const { clock } = this.options;
    const issuedAt = Math.floor(clock.now() / 1000);
    const expiresAt = issuedAt + TOKEN_LIFETIME_SECONDS;
    const claims = { sub: subject, product, iat: issuedAt, exp: expiresAt, jti: randomUUID() };
    const input = `${HEADER}.${encode(JSON.stringify(claims))}`;
    return { token: `${input}.${this.sign(input)}`, expiresAt };
  }

  /** Reads an `Authorization` header and tells the ways of being wrong apart. */
  read(authorization: string | undefined): TokenReading {
    if (authorization === undefined) return refuse('The Authorization header is missing.');
    let claims = this.known.get(authorization);
    if (claims === undefined) {
      const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
      if (token === undefined) {
        return refuse(describeHeader(authorization));
      }
      const result = this.check(token);
      if (typeof result === 'string') return refuse(result);
      claims = result;
      if (this.known.size >= CACHE_LIMIT) this.known.clear();
      this.known.set(authorization, claims);
    }
    if (this.options.clock.now() >= claims.exp * 1000) {
      return refuse('The bearer token has expired: get a new one.');
    }
    return { ok: true, product: claims.product };
  }

  /** The tokens that were taken last, latest first. */
  listLatest(most: number): readonly string[] {
    return [...this.known.keys()]
      .slice(-most)
      .toReversed()
      .map((header) => header.replace(/^Bearer +/i, ''));
  }

  private check(token: string): Claims | string {
    if (/["'<>{}]/.test(token)) {
      return 'The bearer token stands in quotes, brackets or JSON: send what access_token holds, and nothing around it.';
    }
    if (token.length > LONGEST_TOKEN) return 'The bearer token is longer than any that this service issues.';
    const [header, payload, signature, ...rest] = token.split('.');
    if (header === undefined || payload === undefined || signature === undefined || rest.length > 0) {
      return 'The bearer token is not a JWT: it needs three parts joined by dots.';
    }
    const algorithm = readAlgorithm(header);
    if (algorithm !== 'HS256') return describeAlgorithm(algorithm);
    // Compared as text: decoding would pass over padding and stray characters, so that an altered token passed.
    const given = Buffer.from(signature, 'utf8');
    const expected = Buffer.from(this.sign(`${header}.${payload}`), 'utf8');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      return 'The bearer token was not signed by this service: it was altered, forged, or issued by another sandbox.';
    }
    return readClaims(payload) ?? 'The bearer token carries no product or expiry.';
  }

  private sign(input: string): string {
    return createHmac('sha256', this.options.secret).update(input).digest('base64url');
  }
}

function refuse(reason: string): TokenReading {
  return { ok: false, reason };
}

/** Says what an `Authorization` header has that is not of the form, without quoting it. */
function describeHeader(authorization: string): string {
  const form = 'The Authorization header is not of the form: Bearer <token>';
  const words = authorization.trim().split(/[\s,]+/, 5);
  if (/, *Bearer\b/i.test(authorization)) return `${form}. It was sent twice: send it once.`;
  if (words.filter((word) => /^Bearer:?$/i.test(word)).length > 1)
    return `${form}. The word Bearer stands there twice.`;
  if (/^Bearer$/i.test(authorization.trim()))
    return `${form}. No token follows: was it fetched, and read from access_token?`;
  if (words[0]!.startsWith('eyJ')) return `${form}. The word Bearer is missing before the token.`;
  if (/^Basic$/i.test(words[0]!)) {
    return `${form}. It is Basic: fetch a token from /auth/v1/token with the consumer key and secret first.`;
  }
  return `${form}.`;
}

function readAlgorithm(header: string): string | null {
  const parsed = parsePart(header);
  return typeof parsed?.alg === 'string' ? parsed.alg : null;
}

function describeAlgorithm(algorithm: string | null): string {
  if (algorithm === null) return 'The bearer token is not a JWT: its header cannot be read.';
  if (algorithm.toLowerCase() === 'none') {
    return 'The bearer token is unsigned (alg none). This service takes only tokens that it signed itself.';
  }
  return `The bearer token names the algorithm ${algorithm.slice(0, 20)}; this service signs with HS256 only.`;
}

function readClaims(payload: string): Claims | null {
  const parsed = parsePart(payload);
  if (parsed === null || typeof parsed.exp !== 'number' || !isProduct(parsed.product)) return null;
  return { product: parsed.product, exp: parsed.exp };
}

const parsePart = (part: string): Record<string, unknown> | null =>
  parseRecord(Buffer.from(part, 'base64url').toString('utf8'));

function encode(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64url');
}
