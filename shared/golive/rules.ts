import { isPlainTimestamp, isUtcTimestamp } from '../payments/text-formats';
import {
  describePurpose,
  isDuplicateAnswer,
  isInitiation,
  isOutcomeUnknown,
  isSend,
  readAcceptanceForm,
  readMember,
  readReference,
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

type Judge = (evidence: Evidence) => Finding;

/** More ids than this help nobody. */
const MOST_IDS = 20;
/** A send of the same purpose within so long after a failure is taken for its repetition. */
const REPETITION_MS = 15 * 60_000;
/** Clocks and networks are not exact. */
const EARLY_MS = 250;
/** A token that ends within so long may be renewed ahead. */
const RENEWAL_MS = 60_000;

const ids = (items: readonly { readonly id: string }[]): string[] =>
  items.slice(0, MOST_IDS).map(({ id }) => id);
const held = (message: string, items: readonly { readonly id: string }[]): Finding => ({
  verdict: 'held',
  message,
  evidence: ids(items),
});
const broken = (message: string, items: readonly { readonly id: string }[]): Finding => ({
  verdict: 'broken',
  message,
  evidence: ids(items),
});
const notSeen = (message: string): Finding => ({ verdict: 'not_seen', message, evidence: [] });

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
  return weigh(
    sends.filter(({ signature }) => signature === 'missing' || signature === 'invalid'),
    sends.filter(({ signature }) => signature === 'valid'),
    {
      broken:
        'Payouts or remittances were sent without X-Custom-Signature, or with one that does not verify.',
      held: 'Each payout and remittance carried a signature that verifies.',
      notSeen: 'No payout or remittance whose signature could be verified was sent.',
    },
  );
};

/** Sends by reference, in order. */
function groupByReference(calls: readonly BackendCall[]): Map<string, BackendCall[]> {
  const groups = new Map<string, BackendCall[]>();
  for (const call of calls.filter(isInitiation)) {
    const reference = readReference(call);
    if (reference !== null) groups.set(reference, [...(groups.get(reference) ?? []), call]);
  }
  return groups;
}

