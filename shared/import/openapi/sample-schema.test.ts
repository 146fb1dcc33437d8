import { expect, it } from 'vitest';
import { readJsonTree } from '../../json/json-tree';
import { printJsonLine } from '../../json/print-json-tree';
import { createReferences } from './references';
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
