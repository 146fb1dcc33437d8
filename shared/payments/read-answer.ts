import { cutMasked } from '../cut-masked';
import type { Operation } from '../contract/common';
import type { Reading } from '../contract/sending';
import { memberOf, readJsonMembers, textOf, type JsonNode } from '../json/json-tree';
import { errorCodes, unknownPayment } from './tables/codes';
import { isProduct } from './tables/products';

type Outcome = Reading['outcome'];

/** What the rules below look at; texts are as received, numbers as their literals. */
interface Facts {
  readonly operation: Operation;
  readonly httpStatus: number;
  readonly isJson: boolean;
  readonly whyUnread: string | null;
  readonly code: string | null;
  readonly status: string | null;
  readonly description: string | null;
  readonly state: string | null;
  /** `error` of the error object (7.2). */
  readonly error: string | null;
  readonly fieldErrorCount: number;
  readonly walletCount: number | null;
  readonly hasAccessToken: boolean;
  readonly checkoutUrl: string | null;
}

interface Rule {
  readonly when: (facts: Facts) => boolean;
  readonly outcome: Outcome;
  readonly title: string | ((facts: Facts) => string);
}

/** Either place may hold either value: the interface has two forms, and clients must tolerate both (4.1). */
const says = (facts: Facts, ...values: readonly string[]): boolean =>
  values.some(
    (value) =>
      facts.code === value || facts.status?.toUpperCase() === value || facts.code?.toUpperCase() === value,
  );
const isSuccess = ({ httpStatus }: Facts): boolean => httpStatus >= 200 && httpStatus < 300;
const saysUnknownPayment = (facts: Facts): boolean => says(facts, unknownPayment.status, unknownPayment.code);
const isPayment = ({ operation }: Facts): boolean => isProduct(operation);

/** Answers that name another address: which is never followed by itself. @source RFC 9110, 15.4 */
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const STATE_TITLES: Readonly<Record<string, string>> = {
  processing: 'In progress',
  succeeded: 'Succeeded',
  failed: 'Failed',
  canceled: 'Canceled',
};