const judgeUniqueness: Judge = ({ calls }) => {
  const groups = [...groupByReference(calls).values()];
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

/** The next send of the same purpose under another reference, where the failed one was not sent again first. */
function findReplacement(failed: BackendCall, calls: readonly BackendCall[]): BackendCall | null {
  const purpose = describePurpose(failed);
  const reference = readReference(failed);
  const next = calls.find(
    (call) =>
      call.at > failed.at &&
      call.at - failed.at < REPETITION_MS &&
      describePurpose(call) === purpose &&
      isInitiation(call),
  );
  return next === undefined || purpose === null || readReference(next) === reference ? null : next;
}

function findRetry(failed: BackendCall, calls: readonly BackendCall[]): BackendCall | undefined {
  return calls.find(
    (call) => call.at > failed.at && isInitiation(call) && readReference(call) === readReference(failed),
  );
}

const judgeReuse: Judge = ({ calls }) => {
  const failed = calls.filter(
    (call) => isInitiation(call) && (call.httpStatus === 429 || isOutcomeUnknown(call)),
  );
  const replaced = failed.filter((call) => findReplacement(call, calls) !== null);
  return weigh(
    replaced,
    failed.filter((call) => findRetry(call, calls) !== undefined),
    {
      broken:
        'A send that failed (429, 5xx or no answer) was repeated under a new reference: that can pay twice.',
      held: 'Sends that failed were repeated under their own reference.',
      notSeen: 'No send failed and was then repeated.',
    },
  );
};

/** Whether the backend asked for the status of a payment between two moments. */
function wasAsked(failed: BackendCall, until: number, calls: readonly BackendCall[]): boolean {
  const reference = readReference(failed);
  return calls.some(
    (call) =>
      call.operation === 'status' &&
      call.at > failed.at &&
      call.at <= until &&
      readReference(call) === reference,
  );
}

const judgeTimeouts: Judge = ({ calls }) => {
  const unknown = calls.filter((call) => isInitiation(call) && isOutcomeUnknown(call));
  const hasty = unknown.filter((call) => {
    const replacement = findReplacement(call, calls);
    return replacement !== null && !wasAsked(call, replacement.at, calls);
  });
  const careful = unknown.filter(
    (call) => wasAsked(call, Infinity, calls) || findRetry(call, calls) !== undefined,
  );
  return weigh(hasty, careful, {
    broken:
      'After a send whose outcome nobody knew, a new reference was used before the status of the first was asked for.',
    held: 'After a send whose outcome nobody knew, its status was asked for, or it was sent again under its own reference.',
    notSeen: 'No send ended without an answer or with 5xx and was then followed up.',
  });
};

const judgeTokens: Judge = ({ calls }) => {
  const fetches = calls.filter(({ operation, httpStatus }) => operation === 'token' && httpStatus === 200);
  const used = calls.filter(({ hasToken, operation }) => hasToken && operation !== 'token');
  const premature = fetches.filter((call, index) => {
    const before = fetches.slice(0, index).findLast((one) => readProduct(one) === readProduct(call));
    return before !== undefined && call.at < readExpiry(before) - RENEWAL_MS;
  });
  const isPerCall = premature.length >= 1 && fetches.length >= used.length;
  const isOften = premature.length >= 2 && premature.length * 2 >= used.length;
  if (isPerCall || isOften) {
    return broken(
      `${fetches.length} tokens were fetched for ${used.length} calls, ${premature.length} of them while the one before was still good: keep a token until it expires.`,
      premature,
    );
  }
  if (used.length < 2 || used.length <= fetches.length) return notSeen('No token was seen at two calls.');
  return held(`${used.length} calls took ${fetches.length} fetched tokens.`, used);
};

const readProduct = (fetched: BackendCall): unknown => readMember(fetched.body, 'product');

function readExpiry(fetched: BackendCall): number {
  const seconds = readMember(fetched.answer, 'expires_in');
  return fetched.at + (typeof seconds === 'number' ? seconds * 1000 : 0);
}

const judgeRateLimit: Judge = ({ calls }) => {
  const limited = calls.filter(({ httpStatus }) => httpStatus === 429);
  const followed = limited.flatMap((call) => {
    const reference = readReference(call);
    const next = calls.find(
      (one) =>
        one.at > call.at &&
        one.operation === call.operation &&
        (reference === null ? one.url === call.url : readReference(one) === reference),
    );
    return next === undefined
      ? []
      : [{ id: next.id, waitedMs: next.at - call.at, wantedMs: 1000 * (call.retryAfterSeconds ?? 1) }];
  });
  return weigh(
    followed.filter(({ waitedMs, wantedMs }) => waitedMs < wantedMs - EARLY_MS),
    followed,
    {
      broken: 'After a 429 the same request came again before Retry-After had passed.',
      held: 'After each 429 the request came again only once Retry-After had passed.',
      notSeen: 'No 429 was answered and then followed by another try.',
    },
  );
};

const judgeForms: Judge = ({ calls }) => {
  const accepted = calls.filter((call) => isInitiation(call) && readAcceptanceForm(call) !== null);
  const groups = (['200.100', '100'] as const).map((form) =>
    accepted.filter((call) => readAcceptanceForm(call) === form),
  );
  const isMisread = (call: BackendCall): boolean =>
    findRetry(call, calls) !== undefined || findReplacement(call, calls) !== null;
  if (groups.some((group) => group.length === 0)) {
    return notSeen(
      'Acceptances were not seen in both forms: status 200.100 with code ACCEPTED, and code 100 with status ACCEPTED.',
    );
  }
  // Whoever sends duplicates on purpose does so in both forms.
  const misread = groups.filter((group) => group.every(isMisread));
  if (misread.length !== 1) return held('Payments accepted in either form were not sent again.', accepted);
  return broken(
    'Each payment that was accepted in one of the two forms was sent again, as if it had been refused.',
    misread[0]!,
  );
};

const judgeDuplicates: Judge = ({ calls }) => {
  const duplicates = calls.filter((call) => isInitiation(call) && isDuplicateAnswer(call));
  const misread = duplicates.filter(
    (call) => findRetry(call, calls) !== undefined || findReplacement(call, calls) !== null,
  );
  return weigh(misread, duplicates, {
    broken:
      'After ‘duplicate ignored’ the payment was sent once more: the first one stands; ask for its status.',
    held: 'After ‘duplicate ignored’ the payment was left alone.',
    notSeen: 'No send was answered ‘duplicate ignored’.',
  });
};

const judgeUuids: Judge = ({ calls }) => {
  const references = new Set(calls.map(({ answer }) => readMember(answer, 'data', 'payment_reference')));
  const asked = calls.filter(
    ({ operation, body }) => operation === 'status' && readMember(body, 'payment_uuid') !== undefined,
  );
  const isWrong = ({ body }: BackendCall): boolean => {
    const uuid = readMember(body, 'payment_uuid');
    return references.has(uuid) || typeof uuid !== 'string' || !/^\d+$/.test(uuid);
  };
  return weigh(asked.filter(isWrong), asked, {
    broken:
      'A status query had something else than a payment UUID (a numeric text) in payment_uuid, such as the payment reference.',
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
      'A timestamp is in another form than the interface has: payouts in ISO 8601 with Z, remittances YYYY-MM-DD HH:mm:ss.',
    held: 'Timestamps are in the form of the interface.',
    notSeen: 'No payout or remittance was sent.',
  });
};

const isTaken = ({ httpStatus }: { httpStatus: number | null }): boolean =>
  httpStatus !== null && httpStatus >= 200 && httpStatus < 300;

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
      held: 'Webhooks that came twice were answered 2xx both times. Whether they took effect once, check-receiver with --state-url tells.',
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
      held: 'Wallet balances were asked for.',
      notSeen: 'Wallet balances were never asked for.',
    },
  );

