import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { operations } from '../payments/tables/operations';
import { validateInitiation } from '../payments/validate-fields';
import { createOpenApiDocument } from './create-openapi-document';
import { payout, remittance } from '../../test/support/bodies';

interface Described {
  operationId: string;
  security: unknown[];
  parameters?: { name: string; in: string; required: boolean; schema: { type: string; pattern?: string } }[];
  requestBody?: { required: boolean; content: Record<string, { schema: object }> };
  responses: Record<string, Answered>;
}
interface Answered {
  headers: Record<string, object>;
  content: Record<string, { schema: { $ref?: string; oneOf?: { $ref: string }[] } }>;
}
interface ApiDocument {
  openapi: string;
  info: object;
  servers: { url: string }[];
  paths: Record<string, Record<string, Described>>;
  webhooks: object;
  components: { schemas: Record<string, object>; securitySchemes: object };
}

const makeDocument = () => createOpenApiDocument('http://127.0.0.1:4010') as unknown as ApiDocument;
const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, strictTypes: false });
addFormats.default(ajv);
const compile = (name: string) => ajv.compile(makeDocument().components.schemas[name]!);

describe('createOpenApiDocument', () => {
  it('has every path of every operation, each under its own operationId', () => {
    const document = makeDocument();
    const paths = Object.values(operations).flatMap((row) => row.paths);
    expect(Object.keys(document.paths).sort()).toEqual(paths.sort());
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((operation) => operation.operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'http://127.0.0.1:4010' }] });
  });

  it('is plain JSON, and every reference in it leads somewhere', () => {
    const document = makeDocument();
    const text = JSON.stringify(document);
    expect(JSON.parse(text)).toEqual(document);
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      expect(Object.keys(document.components.schemas)).toContain(name);
    }
  });

  it('has schemas that a strict compiler takes', () => {
    for (const name of Object.keys(makeDocument().components.schemas))
      expect(() => compile(name), name).not.toThrow();
  });

  it('takes exactly one identifying field in a status query', () => {
    const accepts = compile('StatusQuery');
    const bodies = [
      { payment_uuid: '1' },
      {},
      { payment_uuid: '1', request_uuid: '2' },
      { payment_uuid: '' },
    ];
    expect(bodies.map((body) => accepts(body))).toEqual([true, false, false, false]);
    expect(accepts({ payment_uuid: 7 })).toBe(false);
  });

  // By the interface document: what it asks for, and what goes where.
  it.each([
    ['post', '/payments/v1/remittance', 'remittance', 'RemittanceRequest', ['X-Custom-Signature'], true],
    [
      'post',
      '/payments/api/v1/remittance',
      'remittance_second_path',
      'RemittanceRequest',
      ['X-Custom-Signature'],
      true,
    ],
    ['post', '/payments/v1/payouts', 'payout', 'PayoutRequest', ['X-Custom-Signature'], true],
    ['post', '/payments/v1/collections', 'collection', 'CollectionRequest', [], true],
    ['post', '/tsq/v1/query/payments', 'status', 'StatusQuery', [], true],
    ['get', '/tsq/v1/wallet-balances', 'balances', null, ['currency'], true],
    ['post', '/auth/v1/token', 'token', 'TokenRequest', [], false],
    ['post', '/developer-tools/webhooks/send-test', 'send_test', 'SendTestRequest', [], false],
  ] as const)('describes %s %s', (method, path, operationId, schema, parameters, isSecured) => {
    const methods = makeDocument().paths[path]!;
    expect(Object.keys(methods)).toEqual([method]);
    const described = methods[method]!;
    expect(described).toMatchObject({ operationId, security: isSecured ? [{ bearer: [] }] : [] });
    expect(described.security).toHaveLength(isSecured ? 1 : 0);
    expect(described.parameters?.map(({ name }) => name)).toEqual(
      parameters.length === 0 ? undefined : parameters,
    );
    expect(described.requestBody).toEqual(
      schema === null
        ? undefined
        : {
            required: true,
            content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
          },
    );
    expect(Object.keys(described.responses)).toEqual(expect.arrayContaining(['405', '429']));
  });

  it('asks for a signature in Base64 and takes a currency or none', () => {
    const { paths } = makeDocument();
    const signature = paths['/payments/v1/payouts']!['post']!.parameters![0]!;
    expect(signature).toMatchObject({ in: 'header', required: true, schema: { type: 'string' } });
    const pattern = new RegExp(signature.schema.pattern!);
    expect(['AQID', 'AQ==', 'AQID?', '', '=='].map((text) => pattern.test(text))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    const currency = paths['/tsq/v1/wallet-balances']!['get']!.parameters![0]!;
    expect(currency).toMatchObject({ in: 'query', required: false, schema: { type: 'string' } });
  });

  it('describes what every answer has: an id, a schema, and of 429 how long to wait', () => {
    const { paths, components } = makeDocument();
    const answers = Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ responses }) => Object.entries(responses)),
    );
    expect(new Set(answers.map(([httpStatus]) => httpStatus)).size).toBeGreaterThan(5);
    const requestId = { required: true, schema: { type: 'string' } };
    const retryAfter = { required: true, schema: { type: 'string', pattern: '^[0-9]+$' } };
    for (const [httpStatus, { headers, content }] of answers) {
      expect(headers).toMatchObject({
        'X-Request-Id': requestId,
        ...(httpStatus === '429' && { 'Retry-After': retryAfter }),
      });
      expect(Object.keys(headers)).toHaveLength(httpStatus === '429' ? 2 : 1);
      const { $ref, oneOf = [] } = content['application/json']!.schema;
      expect(oneOf).not.toHaveLength(1);
      const references = $ref === undefined ? oneOf.map((one) => one.$ref) : [$ref];
      expect(references.length).toBeGreaterThan(0);
      for (const one of references) {
        expect(Object.keys(components.schemas)).toContain(one.replace('#/components/schemas/', ''));
      }
    }
    expect(answers.some(([, { content }]) => content['application/json']!.schema.oneOf)).toBe(true);
  });

  it('names itself, the bearer token and the webhook', () => {
    const { info, webhooks, components } = makeDocument();
    expect(info).toMatchObject({
      title: expect.any(String) as string,
      version: expect.any(String) as string,
    });
    expect(components.securitySchemes).toEqual({
      bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    });
    expect(webhooks).toMatchObject({
      outcome: {
        post: {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Webhook' } } },
          },
          responses: { '2XX': { description: expect.any(String) as string } },
        },
      },
    });
    expect(Object.keys(components.schemas)).toContain('Webhook');
  });
});