/** Read from top to bottom; the first that holds names the outcome. @source parts 2.3, 3, 4 and 7 */
const RULES: readonly Rule[] = [
  // Neither says what became of the request, whatever stands beside it: one is not followed, and the others are no answers yet.
  {
    when: (f) => redirectStatuses.has(f.httpStatus),
    outcome: 'unknown',
    title: (f) => `Answered ${f.httpStatus}: the service points elsewhere`,
  },
  { when: (f) => f.httpStatus < 400 && !isSuccess(f), outcome: 'unknown', title: nameUnknown },
  {
    when: (f) => f.httpStatus === 429,
    outcome: 'rate_limited',
    title: 'Too many requests: wait, then try again',
  },
  { when: (f) => says(f, errorCodes.token.code), outcome: 'unauthorized', title: 'Token invalid or expired' },
  {
    when: (f) => f.httpStatus === 403 || says(f, errorCodes.authorization.code, 'FORBIDDEN', '403'),
    outcome: 'unauthorized',
    title: 'Not allowed',
  },
  {
    when: (f) => f.httpStatus === 401 || says(f, errorCodes.authentication.code, 'UNAUTHORIZED', '401'),
    outcome: 'unauthorized',
    title: 'Authentication failed',
  },
  {
    when: (f) => isPayment(f) && f.httpStatus >= 400 && f.httpStatus < 500 && says(f, 'ACCEPTED'),
    outcome: 'unknown',
    title: (f) => `Answered ${f.httpStatus}, though the body says ACCEPTED`,
  },
  {
    // Nor is one of another server, as behind a wrong base address, the service's word about a wallet.
    when: (f) =>
      f.operation === 'balances' && f.httpStatus === 404 && (f.error !== null || !says(f, '404', 'FAILED')),
    outcome: 'unknown',
    title: 'Answered 404, not in the service’s form for a wallet that it does not have',
  },
  {
    when: (f) => f.operation === 'balances' && (f.httpStatus === 404 || says(f, '404')),
    outcome: 'not_found',
    title: 'No wallet in this currency',
  },
  {
    // Any server answers 404: that a payment is not there, only the service's own form says.
    when: (f) => f.operation === 'status' && f.httpStatus === 404 && !saysUnknownPayment(f),
    outcome: 'unknown',
    title: 'Answered 404, not in the service’s form for an unknown payment',
  },
  {
    when: (f) =>
      f.operation === 'status'
        ? (f.httpStatus === 404 || isSuccess(f)) && saysUnknownPayment(f)
        : f.httpStatus === 404 || saysUnknownPayment(f),
    outcome: 'not_found',
    title: (f) => (f.operation === 'status' ? 'No such payment' : 'Not found'),
  },
  {
    when: (f) => f.httpStatus >= 500 || says(f, errorCodes.internal.code),
    outcome: 'failed',
    title: 'The service failed',
  },
  {
    when: (f) => f.fieldErrorCount > 0 && f.error === null && !isSuccess(f),
    outcome: 'rejected',
    title: (f) =>
      f.fieldErrorCount === 1
        ? 'Rejected: one field is wrong'
        : `Rejected: ${f.fieldErrorCount} fields are wrong`,
  },
  {
    when: (f) =>
      (isPayment(f) || f.operation === 'other') &&
      says(f, 'REJECTED') &&
      (says(f, '200.100') || /duplicate/i.test(f.description ?? '')),
    outcome: 'duplicate',
    title: 'Duplicate ignored: this reference was used before',
  },
  {
    when: (f) => f.error !== null && !isSuccess(f),
    outcome: 'rejected',
    title: (f) => `Rejected: ${f.error ?? ''}`,
  },
  { when: (f) => says(f, 'REJECTED') || f.httpStatus >= 400, outcome: 'rejected', title: 'Rejected' },
  { when: (f) => says(f, 'FAILED'), outcome: 'failed', title: 'Failed' },
  {
    when: (f) => isPayment(f) && says(f, 'ACCEPTED'),
    outcome: 'accepted',
    title: (f) => (f.checkoutUrl === null ? 'Accepted for processing' : 'Checkout ready for the customer'),
  },
  {
    when: (f) => f.operation === 'send_test' && says(f, 'ACCEPTED'),
    outcome: 'accepted',
    title: 'Test webhook on its way',
  },
  {
    when: (f) => f.operation === 'status' && isSuccess(f) && f.state !== null,
    outcome: 'ok',
    title: (f) => STATE_TITLES[f.state ?? ''] ?? `State: ${f.state ?? ''}`,
  },
  {
    when: (f) => f.operation === 'balances' && f.walletCount !== null,
    outcome: 'ok',
    title: (f) =>
      f.walletCount === 0 ? 'No wallets' : f.walletCount === 1 ? 'One wallet' : `${f.walletCount} wallets`,
  },
  { when: (f) => f.operation === 'token' && f.hasAccessToken, outcome: 'ok', title: 'Token issued' },
  {
    when: (f) => isSuccess(f) && (f.operation === 'other' || f.operation === 'send_test'),
    outcome: 'ok',
    title: (f) => `Answered ${f.httpStatus}`,
  },
];

/**
 * Reads what an answer means.
 *
 * Tolerant on purpose: both acceptance forms, the three error shapes and whatever a proxy puts in between;
 * the `Content-Type` is not asked. Anything else is `unknown`, never a guess of success.
 * @param bodyText - the body as received, decoded as UTF-8
 * @param whyUnread - why that is not what the service said (`findWhyUnread`); null: it is
 * @param mask - hides what is secret in each text of the reading: a body that was masked as a whole may be no JSON any more
 * @source payments-service-interface, parts 2.3, 2.4, 4.1 to 4.5, 7; assumptions A1, A2, A5, A8
 */
