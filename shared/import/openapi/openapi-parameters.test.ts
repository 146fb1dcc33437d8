import { expect, it } from 'vitest';
import { createCredentialBook } from '../credentials';
import { readOpenapi } from './read-openapi';

it('writes the example of a parameter of the path as it has to stand in an address', () => {
  const parameters = [
    { name: 'id', in: 'path', required: true, example: 'a/b c' },
    { name: 'of', in: 'path', required: true, example: 'x-1_{{wallet}}' },
  ];
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'A', version: '1' },
    paths: { '/pay/{id}/{of}': { get: { parameters, responses: {} } } },
  });
  const { items } = readOpenapi(
    { name: 'a.json', files: [{ path: 'a.json', text }] },
    createCredentialBook(),
  );
  expect(items[0]).toMatchObject({
    url: expect.stringMatching(/\/pay\/\{\{id\}\}\/\{\{of\}\}$/) as string,
    variables: [
      ['id', 'a%2Fb%20c'],
      ['of', 'x-1_{{wallet}}'],
    ],
  });
});
