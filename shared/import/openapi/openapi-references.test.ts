import { expect, it } from 'vitest';
import { createCredentialBook } from '../credentials';
import type { ImportedRequest } from '../imported';
import { importDocument } from '../import-document';
import { readOpenapi } from './read-openapi';

it('reads what stands beside the reference of a path, and says which references lead nowhere', () => {
  const document = {
    openapi: '3.0.3',
    info: { title: 'A' },
    servers: [{ url: 'https://pay.test' }],
    security: [{ gone: [] }],
    paths: {
      '/a': { $ref: '#/components/x', get: { summary: 'Own' } },
      '/b': { $ref: '#/components/none', post: { requestBody: { $ref: '#/components/none' }, security: [] } },
      '/c': { $ref: '#/components/round' },
    },
    components: {
      round: { $ref: '#/components/round' },
      x: { get: { summary: 'Hidden' }, post: { summary: 'Referred' } },
    },
  };
  const files = [{ path: 'a.json', text: JSON.stringify(document) }];
  const { items, notes } = readOpenapi({ name: 'a.json', files }, createCredentialBook());
  expect(items.map(({ name }) => name)).toEqual(['Own', 'Referred', 'POST /b']);
  expect((items[0] as ImportedRequest).notes).toEqual([
    'Its authentication gone is not in the document, and left out.',
  ]);
  expect(notes).toEqual([
    { where: 'A', what: 'The reference #/components/none leads to nothing in the document.' },
    { where: 'A', what: 'The reference #/components/round leads to nothing in the document.' },
  ]);
});

it.each([
  ['3.1.0', '{"amount":42,"currency":"UGX"}'],
  ['3.0.3', '{"amount":1,"currency":"KES"}'],
])('reads an example beside the reference of a schema as %s means it', (openapi, body) => {
  const properties = {
    amount: { $ref: '#/components/schemas/Amount', example: 42 },
    currency: { $ref: '#/components/schemas/Currency', default: 'UGX' },
  };
  const content = { 'application/json': { schema: { properties } } };
  const schemas = { Amount: { example: 1 }, Currency: { enum: ['KES', 'UGX'] } };
  const document = {
    openapi,
    paths: { '/a': { post: { requestBody: { content } } } },
    components: { schemas },
  };
  const files = [{ path: 'a.json', text: JSON.stringify(document) }];
  const { items } = readOpenapi({ name: 'a.json', files }, createCredentialBook());
  expect((items[0] as ImportedRequest).body?.parts.join('').replace(/\s/g, '')).toBe(body);
});

it('says of braces in an example that they are a variable here', () => {
  const content = { 'application/json': { example: { note: 'Dear {{name}}' } } };
  const paths = { '/a/{id}': { post: { description: 'At {{base_url}}', requestBody: { content } } } };
  const files = [{ path: 'a.json', text: JSON.stringify({ openapi: '3.1.0', paths }) }];
  const { notes } = importDocument({ name: 'a.json', files }, 'openapi');
  expect(notes.map(({ what }) => what).filter((what) => what.includes('{{'))).toEqual([
    'The document names no server: give {{base_url}} in an environment.',
    expect.stringMatching(
      /^Its body has \{\{name\}\}, which is sent as it stands there; here it is a variable/,
    ),
  ]);
});
