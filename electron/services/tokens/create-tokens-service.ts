import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { Handlers } from '@shared/contract/contract';
import type { Product } from '@shared/payments/tables/products';
import type { tokenSummary } from '@shared/contract/vault';
import { environmentPlaces, readEnvironmentName } from '@shared/contract/environment-id';
import { maskSecret } from '@shared/secrets';
import type { Ports } from '../../platform/ports';
import { errorsOf } from '../errors-of';
import type { VaultService } from '../vault/create-vault-service';
import { listSecrets } from '../vault/list-secrets';
import type { Credentials } from '../vault/vault-credentials';
import { readAddress } from '../environments/address-binding';
import type { Destination } from '../environments/environment-setups';
import { decodeJwt } from './decode-jwt';
import { fetchToken, type FetchedToken, type TokenRequest } from './token-endpoint';
import { createTokenCache, type TokenCache, type TokenGrant } from './token-cache';

const TokensError = errorsOf<'tokens'>();

export interface TokensDeps {
  ports: Pick<Ports, 'clock' | 'random' | 'http'> & { given: Pick<Ports['given'], 'token' | 'credentials'> };
  vault: Pick<VaultService, 'store' | 'getCredentials'>;
  /** Where the environment's secrets may go, and how. @throws {AppError} `environments.unknown`, `.address_changed`, `.insecure` */
  requireBound(id: string): Promise<Destination>;
  /** What the app calls an environment; left out: the name in its id. */
  labelOf?: (id: string) => string;
  /** Secrets that were set for this run. */
  listSessionSecrets(id: string): string[];
  /** Of the settings; left out: 30 seconds. */
  requestTimeoutMs?: () => number;
}

type TokenHandlers = Pick<Handlers, 'tokens.list' | 'tokens.fetch' | 'tokens.forget' | 'tokens.reveal'>;

export interface TokensService {
  handlers: TokenHandlers;
  /** Gives a token that is good for some time yet; fetches one where needed. @throws {AppError} `tokens.*`, `vault.*`, `sending.*` */
  getBearer(environment: string, product: Product, options?: { isForced?: boolean }): Promise<string>;
  /**
   * Gives what tokens of a product are asked for with; null: each product has its own, and none is named.
   *
   * @throws {AppError} `tokens.no_credentials`, `vault.*`, `environments.*`
   */
  readCredentials(environment: string, product: Product | null): Promise<Credentials | null>;
  /** Looks whether tokens of a product can be asked for, and asks for none. @throws {AppError} `tokens.no_credentials`, `vault.*` */
  requireCredentials(environment: string, product: Product): Promise<void>;
  /** Lists what the service of an environment was given, now or before, and may send back: tokens, what they are fetched with, variables of the vault. */
  listKnownSecrets(environment: string): Promise<string[]>;
  /** Drops the cached token: the service refused it. */
  forget(environment: string, product: Product): Promise<void>;
}

const HIDE_AFTER_MS = 10_000;
const DEFAULT_TIMEOUT_MS = 30_000;
/** A token that says nothing of its end is fetched anew after this long. */
const UNKNOWN_LIFETIME_MS = 5 * 60_000;
const MARGIN_MS = 30_000;

/**
 * Makes the tokens service: fetches a bearer token for each environment and product and keeps it, sealed, until
 * shortly before it expires.
 *
 * A kept token goes to the address that it came from alone, and with the credentials that got it.
 * One request at a time for each: callers that come while it is under way get the same token.
 * @source payments-service-interface, parts 5.2 and 5.3
 */
export function createTokensService(deps: TokensDeps): TokensService {
  const { given } = deps.ports;
  const cache = createTokenCache({
    ...deps.ports,
    store: deps.vault.store,
    isSealed: given.credentials === null,
  });
  const underWay = new Map<string, Promise<FetchedToken>>();

  const fetchAndKeep = async (wanted: WantedToken): Promise<FetchedToken> => {
    const timeoutMs = deps.requestTimeoutMs?.() ?? DEFAULT_TIMEOUT_MS;
    const fetched = await fetchToken({ ...wanted, timeoutMs }, deps.ports.http, deps.ports.clock);
    await cache.keep(wanted.environment.id, wanted.product, { ...fetched, grant: describeGrant(wanted) });
    return fetched;
  };

  const fetchOnce = (wanted: WantedToken): Promise<FetchedToken> => {
    const { address, credentials } = describeGrant(wanted);
    const key = [wanted.product, wanted.environment.id, address, credentials].join('\n');
    const running = underWay.get(key);
    if (running !== undefined) return running;
    const started = fetchAndKeep(wanted).finally(() => underWay.delete(key));
    underWay.set(key, started);
    return started;
  };

  const get = async (id: string, product: Product, isForced: boolean): Promise<FetchedToken> => {
    const environment = await deps.requireBound(id);
    if (given.token !== null)
      return { token: given.token, issuedAt: deps.ports.clock.now(), expiresAt: null };
    const credentials = given.credentials ?? (await requireCredentials(deps, environment, product));
    const areGiven = given.credentials !== null;
    const wanted = { environment, product, credentials, areGiven };
    const kept = isForced ? null : await cache.find(id, product);
    const isUsable =
      kept !== null &&
      isSameGrant(kept.grant, describeGrant(wanted)) &&
      isFresh(kept, deps.ports.clock.now());
    return isUsable ? kept : fetchOnce(wanted);
  };

  return {
    handlers: createTokenHandlers(cache, get, deps),
    getBearer: async (environment, product, options) =>
      (await get(environment, product, options?.isForced ?? false)).token,
    async readCredentials(id, product) {
      const environment = await deps.requireBound(id);
      if (given.credentials !== null) return given.credentials;
      if (product === null && isPerProduct(environment)) return null;
      return requireCredentials(deps, environment, product ?? 'payout');
    },
    async requireCredentials(id, product) {
      if (given.token !== null || given.credentials !== null) return;
      await requireCredentials(deps, await deps.requireBound(id), product);
    },
    async listKnownSecrets(id) {
      const ofRun = [given.token, given.credentials?.consumerSecret].filter((one) => typeof one === 'string');
      // Those of the vault are among its secrets.
      const inMemory = given.credentials === null ? [] : await cache.list();
      const tokens = inMemory.filter(({ environment }) => environment === id).map(({ token }) => token);
      const ofSession = deps.listSessionSecrets(id);
      return [...ofRun, ...tokens, ...ofSession, ...(await listSecrets(deps.vault.store, id))];
    },
    forget: (environment, product) => cache.forget(environment, product),
  };
}

