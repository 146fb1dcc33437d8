import { errorCodes, initiationOutcomes, unknownPayment, type CodeRow } from '../tables/codes';
import { acceptanceData, statusData, walletRecord, webhookFields } from '../tables/fields';
import type { OperationName } from '../tables/operations';
import { products } from '../tables/products';
import { describeRecord, type JsonSchema } from './field-schemas';

const text = (description: string): JsonSchema => ({ type: 'string', description });
const emptyObject: JsonSchema = { type: 'object', maxProperties: 0 };

/** An object with exactly these members, each of them required. */
function exactly(properties: Readonly<Record<string, unknown>>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function describeOutcome(row: { status: string; code: string }, data: JsonSchema): JsonSchema {
  return exactly({
    status: { const: row.status },
    code: { const: row.code },
    description: text('What happened, for a person'),
    data,
  });
}

function describeError(row: { code: string; status: string; data: CodeRow['data'] }): JsonSchema {
  const fieldErrors = exactly({
    field_errors: {
      type: 'array',
      minItems: 1,
      items: exactly({
        field: text('Path, such as recipient.account'),
        message: text('What is expected there'),
      }),
    },
  });
  const data = { null: { type: 'null' }, empty: emptyObject, field_errors: fieldErrors }[row.data];
  return describeOutcome(row, data);
}

function describeBalanceError(code: number): JsonSchema {
  return exactly({
    code: { const: code },
    status: { const: 'FAILED' },
    description: text('What happened, for a person'),
    results: emptyObject,
  });
}

const checkoutUrl: JsonSchema = { type: 'string', format: 'uri', description: 'Hosted checkout page' };

function describeCheckoutData(): JsonSchema {
  const record = describeRecord(acceptanceData) as {
    properties: Readonly<Record<string, unknown>>;
    required: readonly string[];
  };
  return {
    ...record,
    properties: { ...record.properties, checkout_url: checkoutUrl },
    required: [...record.required, 'checkout_url'],
  };
}

/** Every body that the service answers with, by the name of its schema. @source parts 2.3 to 2.5, 4 and 7 */
export function describeAnswers(): Readonly<Record<string, JsonSchema>> {
  const acceptance = describeRecord(acceptanceData);
  const checkout = describeCheckoutData();
  const { accepted, acceptedOtherForm, duplicate, rejected } = initiationOutcomes;
  return {
    Acceptance: describeOutcome(accepted, acceptance),
    AcceptanceOtherForm: describeOutcome(acceptedOtherForm, acceptance),
    CheckoutAcceptance: describeOutcome(accepted, checkout),
    CheckoutAcceptanceOtherForm: describeOutcome(acceptedOtherForm, checkout),
    DuplicateIgnored: describeOutcome(duplicate, emptyObject),
    Rejection: describeOutcome(rejected, { type: 'null' }),
    StatusRecord: describeOutcome(accepted, describeRecord(statusData)),
    WalletBalances: exactly({
      code: { const: 200 },
      status: { const: 'SUCCESS' },
      description: text('What happened, for a person'),
      results: { type: 'array', items: describeRecord(walletRecord) },
    }),
    Token: exactly({
      access_token: { type: 'string', pattern: '^[\\w-]+\\.[\\w-]+\\.[\\w-]+$', description: 'A JWT' },
      token_type: { const: 'Bearer' },
      expires_in: { type: 'integer', minimum: 1, description: 'Seconds' },
      product: { enum: products },
    }),
    SampleQueued: describeOutcome(accepted, exactly({ delivery_id: text('Id of the delivery') })),
    ValidationError: describeError(errorCodes.validation),
    AuthenticationError: describeError(errorCodes.authentication),
    AuthorizationError: describeError(errorCodes.authorization),
    InternalError: describeError(errorCodes.internal),
    TokenError: describeError(errorCodes.token),
    NotFoundError: describeError(errorCodes.not_found),
    PaymentNotFound: describeError({ ...unknownPayment, data: 'empty' }),
    ErrorObject: {
      type: 'object',
      properties: {
        error: text('Machine-readable code'),
        message: text('What is wrong, for a person'),
        param: text('The field that it is about'),
        request_id: text('Also in X-Request-Id'),
      },
      required: ['error', 'message'],
      additionalProperties: false,
    },
    BalanceUnauthorized: describeBalanceError(401),
    BalanceNotFound: describeBalanceError(404),
    BalanceMethodError: describeBalanceError(405),
    BalanceInternalError: describeBalanceError(500),
    Webhook: describeWebhook(),
  };
}

/** A sample carries what its request named; all else in it may be null. */
function describeWebhook(): JsonSchema {
  const nullable = webhookFields.map((field) => ({ ...field, isNullable: true }));
  return describeRecord(nullable);
}

/** One answer of an operation: HTTP status, what it says, names of the schemas that its body may have. */
export type AnswerRow = readonly [httpStatus: number, description: string, schemas: readonly string[]];

const every: readonly AnswerRow[] = [
  [405, 'Method not allowed', ['ErrorObject']],
  [429, 'Too many requests: wait for Retry-After seconds', ['ErrorObject']],
  [500, 'Internal server error', ['InternalError']],
];

function initiationAnswers(accepted: readonly string[]): readonly AnswerRow[] {
  return [
    [200, 'A duplicate, ignored: the first payment stays as it is', ['DuplicateIgnored']],
    [201, 'Accepted for processing; the final outcome comes by webhook', accepted],
    [
      400,
      'Not readable, fields refused, or a business rule',
      ['ErrorObject', 'ValidationError', 'Rejection'],
    ],
    [401, 'Token, product or signature refused', ['TokenError', 'AuthenticationError']],
    ...every,
  ];
}

/** What each operation answers. @source payments-service-interface, parts 4 and 7; assumptions A1 to A8 */
export const operationAnswers: Readonly<Record<OperationName, readonly AnswerRow[]>> = {
  remittance: initiationAnswers(['Acceptance', 'AcceptanceOtherForm']),
  payout: initiationAnswers(['Acceptance', 'AcceptanceOtherForm']),
  collection: initiationAnswers(['CheckoutAcceptance', 'CheckoutAcceptanceOtherForm']),
  status: [
    [200, 'The payment as it stands', ['StatusRecord']],
    [400, 'Not readable, or not exactly one identifying field', ['ErrorObject']],
    [401, 'Token refused, or of another product than the payment', ['TokenError', 'AuthenticationError']],
    [404, 'No such payment', ['PaymentNotFound']],
    ...every,
  ],
  balances: [
    [200, 'Wallets of the token’s product', ['WalletBalances']],
    [401, 'Token refused', ['BalanceUnauthorized']],
    [404, 'No wallet in this currency', ['BalanceNotFound']],
    [405, 'Method not allowed', ['BalanceMethodError']],
    [429, 'Too many requests: wait for Retry-After seconds', ['ErrorObject']],
    [500, 'Internal server error', ['BalanceInternalError']],
  ],
  token: [
    [200, 'A token for one product', ['Token']],
    [400, 'Not readable, or fields refused', ['ErrorObject', 'ValidationError']],
    [401, 'Consumer key or secret refused', ['AuthenticationError']],
    ...every,
  ],
  send_test: [
    [200, 'The sample webhook is queued', ['SampleQueued']],
    [400, 'Not readable, or fields refused', ['ErrorObject', 'ValidationError']],
    [403, 'A host that this sandbox may not call', ['AuthorizationError']],
    ...every,
  ],
};
