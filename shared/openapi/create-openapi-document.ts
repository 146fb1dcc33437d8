import { operations } from '../payments/tables/operations';
import { describeOperation, describeSchemas, reference } from './describe-operations';
import type { JsonSchema } from '../payments/schemas/field-schemas';

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
        'What the interface leaves open is assumed; docs/assumptions.md names each assumption.',
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
      schemas: describeSchemas(),
    },
  };
}