type WantedToken = Omit<TokenRequest, 'timeoutMs'>;

/** What an answer means is part of it: of a token whose end was read in another unit nothing can be said. */
function describeGrant({ environment, credentials }: WantedToken): TokenGrant {
  const { consumerKey, consumerSecret } = credentials;
  const { tokenPath, requestNames, answerNames, expiresInUnit } = environment.setup.profile;
  const asked = [requestNames.consumerKey, requestNames.consumerSecret, requestNames.product];
  const call = [tokenPath, ...asked, answerNames.accessToken, answerNames.expiresIn, expiresInUnit];
  const said = JSON.stringify([consumerKey, consumerSecret, ...call, environment.baseUrl]);
  // Asked for at each request: it is the same for all requests of a run.
  if (lastGrant?.said === said) return lastGrant.grant;
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([consumerKey, consumerSecret, ...call]))
    .digest('hex');
  const grant = { address: readAddress(environment.baseUrl), credentials: fingerprint };
  lastGrant = { said, grant };
  return grant;
}

let lastGrant: { said: string; grant: TokenGrant } | null = null;

function isSameGrant(kept: TokenGrant, wanted: TokenGrant): boolean {
  return kept.address === wanted.address && kept.credentials === wanted.credentials;
}

function createTokenHandlers(
  cache: TokenCache,
  get: (environment: string, product: Product, isForced: boolean) => Promise<FetchedToken>,
  { ports, labelOf = readEnvironmentName }: TokensDeps,
): TokenHandlers {
  const given = ports.given.token;
  return {
    'tokens.list': async () => ({
      tokens: (await cache.list()).map(({ environment, product, ...kept }) =>
        summarise(environment, product, kept),
      ),
    }),
    'tokens.fetch': async ({ environment, product, isForced }) =>
      summarise(environment, product, await get(environment, product, isForced)),
    'tokens.forget': async ({ environment, product }) => {
      await cache.forget(environment, product);
      return {};
    },
    'tokens.reveal': async ({ environment, product }) => {
      const token = given ?? (await cache.find(environment, product))?.token;
      if (token !== undefined) return { token, hideAfterMs: HIDE_AFTER_MS };
      throw new TokensError(
        'tokens.none',
        `There is no ${product} token of '${labelOf(environment)}'. Fetch one first.`,
      );
    },
  };
}

function summarise(environment: string, product: Product, kept: FetchedToken): z.output<typeof tokenSummary> {
  const { token, issuedAt, expiresAt } = kept;
  return { environment, product, masked: maskSecret(token), ...decodeJwt(token), issuedAt, expiresAt };
}

/** A token is used until shortly before its end: a tenth of its life, at most half a minute. */
function isFresh({ issuedAt, expiresAt }: FetchedToken, now: number): boolean {
  const end = expiresAt ?? issuedAt + UNKNOWN_LIFETIME_MS;
  const margin = Math.min(MARGIN_MS, Math.max(0, (end - issuedAt) / 10));
  // A clock that was set back makes a token of the future; nothing can be said of it.
  return now >= issuedAt - MARGIN_MS && now < end - margin;
}

const isPerProduct = ({ setup }: Destination): boolean => setup.profile.credentials === 'per_product';

const findCredentials = (
  { vault }: TokensDeps,
  environment: Destination,
  product: Product,
): Promise<Credentials | null> =>
  vault.getCredentials(environment.id, isPerProduct(environment) ? product : null);

async function requireCredentials(
  deps: TokensDeps,
  environment: Destination,
  product: Product,
): Promise<Credentials> {
  const credentials = await findCredentials(deps, environment, product);
  if (credentials !== null) return credentials;
  const { id, label } = environment;
  const isOwn = isPerProduct(environment);
  const what = `${isOwn ? `the product ${product} of ` : ''}'${label}'`;
  const toSet = 'COUNTERSIGN_CONSUMER_KEY and COUNTERSIGN_CONSUMER_SECRET.';
  throw new TokensError(
    'tokens.no_credentials',
    // An environment of this run alone, as `--base-url` makes one, cannot be opened in the app.
    id.startsWith(`${environmentPlaces.run}/`)
      ? `No consumer key and secret are known for this address. Set ${toSet}`
      : `No consumer key and secret are saved for ${what}. Enter them in Keys and tokens, or set ${toSet}`,
    { details: { environment: id } },
  );
}
