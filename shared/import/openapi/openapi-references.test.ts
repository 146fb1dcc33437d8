import { expect, it } from 'vitest';
import { createCredentialBook } from '../credentials';
import type { ImportedRequest } from '../imported';
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
    },
    components: { x: { get: { summary: 'Hidden' }, post: { summary: 'Referred' } } },
  };
  const files = [{ path: 'a.json', text: JSON.stringify(document) }];
  const { items, notes } = readOpenapi({ name: 'a.json', files }, createCredentialBook());
  expect(items.map(({ name }) => name)).toEqual(['Own', 'Referred', 'POST /b']);
  expect((items[0] as ImportedRequest).notes).toEqual([
    'Its authentication gone is not in the document, and left out.',
  ]);
  expect(notes).toEqual([
    { where: 'A', what: 'The reference #/components/none leads to nothing in the document.' },
  ]);
});
