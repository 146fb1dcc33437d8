import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { operations } from '../payments/tables/operations';
import { validateInitiation } from '../payments/validate-fields';
import { createOpenApiDocument } from './create-openapi-document';
import { payout, remittance } from '../../test/support/bodies';

const document = createOpenApiDocument('http://127.0.0.1:4010') as {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
  components: { schemas: Record<string, object> };
};
const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, strictTypes: false });
addFormats.default(ajv);
const compile = (name: string) => ajv.compile(document.components.schemas[name]!);

describe('createOpenApiDocument', () => {
  it('has every path of every operation, each under its own operationId', () => {
    const paths = Object.values(operations).flatMap((row) => row.paths);
    expect(Object.keys(document.paths).sort()).toEqual(paths.sort());
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((operation) => operation.operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'http://127.0.0.1:4010' }] });
  });

  it('is plain JSON, and every reference in it leads somewhere', () => {
    const text = JSON.stringify(document);
    expect(JSON.parse(text)).toEqual(document);
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      expect(Object.keys(document.components.schemas)).toContain(name);
    }
  });

  it('has schemas that a strict compiler takes', () => {
    for (const name of Object.keys(document.components.schemas))
      expect(() => compile(name), name).not.toThrow();
  });

  it('takes exactly one identifying field in a status query', () => {
    const accepts = compile('StatusQuery');
    expect(
      [{ payment_uuid: '1' }, {}, { payment_uuid: '1', request_uuid: '2' }].map((body) => accepts(body)),
    ).toEqual([true, false, false]);
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
