import { expect, it } from 'vitest';
import { readJsonTree } from '../../json/json-tree';
import { printJsonLine } from '../../json/print-json-tree';
import { createReferences } from './references';
import { createCredentialBook } from '../credentials';
import { readOpenapi } from './read-openapi';
import { sampleSchema } from './sample-schema';

it.each<[schema: object, sample: string]>([
  [{ minimum: 7, exclusiveMinimum: 3 }, '7'],
  [{ minimum: 3, exclusiveMinimum: 7 }, '8'],
  [{ minimum: 7, multipleOf: 5 }, '10'],
  [{ minimum: -4, multipleOf: 5 }, '0'],
  [{ minimum: 1, multipleOf: 0.01 }, '1'],
  [{ multipleOf: 0 }, '0'],
  [{ maximum: 0, exclusiveMaximum: true }, '-1'],
  [{ maximum: 9 }, '0'],
  [{ exclusiveMaximum: -3 }, '-4'],
])('samples a number between the bounds of %j', (bounds, sample) => {
  const root = readJsonTree(JSON.stringify({ type: 'integer', ...bounds }))!;
  expect(printJsonLine(sampleSchema(root, createReferences(root)))).toBe(sample);
});

it('leaves out what repeats itself by way of allOf, and takes what is not repeated', () => {
  const root = readJsonTree(
    JSON.stringify({
      properties: {
        name: { type: 'string' },
        parent: { description: 'The one above', allOf: [{ $ref: '#' }] },
        below: { type: 'array', items: { allOf: [{ $ref: '#' }] } },
        kind: { description: 'One of two', allOf: [{ enum: ['a', 'b'] }] },
      },
    }),
  )!;
  expect(printJsonLine(sampleSchema(root, createReferences(root)))).toBe(
    '{"name":"string","below":[],"kind":"a"}',
  );
});

const nest = (depth: number): object =>
  depth === 0 ? { type: 'integer' } : { properties: { inner: nest(depth - 1) } };
const many = (count: number): object => ({
  properties: Object.fromEntries(
    Array.from({ length: count }, (_one, at) => [`f${at}`, { type: 'integer' }]),
  ),
});

it.each([
  ['deep', nest(13), 1],
  ['not too deep', nest(12), 0],
  ['wide', many(2000), 1],
  ['not too wide', many(1999), 0],
  ['within itself', { $ref: '#/components/schemas/Tree' }, 0],
])('says of a body whose schema is %s whether it is all of it', (_what, schema, count) => {
  const post = { requestBody: { content: { 'application/json': { schema } } }, responses: {} };
  const document = {
    openapi: '3.1.0',
    info: { title: 'A', version: '1' },
    servers: [{ url: 'https://pay.test' }],
    paths: { '/pay': { post } },
    components: { schemas: { Tree: { properties: { up: { $ref: '#/components/schemas/Tree' } } } } },
  };
  const files = [{ path: 'a.json', text: JSON.stringify(document) }];
  const { items } = readOpenapi({ name: 'a.json', files }, createCredentialBook());
  const { notes } = items[0] as { notes: string[] };
  expect(notes.filter((note) => note.startsWith('Its body is not whole'))).toHaveLength(count);
});
