import { isPlainTimestamp, isUtcTimestamp } from '../payments/text-formats';
import { splitCredential } from '../secrets';
import { CallIndex } from './call-index';
import {
  describePurpose,
  isDuplicateAnswer,
  isInitiation,
  isOutcomeUnknown,
  isSend,
  isTokenRefused,
  readAcceptanceForm,
  readMember,
  type BackendCall,
  type Evidence,
} from './evidence';

export type RuleVerdict = 'held' | 'broken' | 'not_seen';

/** What the evidence says of one rule. */
export interface Finding {
  readonly verdict: RuleVerdict;
  readonly message: string;
  /** Ids of requests or webhooks. */
  readonly evidence: readonly string[];
}

/** How a payment is known again under another reference: trials that always pay the same look like it, too. */
const SAME =
  'A payment of the same amount, currency, service and account within 15 minutes counts as the same: vary them in trials.';

type Judge = (evidence: Evidence, index: CallIndex) => Finding;

/** More ids than this help nobody. */
const MOST_IDS = 20;
/** Clocks and networks are not exact. */
const EARLY_MS = 250;
/** A token that ends within so long may be renewed ahead. */
const RENEWAL_MS = 60_000;
/** A backend that starts again fetches early, too: so many, and one for so many calls, are a habit. */
const FEWEST_EARLY = 2;
const CALLS_FOR_EARLY = 2;
const TOLERATED = `The rule is broken by ${FEWEST_EARLY} early ones or more, where they are at least one for every ${CALLS_FOR_EARLY} calls.`;

const is2xx = (httpStatus: number | null): boolean =>
  httpStatus !== null && httpStatus >= 200 && httpStatus < 300;
const finding =
  (verdict: RuleVerdict) =>
  (message: string, items: readonly { readonly id: string }[] = []): Finding => ({
    verdict,
    message,
    evidence: items.slice(0, MOST_IDS).map(({ id }) => id),
  });
const held = finding('held');
const broken = finding('broken');
const notSeen = finding('not_seen');

/** `broken` where there are culprits, else `held` where there are witnesses, else `not_seen`. */
function weigh(
  culprits: readonly { readonly id: string }[],
  witnesses: readonly { readonly id: string }[],
  say: { broken: string; held: string; notSeen: string },
): Finding {
  if (culprits.length > 0) return broken(say.broken, culprits);
  return witnesses.length > 0 ? held(say.held, witnesses) : notSeen(say.notSeen);
}

const judgeSignatures: Judge = ({ calls }) => {
  const sends = calls.filter(isSend);
  const valid = sends.filter(({ signature }) => signature === 'valid');
  const isUnknown = sends.some(({ signature }) => signature === null);
  const rest = isUnknown
    ? ' Of the others nobody could tell: no key was known, or the answer came first.'
    : '';
  return weigh(
    sends.filter(({ signature }) => signature === 'missing' || signature === 'invalid'),
    valid,
    {
      broken:
        'Payouts or remittances were sent without X-Custom-Signature, or with one that does not verify.',
      held: `${valid.length} of ${sends.length} payouts and remittances carried a signature that verifies.${rest}`,
      notSeen: 'No payout or remittance whose signature could be verified was sent.',
    },
  );
};

const judgeUniqueness: Judge = (_evidence, { byReference }) => {
  const groups = [...byReference.values()];
  const clashing = groups.filter((group) => new Set(group.map(describePurpose)).size > 1).flat();
  const message =
    'One reference was used for payments that differ in amount, currency, service or recipient.';
  if (clashing.length > 0) return broken(message, clashing);
  if (groups.length < 2)
    return notSeen('Fewer than two payments were sent, so nothing shows whether references differ.');
  return held(
    `${groups.length} payments, each with a reference of its own.`,
    groups.map(([first]) => first!),
  );
};

