import {
  collectionFields,
  payoutFields,
  remittanceFields,
  sendTestFields,
  statusQueryFields,
  tokenFields,
} from '../payments/tables/fields';
import type { OperationName, OperationRow } from '../payments/tables/operations';
import { describeAnswers, operationAnswers, type AnswerRow } from '../payments/schemas/answer-schemas';
import { describeBody, type JsonSchema } from '../payments/schemas/field-schemas';

/** Points to a schema of the document. */
export const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** Exactly one identifying field is sent; the others must be left out. */
function describeStatusQuery(): JsonSchema {
  const { properties } = describeBody(statusQueryFields) as { properties: Record<string, object> };
  const named = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, { ...schema, minLength: 1 }]),
  );
  return {
    type: 'object',
    properties: named,
    oneOf: Object.keys(named).map((name) => ({ required: [name] })),
  };
}

const requestSchemas: Readonly<Record<Exclude<OperationName, 'balances'>, string>> = {
  remittance: 'RemittanceRequest',
  payout: 'PayoutRequest',
  collection: 'CollectionRequest',
  status: 'StatusQuery',
  token: 'TokenRequest',
  send_test: 'SendTestRequest',
};

/** Every schema that operations point to, by name. */
export function describeSchemas(): Readonly<Record<string, JsonSchema>> {
  return {
    RemittanceRequest: describeBody(remittanceFields),
    PayoutRequest: describeBody(payoutFields),
    CollectionRequest: describeBody(collectionFields),
    StatusQuery: describeStatusQuery(),
    TokenRequest: describeBody(tokenFields),
    SendTestRequest: describeBody(sendTestFields),
    ...describeAnswers(),
  };
}

function describeResponse([httpStatus, description, schemas]: AnswerRow): JsonSchema {
  const schema = schemas.length === 1 ? reference(schemas[0]!) : { oneOf: schemas.map(reference) };
  const requestId = { description: 'Id of the request', required: true, schema: { type: 'string' } };
  const retryAfter = {
    description: 'Seconds to wait',
    required: true,
    schema: { type: 'string', pattern: '^[0-9]+$' },
  };
  return {
    description,
    headers: { 'X-Request-Id': requestId, ...(httpStatus === 429 ? { 'Retry-After': retryAfter } : {}) },
    content: { 'application/json': { schema } },
  };
}

const signatureParameter: JsonSchema = {
  name: 'X-Custom-Signature',
  in: 'header',
  required: true,
  description:
    'Standard Base64 of RSA PKCS#1 v1.5 with SHA-256 over transaction.reference, transaction.amount, ' +
    'originator.country and transaction.service_code, each as written in the body, joined without separators.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9+/]+={0,2}$' },
};

const currencyParameter: JsonSchema = {
  name: 'currency',
  in: 'query',
  required: false,
  description: 'ISO 4217, upper case; left out: all wallets of the token’s product',
  schema: { type: 'string' },
};

/** Describes an operation of the service; `pathIndex` counts the forms of its path. */
export function describeOperation(row: OperationRow, pathIndex: number): JsonSchema {
  const parameters = [
    ...(row.isSigned ? [signatureParameter] : []),
    ...(row.operation === 'balances' ? [currencyParameter] : []),
  ];
  const answers = operationAnswers[row.operation].map((answer) => [
    String(answer[0]),
    describeResponse(answer),
  ]);
  const suffix = pathIndex === 0 ? '' : '_second_path';
  const body =
    row.operation === 'balances'
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: reference(requestSchemas[row.operation]) } },
          },
        };
  return {
    operationId: row.operation + suffix,
    summary: row.label,
    description: `Interface: ${row.source}.`,
    ...(row.products.length > 0 ? { security: [{ bearer: [] }] } : { security: [] }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...body,
    responses: Object.fromEntries(answers) as Record<string, unknown>,
  };
}
