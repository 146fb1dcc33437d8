import { findSecrets } from '../mask-secrets';
import { isCredentialHeader } from '../secrets';
import { decodeBase64 } from '../signing/base64';
import { isSignatureVariable } from './prepare-request';

/** A request as it is given to the back end: placeholders of secrets still in it. */
export interface RedirectedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | null;
  readonly bodyBase64?: string | undefined;
  /** Values in it of variables that are secret by their name. */
  readonly secretValues?: readonly string[] | undefined;
}

export type RedirectPlan =
  | {
      readonly kind: 'go';
      readonly request: RedirectedRequest;
      /** Another scheme, host or port: what is secret stays here. */
      readonly isForeign: boolean;
      /** Names of headers that do not go along. */
      readonly dropped: readonly string[];
    }
  | { readonly kind: 'refused'; readonly reason: string };

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const LONGEST_LOCATION = 4000;
/** More hops are a circle, or made to be followed without end. */
const MOST_HOPS = 5;

/** Tells whether a text holds a value of the vault, one of a secret variable, or one that is secret by the name beside it. */
const holdsSecret = (text: string, { secretValues = [] }: RedirectedRequest): boolean =>
  text.includes('{{') || secretValues.some((value) => text.includes(value)) || findSecrets(text).length > 0;

const isSecretHeader = (name: string, value: string, request: RedirectedRequest): boolean =>
  isCredentialHeader(name) || /signature|token|secret|api-?key/i.test(name) || holdsSecret(value, request);

/** As text: what is secret in a body of files is looked for in all of it. */
const readBody = ({ body, bodyBase64 }: RedirectedRequest): string =>
  body ?? (bodyBase64 === undefined ? '' : new TextDecoder().decode(decodeBase64(bodyBase64)));

/**
 * Plans what following a redirect would send. Nothing is followed by itself: a payment is sent where the user says.
 *
 * To another origin (scheme, host or port) no credential, no signature, no secret variable and nothing of the vault goes
 * along, whatever header it stands in; a body that holds one stays here. From https to http nothing goes at all.
 * @param seen - addresses that were asked on the way here
 * @returns null: the answer is no redirect
 * @source RFC 9110, 15.4
 */
export function planRedirect(
  request: RedirectedRequest,
  answer: { httpStatus: number; headers: readonly (readonly [string, string])[] },
  seen: readonly string[] = [],
): RedirectPlan | null {
  if (!REDIRECTS.has(answer.httpStatus)) return null;
  const locations = answer.headers.filter(([name]) => name.toLowerCase() === 'location');
  const [location] = locations;
  if (location === undefined || locations.length > 1) {
    return refuse(location === undefined ? 'It names no address.' : 'It names several addresses.');
  }
  const target = readTarget(location[1], request.url);
  if (typeof target === 'string') return refuse(target);
  const isForeign = target.origin !== new URL(request.url).origin;
  const keepsBody = answer.httpStatus === 307 || answer.httpStatus === 308;
  const method = keepsBody || request.method.toUpperCase() === 'HEAD' ? request.method : 'GET';
  if (seen.length >= MOST_HOPS) return refuse(`It is the ${MOST_HOPS + 1}th in a row.`);
  if ([...seen, request.url].includes(target.href)) return refuse('It leads in a circle.');
  if (isForeign && keepsBody && holdsSecret(readBody(request), request))
    return refuse('Its body holds a secret, which must not go to another host.');
  const isDropped = ([name, value]: readonly [string, string]): boolean =>
    /^host$/i.test(name) ||
    (!keepsBody && (/^content-/i.test(name) || isSignatureVariable(value))) ||
    (isForeign && isSecretHeader(name, value, request));
  return {
    kind: 'go',
    isForeign,
    dropped: request.headers.filter(isDropped).map(([name]) => name),
    request: {
      method,
      url: target.href,
      headers: request.headers.filter((header) => !isDropped(header)),
      body: keepsBody ? request.body : null,
      ...(keepsBody && request.bodyBase64 !== undefined && { bodyBase64: request.bodyBase64 }),
    },
  };
}

function refuse(reason: string): RedirectPlan {
  return { kind: 'refused', reason };
}

/** @returns why not, where it is an address that nothing is sent to */
function readTarget(location: string, from: string): URL | string {
  if (location.length > LONGEST_LOCATION) return 'The address is too long.';
  // Browsers and servers read these differently: which host is meant would be a guess.
  // eslint-disable-next-line no-control-regex
  if (/[\x00-\x20\x7f\\]|\{\{/.test(location.trim()))
    return 'The address holds characters that do not belong in one.';
  if (!URL.canParse(location, from)) return 'The address cannot be read.';
  const target = new URL(location, from);
  if (target.protocol !== 'http:' && target.protocol !== 'https:')
    return `${target.protocol} is no address of the web.`;
  if (target.username !== '' || target.password !== '') return 'The address holds a user name or password.';
  if (new URL(from).protocol === 'https:' && target.protocol === 'http:')
    return 'It leads from https to http.';
  target.hash = '';
  return target;
}