const judgeReuse: Judge = ({ calls }, index) => {
  const failed = calls.filter(
    (call) => isInitiation(call) && (call.httpStatus === 429 || isOutcomeUnknown(call)),
  );
  const replaced = failed.filter((call) => index.findReplacement(call) !== null);
  return weigh(
    replaced,
    failed.filter((call) => index.findRetry(call) !== undefined),
    {
      broken: `A send that failed (429, 5xx, no answer, or one that does not tell) was repeated under a new reference: that can pay twice. ${SAME}`,
      held: 'Sends that failed were repeated under their own reference.',
      notSeen: 'No send failed and was then repeated.',
    },
  );
};

const judgeTimeouts: Judge = ({ calls }, index) => {
  const unknown = calls.filter((call) => isInitiation(call) && isOutcomeUnknown(call));
  const hasty = unknown.filter((call) => {
    const replacement = index.findReplacement(call);
    return replacement !== null && !index.wasAsked(call, replacement.at);
  });
  const careful = unknown.filter(
    (call) => index.wasAsked(call, Infinity) || index.findRetry(call) !== undefined,
  );
  return weigh(hasty, careful, {
    broken: `After a send whose outcome nobody knew, a new reference was used before the status of the first was asked for. ${SAME}`,
    held: 'After a send whose outcome nobody knew, its status was asked for, or it was sent again under its own reference.',
    notSeen:
      'No send ended without an answer, or with one that does not tell (5xx), and was then followed up.',
  });
};

const judgeTokens: Judge = ({ calls }) => {
  const fetches = calls.filter(isTokenGiven);
  const used = findCallsWithValidTokens(calls, fetches);
  const early = findEarlyFetches(calls);
  const times = `${early.length} of them while the one before had more than a minute left`;
  if (early.length >= FEWEST_EARLY && early.length * CALLS_FOR_EARLY >= used.length) {
    return broken(
      `${fetches.length} tokens were fetched for ${used.length} calls, ${times}: keep a token until it expires. ${TOLERATED}`,
      early,
    );
  }
  const tokens = new Set(used.map(readCredential)).size;
  if (used.length <= Math.max(tokens, fetches.length))
    return notSeen(
      'There were no more calls with a valid token than tokens, so nothing shows whether one is kept.',
    );
  const took = `${used.length} calls took ${tokens === 1 ? 'one token' : `${tokens} tokens`}`;
  if (early.length === 0) return held(`${took}.`, used);
  return held(`${took}. ${fetches.length} were fetched, ${times}. ${TOLERATED}`, used);
};

const isTokenGiven = ({ operation, httpStatus }: BackendCall): boolean =>
  operation === 'token' && httpStatus === 200;

/** A token is valid where it was fetched before our eyes, or the service took it. */
function findCallsWithValidTokens(
  calls: readonly BackendCall[],
  fetches: readonly BackendCall[],
): BackendCall[] {
  const taken = calls.filter(({ operation, httpStatus }) => operation !== 'token' && is2xx(httpStatus));
  const valid = new Set<unknown>([...fetches.map(readGivenToken), ...taken.map(readCredential)]);
  return calls.filter(
    (call) =>
      call.token !== null &&
      call.operation !== 'token' &&
      valid.has(readCredential(call)) &&
      !isTokenRefused(call),
  );
}

/** Fetched while the one before was good for more than a minute; one that was refused is good no more. */
function findEarlyFetches(calls: readonly BackendCall[]): BackendCall[] {
  const latest = new Map<string, BackendCall>();
  return calls.filter((call) => {
    if (isTokenRefused(call)) {
      const isRefused = (given: BackendCall): boolean => readGivenToken(given) === readCredential(call);
      for (const [owner, given] of latest) if (isRefused(given)) latest.delete(owner);
    }
    if (!isTokenGiven(call)) return false;
    const owner = describeOwner(call);
    const before = latest.get(owner);
    latest.set(owner, call);
    return before !== undefined && call.at < readExpiry(before) - RENEWAL_MS;
  });
}

const readGivenToken = ({ answer }: BackendCall): unknown => readMember(answer, 'access_token');
const readCredential = ({ token }: BackendCall): string | null =>
  token === null ? null : splitCredential(token).credential;