/** What stands in the place of a secret once it is masked. */
const MASKED = /…|•{4}|\*{8}|%E2%80%A6/i;

const judgeUrls: Judge = ({ calls }) =>
  weigh(
    calls.filter(({ url }) => MASKED.test(url)),
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
}

const sendTo = (digits: string): string =>
  `have your backend pay to an account that ends in ${digits}, through: countersign sandbox --data DIR`;

/** The rules of the report, in its order. Closed; scripts rely on the names. */
export const goliveRules = {
  'signature.sent': {
    judge: judgeSignatures,
    exercise: 'countersign sandbox --data DIR --public-key public.pem, then have your backend send a payout',
  },
  'reference.unique': { judge: judgeUniqueness, exercise: 'have your backend send two payouts' },
  'reference.reused_on_retry': { judge: judgeReuse, exercise: sendTo('0008') },
  'reference.status_before_new': { judge: judgeTimeouts, exercise: sendTo('0007') },
  'token.reused': { judge: judgeTokens, exercise: 'have your backend make several calls within an hour' },
  'rate_limit.honoured': { judge: judgeRateLimit, exercise: sendTo('0008') },
  'acceptance.both_forms': {
    judge: judgeForms,
    exercise:
      'curl -X PUT $BASE_URL/_sandbox/settings -H "Authorization: Bearer $ADMIN_TOKEN" -d \'{"acceptance_form":"100"}\', then send another payout',
  },
  'duplicate.understood': {
    judge: judgeDuplicates,
    exercise: 'have your backend send one payout twice with the same reference',
  },
  'status.payment_uuid': {
    judge: judgeUuids,
    exercise: 'have your backend ask for a status by payment_uuid',
  },
  'timestamp.form': { judge: judgeTimestamps, exercise: 'have your backend send a payout' },
  'webhook.answered': { judge: judgeWebhookAnswers, exercise: sendTo('1111') },
  'webhook.duplicates': {
    judge: judgeWebhookDuplicates,
    exercise: `${sendTo('0006')}; or: countersign check-receiver URL --scenario duplicate`,
  },
  'balances.checked': {
    judge: judgeBalances,
    exercise: 'have your backend ask for GET /tsq/v1/wallet-balances',
  },
  'url.no_secret': {
    judge: judgeUrls,
    exercise: 'countersign proxy --to URL --data DIR, and have your backend go through it',
  },
} as const satisfies Record<string, Rule>;

export type RuleName = keyof typeof goliveRules;

export interface RuleResult extends Finding {
  readonly rule: RuleName;
  readonly exercise: string;
}

const CUT = ' Older requests are forgotten: the sandbox keeps the latest thousand, the proxy 50,000.';

/** Judges what a backend did by every rule. */
export function judgeBackend(evidence: Evidence): RuleResult[] {
  return Object.entries(goliveRules).map(([rule, { judge, exercise }]) => {
    const finding = judge(evidence);
    return {
      rule: rule as RuleName,
      ...finding,
      message: finding.message + (evidence.isCut ? CUT : ''),
      exercise,
    };
  });
}
