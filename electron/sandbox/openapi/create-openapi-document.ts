import {
  collectionFields,
  payoutFields,
  remittanceFields,
  sendTestFields,
  statusQueryFields,
  tokenFields,
} from '@shared/payments/tables/fields';
import { operations, type OperationName, type OperationRow } from '@shared/payments/tables/operations';
import { describeAnswers, operationAnswers, type AnswerRow } from '@shared/payments/schemas/answer-schemas';
import { describeBody, type JsonSchema } from '@shared/payments/schemas/field-schemas';

const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

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

function describeRequests(): Readonly<Record<string, JsonSchema>> {
  return {
    RemittanceRequest: describeBody(remittanceFields),
    PayoutRequest: describeBody(payoutFields),
    CollectionRequest: describeBody(collectionFields),
    StatusQuery: describeStatusQuery(),
    TokenRequest: describeBody(tokenFields),
    SendTestRequest: describeBody(sendTestFields),
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

function describeOperation(row: OperationRow, pathIndex: number): JsonSchema {
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

function describePaths(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.values(operations).flatMap((row) =>
      row.paths.map((path, index) => [path, { [row.method.toLowerCase()]: describeOperation(row, index) }]),
    ),
  );
}

/**
 * Writes the OpenAPI 3.1 document of the sandbox.
 *
 * Made from the tables that the checks themselves run on, so the two cannot differ.
 * @param baseUrl - address of the sandbox, without a slash at its end
 * @source payments-service-interface, parts 2 to 9; assumptions A1 to A9
 */
export function createOpenApiDocument(baseUrl: string): Record<string, unknown> {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Countersign sandbox',
      version: '1.0.0',
      description:
        'Payouts, remittances, collections, status queries, wallet balances and webhook simulation, run locally. ' +
        'What the interface leaves open is assumed; the README names each assumption.',
    },
    servers: [{ url: baseUrl }],
    paths: describePaths(),
    webhooks: {
      outcome: {
        post: {
          operationId: 'outcome',
          summary: 'Final outcome of a payment, sent to its callback_url',
          requestBody: {
            required: true,
            content: { 'application/json': { schema: reference('Webhook') } },
          },
          responses: { '2XX': { description: 'Received; anything else is tried again' } },
        },
      },
    },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { ...describeRequests(), ...describeAnswers() },
    },
  };
}