/** Each product of each of several backends has a token of its own. */
const describeOwner = ({ body }: BackendCall): string =>
  JSON.stringify([readMember(body, 'product'), readMember(body, 'consumer_key')]);

/** More seconds than this are milliseconds: the interface leaves the unit open, and nobody is blamed for the longer reading. */
const LONGEST_SECONDS = 86_400;

function readExpiry(fetched: BackendCall): number {
  const life = readMember(fetched.answer, 'expires_in');
  if (typeof life !== 'number') return fetched.at;
  return fetched.at + (life > LONGEST_SECONDS ? life : life * 1000);
}

const judgeRateLimit: Judge = ({ calls }, index) => {
  const limited = calls.filter(({ httpStatus }) => httpStatus === 429);
  const followed = limited.flatMap((call) => {
    const next = index.findSameAgain(call);
    return next === undefined
      ? []
      : [
          {
            id: next.id,
            waitedMs: next.at - call.at - call.durationMs,
            wantedMs: 1000 * (call.retryAfterSeconds ?? 1),
          },
        ];
  });
  return weigh(
    followed.filter(({ waitedMs, wantedMs }) => waitedMs < wantedMs - EARLY_MS),
    followed,
    {
      broken:
        'After a 429 the same request came again before Retry-After had passed, or a second where there was none.',
      held: 'Requests that were answered 429 came again only once Retry-After had passed, or a second where there was none.',
      notSeen: 'No 429 was answered and then followed by another try.',
    },
  );
};

const judgeForms: Judge = ({ calls }, index) => {
  const accepted = calls.filter((call) => isInitiation(call) && readAcceptanceForm(call) !== null);
  const groups = (['200.100', '100'] as const).map((form) =>
    accepted.filter((call) => readAcceptanceForm(call) === form),
  );
  const isMisread = (call: BackendCall): boolean =>
    index.findRetry(call) !== undefined || index.findReplacement(call) !== null;
  if (groups.some((group) => group.length === 0)) {
    return notSeen(
      'Acceptances were not seen in both forms: status 200.100 with code ACCEPTED, and code 100 with status ACCEPTED.',
    );
  }
  // Whoever sends duplicates on purpose does so in both forms.
  const misread = groups.filter((group) => group.every(isMisread));
  if (misread.length === 1) {
    return broken(
      `Each payment that was accepted in one of the two forms was sent again, as if it had been refused. ${SAME}`,
      misread[0]!,
    );
  }
  const message = accepted.some(isMisread)
    ? 'Accepted payments were sent again in both forms, or only some of them: the form was not why.'
    : 'Payments accepted in either form were not sent again.';
  return held(message, accepted);
};

const judgeDuplicates: Judge = ({ calls }, index) => {
  const duplicates = calls.filter((call) => isInitiation(call) && isDuplicateAnswer(call));
  const misread = duplicates.filter(
    (call) => index.findRetry(call) !== undefined || index.findReplacement(call) !== null,
  );
  return weigh(misread, duplicates, {
    broken: `After ‘duplicate ignored’ the payment was sent once more: the first one stands; ask for its status. ${SAME}`,
    held: 'After ‘duplicate ignored’ the payment was left alone.',
    notSeen: 'No send was answered ‘duplicate ignored’.',
  });
};

const judgeUuids: Judge = ({ calls }) => {
  const given = new Set(calls.map(({ answer }) => readMember(answer, 'data', 'payment_uuid')));
  const references = new Set(calls.map(({ answer }) => readMember(answer, 'data', 'payment_reference')));
  const asked = calls.filter(
    ({ operation, body }) => operation === 'status' && readMember(body, 'payment_uuid') !== undefined,
  );
  const isWrong = ({ body }: BackendCall): boolean => {
    const uuid = readMember(body, 'payment_uuid');
    if (typeof uuid !== 'string') return true;
    return !given.has(uuid) && (references.has(uuid) || !/^\d+$/.test(uuid));
  };
  return weigh(asked.filter(isWrong), asked, {
    broken:
      'A status query had something else than a payment UUID (a numeric text, or what an answer gave as one) in payment_uuid, such as the payment reference.',
    held: 'Status queries by payment_uuid had payment UUIDs.',
    notSeen: 'No status was asked for by payment_uuid.',
  });
};