/** Values that some field takes and others do not. */
const values: unknown[] = [
  undefined, null, '', 'x', 0, 1, -1, 1.5, 9007199254740992, true, [], {}, 'KE', 'KEN', 'ke', 'KES', 'Individual',
  'Corporate', 'CR12', 'PASSPORT', 'MOMO', '254700000000', '+254700000000', '0700000000', '2030-01-31',
  '2030-02-30', '2030-01-31 12:00:00', '2030-01-31T12:00:00Z', '2030-01-31T12:00:00.5Z', '2030-01-31T12:00:00',
  '2030-01-31 25:00:00', 'https://example.com', 'ftp://example.com', 'example.com',
]; // prettier-ignore

describe('the request schemas and the check of the fields', () => {
  it.each([
    ['remittance', 'RemittanceRequest', remittance()],
    ['payout', 'PayoutRequest', payout()],
  ] as const)('agree on %s bodies', (operation, name, body) => {
    const accepts = compile(name);
    expect(accepts(body), JSON.stringify(accepts.errors)).toBe(true);
    const paths = Object.entries(body).flatMap(([key, value]) =>
      typeof value === 'object' && value !== null && key !== 'meta'
        ? [[key], ...Object.keys(value).map((inner) => [key, inner])]
        : [[key]],
    );
    const change = fc.tuple(fc.constantFrom(...paths), fc.constantFrom(...values));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        const changed = structuredClone(body) as Record<string, unknown>;
        for (const [path, value] of changes) {
          const owner = path.length === 1 ? changed : changed[path[0]!];
          if (typeof owner === 'object' && owner !== null) {
            (owner as Record<string, unknown>)[path.at(-1)!] = structuredClone(value);
          }
        }
        const sent = JSON.parse(JSON.stringify(changed)) as unknown;
        const errors = validateInitiation(operation, sent);
        // A schema cannot tell the last day of a month inside a longer text.
        if (errors.some((error) => error.field === 'transaction.timestamp')) return;
        expect(accepts(sent), JSON.stringify({ sent, errors, schema: accepts.errors })).toBe(
          errors.length === 0,
        );
      }),
      { numRuns: 2000 },
    );
  });
});