export function readAnswer(
  operation: Operation,
  httpStatus: number,
  bodyText: string,
  whyUnread: string | null = null,
  mask = (text: string): string => text,
): Reading {
  const cutText = <T extends string | null>(text: T): T =>
    text === null ? text : (cutMasked(text, mask, LONGEST_TEXT) as T);
  const tree = whyUnread === null ? readJsonMembers(bodyText, ...ANSWER_MEMBERS) : null;
  const record = findRecord(tree);
  const fieldErrors = readFieldErrors(tree, record);
  const facts: Facts = {
    operation,
    httpStatus,
    isJson: tree !== null,
    whyUnread,
    code: textOf(tree, 'code'),
    status: textOf(tree, 'status'),
    description: textOf(tree, 'description') ?? textOf(tree, 'message'),
    state: textOf(record, 'state'),
    error: textOf(tree, 'error'),
    fieldErrorCount: fieldErrors.length,
    walletCount: countWallets(tree),
    hasAccessToken: textOf(tree, 'access_token') !== null,
    checkoutUrl: textOf(record, 'checkout_url') ?? textOf(tree, 'checkout_url'),
  };
  const rule = RULES.find(({ when }) => when(facts));
  return {
    outcome: rule?.outcome ?? 'unknown',
    title: cutText(titleOf(rule, facts)),
    code: cutText(facts.code ?? facts.error),
    status: cutText(facts.status),
    description: cutText(facts.description),
    paymentUuid: cutText(textOf(record, 'payment_uuid')),
    paymentReference: cutText(textOf(record, 'payment_reference')),
    state: cutText(facts.state),
    fieldErrors: fieldErrors
      .slice(0, MOST_FIELD_ERRORS)
      .map(({ field, message }) => ({ field: cutText(field), message: cutText(message) })),
    ...(fieldErrors.length > MOST_FIELD_ERRORS && { fieldErrorCount: fieldErrors.length }),
    checkoutUrl: cutText(facts.checkoutUrl),
  };
}

/** Whoever answers may name a hundred thousand fields, or one of megabytes: a reading is what somebody reads. */
const MOST_FIELD_ERRORS = 100;
const LONGEST_TEXT = 2000;

function titleOf(rule: Rule | undefined, facts: Facts): string {
  if (rule === undefined) return nameUnknown(facts);
  return typeof rule.title === 'string' ? rule.title : rule.title(facts);
}

function nameUnknown({ httpStatus, isJson, whyUnread }: Facts): string {
  if (whyUnread !== null) return `Answered ${httpStatus}, ${whyUnread}`;
  return isJson
    ? `Answered ${httpStatus} in a form that the interface does not name`
    : `Answered ${httpStatus} without JSON`;
}

/** Where `findRecord` looks. */
export const RECORD_MEMBERS = ['data', 'results'] as const;

/** All that is read of an answer: of ten megabytes of anything else a tree would take seconds. */
const ANSWER_MEMBERS = [
  ...RECORD_MEMBERS,
  'access_token',
  'checkout_url',
  'code',
  'description',
  'error',
  'field_errors',
  'message',
  'param',
  'status',
] as const;

/** The record of an answer: `data`; where a service answers with `results` in its place, that, or the one record in it. */
export function findRecord(tree: JsonNode | null): JsonNode | null {
  const data = memberOf(tree, 'data');
  if (data?.kind === 'object') return data;
  const results = memberOf(tree, 'results') ?? data;
  if (results?.kind === 'array') return results.items.length === 1 ? results.items[0]! : null;
  return results;
}

/** Reads which fields an answer refuses, in either form of the interface. @param record - as `findRecord` finds it */
export function readFieldErrors(tree: JsonNode | null, record: JsonNode | null): Reading['fieldErrors'] {
  const list = memberOf(record, 'field_errors') ?? memberOf(tree, 'field_errors');
  if (list?.kind === 'array') {
    return list.items.map((item) => ({
      field: textOf(item, 'field') ?? '',
      message: textOf(item, 'message') ?? textOf(item) ?? '',
    }));
  }
  const param = textOf(tree, 'param');
  return param === null ? [] : [{ field: param, message: textOf(tree, 'message') ?? '' }];
}

/** `results` is a list, or an empty object where there is nothing (4.4). */
function countWallets(tree: JsonNode | null): number | null {
  const results = memberOf(tree, 'results');
  if (results?.kind === 'array') return results.items.length;
  return results?.kind === 'object' && results.members.size === 0 ? 0 : null;
}
