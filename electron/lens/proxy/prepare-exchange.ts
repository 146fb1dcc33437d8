import { splitCredential } from '@shared/secrets';
import { readServiceHeaders } from '../../sandbox/http/service-headers';
import type { RegisteredKey } from '../../sandbox/admission/read-public-key';
import type { CapturedExchange } from './captured-exchange';
import { judgeExchange, type ProxyFacts, type SeenSignature } from './judge-exchange';
import { toStoredExchange, type JudgedExchange, type StoredExchange } from './stored-exchange';

/** What is masked in an exchange, and where it went. */
export interface ExchangeSetting {
  /** Address of the target, without a path. */
  readonly origin: string;
  readonly secrets: readonly string[];
}

export interface RefusedSignature {
  readonly body: string;
  readonly sent: string;
  /** Whoever signs has it at hand, and it may stand in what was signed. */
  readonly token: string | null;
}

/** What is kept of an exchange, and what the doctor is to be asked of it, if anything. */
export interface PreparedExchange {
  readonly stored: JudgedExchange;
  readonly question: RefusedSignature | null;
}

/** Judges and masks one exchange: takes up to a second where a mebibyte is made to be slow. */
export function prepareExchange(
  id: string,
  exchange: CapturedExchange,
  keys: readonly RegisteredKey[],
  setting: ExchangeSetting,
): PreparedExchange {
  const facts = judgeExchange(exchange, keys);
  const stored = toStoredExchange(id, exchange, facts, setting);
  const isAsked = needsDoctor(stored, facts, keys);
  const body = exchange.request.body.toString('utf8');
  return {
    stored,
    question: isAsked ? { body, sent: facts.sentSignature!, token: readBearer(exchange) } : null,
  };
}

/** Asked about each signature that does not verify, and each refusal of a signed request. */
function needsDoctor(stored: StoredExchange, facts: ProxyFacts, keys: readonly RegisteredKey[]): boolean {
  if (facts.signature === null || facts.stringToSign === null || facts.sentSignature === null) return false;
  return keys.length > 0 && (facts.signature.valid === false || stored.httpStatus === 401);
}

function readBearer({ request }: CapturedExchange): string | null {
  const { authorization } = readServiceHeaders(request.headers);
  const credential = authorization === undefined ? '' : splitCredential(authorization).credential;
  return credential === '' ? null : credential;
}

/** @throws {AppError} `signing.*` where the body has no string to sign */
export async function askDoctor(
  { body, sent, token }: RefusedSignature,
  keys: readonly RegisteredKey[],
): Promise<SeenSignature> {
  // The doctor is loaded when first asked for.
  const { chooseKey, diagnoseRefusal } = await import('../../sandbox/requests/diagnose-refusal');
  const judge = chooseKey(sent, keys) ?? keys[0]!;
  const { valid, verdict, causes, explanation } = await diagnoseRefusal(
    body,
    sent,
    judge,
    keys,
    token === null ? [] : [{ name: 'the bearer token', text: token }],
  );
  return {
    valid,
    verdict,
    causes: causes.map(({ code, message }) => ({ code, message })),
    explanation,
    publicKeyPem: judge.pem,
  };
}