const judgeTimestamps: Judge = ({ calls }) => {
  const timed = calls.filter((call) => isSend(call) && call.body !== null);
  const isWrong = ({ operation, body }: BackendCall): boolean => {
    const timestamp = readMember(body, 'transaction', 'timestamp');
    if (typeof timestamp !== 'string') return true;
    // Of a remittance both forms are taken (assumption A9).
    return !isUtcTimestamp(timestamp) && !(operation === 'remittance' && isPlainTimestamp(timestamp));
  };
  return weigh(timed.filter(isWrong), timed, {
    broken:
      'A timestamp is missing, or in another form than the interface has: payouts in ISO 8601 with Z, remittances YYYY-MM-DD HH:mm:ss.',
    held: 'Timestamps are in the form of the interface.',
    notSeen: 'No payout or remittance was sent.',
  });
};

const isTaken = ({ httpStatus }: { httpStatus: number | null }): boolean => is2xx(httpStatus);

const judgeWebhookAnswers: Judge = ({ webhooks }) => {
  const tried = webhooks.filter(({ attempts }) => attempts.length > 0);
  return weigh(
    tried.filter(({ attempts }) => !attempts.every(isTaken)),
    tried,
    {
      broken: 'Webhooks were answered with something else than 2xx, or not within 15 seconds.',
      held: 'Each webhook was answered 2xx in time.',
      notSeen: 'No webhook was delivered by a sandbox on this folder.',
    },
  );
};

const judgeWebhookDuplicates: Judge = ({ webhooks }) => {
  const repeated = webhooks.flatMap(({ id, attempts }) => {
    const first = attempts.findIndex(isTaken);
    return first === -1 || first === attempts.length - 1 ? [] : [{ id, later: attempts.slice(first + 1) }];
  });
  return weigh(
    repeated.filter(({ later }) => !later.every(isTaken)),
    repeated,
    {
      broken: 'A webhook that had been taken was answered with something else than 2xx when it came again.',
      held: 'Webhooks that came twice were answered 2xx both times. Whether they took effect once, a receiver check with a state address tells.',
      notSeen: 'No webhook was delivered twice.',
    },
  );
};

const judgeBalances: Judge = ({ calls }) =>
  weigh(
    [],
    calls.filter(({ operation, httpStatus }) => operation === 'balances' && httpStatus === 200),
    {
      broken: '',
      held: 'Wallet balances were asked for, and answered.',
      notSeen: 'No request for wallet balances was answered with 200.',
    },
  );

const judgeUrls: Judge = ({ calls }) =>
  weigh(
    calls.filter(({ hasSecretInUrl }) => hasSecretInUrl),
    calls,
    {
      broken: 'A secret stood in a URL, where proxies and logs keep it: put it into a header or the body.',
      held: 'No URL held a secret.',
      notSeen: 'No request was seen.',
    },
  );

/** One rule: how it is judged, and what exercises it. */
export interface Rule {
  readonly judge: Judge;
  readonly exercise: string;
  /** The same for whoever has the app open, where it is not a command. */
  readonly inApp?: string;
}

/** Where a sandbox runs and a folder is kept, until the report knows better. */
const BASE_URL = 'http://127.0.0.1:4010';
const SANDBOX = 'countersign sandbox --data DIR --public-key public.pem';
const START = `${SANDBOX}, then `;
const TRIGGER = `${START}countersign trigger --base-url ${BASE_URL} --callback-url RECEIVER`;

const letBackend = (what: string) => ({
  exercise: `${START}have your backend ${what}`,
  inApp: `have your backend ${what}, in the local sandbox or through the proxy to it`,
});
const payTo = (digits: string) => letBackend(`pay to an account that ends in ${digits}`);

