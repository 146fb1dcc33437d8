import {
  initiationFields,
  sendTestFields,
  statusQueryFields,
  tokenFields,
  type FieldRule,
  type InitiationName,
} from './tables/fields';
import type { OperationName } from './tables/operations';
import { isUtcTimestamp } from './text-formats';
import {
  validateInitiation,
  validateSendTest,
  validateStatusQuery,
  validateTokenRequest,
  type FieldError,
} from './validate-fields';

/** The body of an operation: its fields, and the check that the sandbox makes of it. */
export interface BodyRule {
  readonly fields: readonly FieldRule[];
  /** Exactly one of the fields is sent. */
  readonly isOneOf?: true;
  /** @param amountLiteral - `transaction.amount` as written; null: it is no number, or not there */
  validate(value: unknown, amountLiteral: string | null): readonly FieldError[];
}

const initiation = (name: InitiationName): BodyRule => ({
  fields: initiationFields[name],
  validate: (value, amountLiteral) =>
    validateInitiation(name, value, amountLiteral === null ? {} : { amountLiteral }),
});

/** Every operation that has a body. */
const bodyRules: Readonly<Partial<Record<string, BodyRule>>> = {
  payout: initiation('payout'),
  remittance: {
    ...initiation('remittance'),
    validate: (value, amountLiteral) => [
      ...initiation('remittance').validate(value, amountLiteral),
      ...checkTimestampForm(value),
    ],
  },
  collection: initiation('collection'),
  status: {
    fields: statusQueryFields,
    isOneOf: true,
    validate: (value) => [...validateStatusQuery(value), ...checkPaymentUuid(value)],
  },
  send_test: { fields: sendTestFields, validate: validateSendTest },
  token: { fields: tokenFields, validate: validateTokenRequest },
} satisfies Partial<Record<OperationName, BodyRule>>;

/**
 * Gives what is known of the body of an operation; null: it has none, or is none of the interface's.
 *
 * Whoever checks, completes or lays out a body asks here, so that none knows other fields than the sandbox does.
 */
export function findBodyRule(operation: string): BodyRule | null {
  return Object.hasOwn(bodyRules, operation) ? bodyRules[operation]! : null;
}

/** Tells whether a fault is one that the service lets pass: a form that it takes beside the interface's own. */
export function isLetThrough({ message }: FieldError): boolean {
  return message === isoForm || message === noUuid;
}

const noUuid = 'is no numeric text: the service’s payment_reference, or one of yours, finds no payment here';

/** The service answers that there is no such payment; only the form says that there cannot be one. */
function checkPaymentUuid(value: unknown): FieldError[] {
  const { payment_uuid: uuid } = (value ?? {}) as { payment_uuid?: unknown };
  if (typeof uuid !== 'string' || uuid === '' || /^\d+$/.test(uuid)) return [];
  return [{ field: 'payment_uuid', message: noUuid }];
}

const isoForm = 'is in the ISO form; the interface has YYYY-MM-DD HH:mm:ss for remittances';

/** The service takes both forms of a remittance (assumption A9); the interface's table has one. */
function checkTimestampForm(value: unknown): FieldError[] {
  const { transaction } = (value ?? {}) as { transaction?: unknown };
  const { timestamp } = (transaction ?? {}) as { timestamp?: unknown };
  if (typeof timestamp !== 'string' || !isUtcTimestamp(timestamp)) return [];
  return [{ field: 'transaction.timestamp', message: isoForm }];
}