/** The rules of the report, in its order. Closed; scripts rely on the names. */
export const goliveRules = {
  'signature.sent': {
    judge: judgeSignatures,
    ...letBackend('send a payout'),
    inApp: 'register the public key of your backend (Sandbox, Your backend) and have it send a payout',
  },
  'reference.unique': { judge: judgeUniqueness, ...letBackend('send two payouts') },
  'reference.reused_on_retry': { judge: judgeReuse, ...payTo('0008') },
  'reference.status_before_new': { judge: judgeTimeouts, ...payTo('0007') },
  'token.reused': { judge: judgeTokens, ...letBackend('make several calls within an hour') },
  'rate_limit.honoured': { judge: judgeRateLimit, ...payTo('0008') },
  'acceptance.both_forms': {
    judge: judgeForms,
    exercise:
      `${START}curl -X PUT ${BASE_URL}/_sandbox/settings -H "Authorization: Bearer $COUNTERSIGN_ADMIN_TOKEN" -d '{"acceptance_form":"100"}'` +
      ' (with the admin token that it told when it started), then have your backend send another payout',
    inApp:
      'set the form of acceptances to 100 (Sandbox, Behaviour) and have your backend send another payout',
  },
  'duplicate.understood': {
    judge: judgeDuplicates,
    ...letBackend('send one payout twice with the same reference'),
  },
  'status.payment_uuid': { judge: judgeUuids, ...letBackend('ask for a status by payment_uuid') },
  'timestamp.form': { judge: judgeTimestamps, ...letBackend('send a payout') },
  'webhook.answered': {
    judge: judgeWebhookAnswers,
    exercise: TRIGGER,
    inApp: payTo('1111').inApp,
  },
  'webhook.duplicates': {
    judge: judgeWebhookDuplicates,
    exercise: `${TRIGGER} --scenario duplicate`,
    inApp: payTo('0006').inApp,
  },
  'balances.checked': { judge: judgeBalances, ...letBackend('ask for GET /tsq/v1/wallet-balances') },
  'url.no_secret': {
    judge: judgeUrls,
    exercise: 'countersign proxy --to http://127.0.0.1:4010 --data DIR, then have your backend go through it',
    inApp: 'start the proxy (Your backend, Proxy) and have your backend go through it',
  },
} as const satisfies Record<string, Rule>;

/** What would exercise a rule, for whoever has the app open. */
export function describeExercise(rule: RuleName): string {
  const { exercise, inApp }: Rule = goliveRules[rule];
  return inApp ?? exercise;
}

export type RuleName = keyof typeof goliveRules;

export interface RuleResult extends Finding {
  readonly rule: RuleName;
  readonly exercise: string;
}

const CUT = ' Older requests are forgotten: the sandbox keeps the latest thousand, the proxy 50,000.';

/**
 * Judges what a backend did by every rule.
 *
 * @param folder - of the evidence, as a shell takes it: so that what exercises a rule can be run as it stands
 * @param baseUrl - of the sandbox that runs on it; null: none does, and it is to be started first
 */
export function judgeBackend(
  evidence: Evidence,
  folder = 'DIR',
  baseUrl: string | null = null,
): RuleResult[] {
  const index = new CallIndex(evidence.calls);
  return Object.entries(goliveRules).map(([rule, { judge, exercise }]) => {
    const finding = judge(evidence, index);
    return {
      rule: rule as RuleName,
      ...finding,
      message: finding.message + (evidence.isCut ? CUT : ''),
      exercise: writeExercise(exercise, folder, baseUrl),
    };
  });
}

/** A second sandbox on a folder would be refused. */
function writeExercise(exercise: string, folder: string, baseUrl: string | null): string {
  const rest = baseUrl === null || !exercise.startsWith(START) ? exercise : exercise.slice(START.length);
  const isForBackend = rest !== exercise && !rest.includes(BASE_URL);
  const where = isForBackend ? ` (the sandbox runs at ${baseUrl})` : '';
  return rest.replace('DIR', () => folder).replace(BASE_URL, () => baseUrl ?? BASE_URL) + where;
}
