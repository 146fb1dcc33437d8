import { expect, it } from 'vitest';
import { createCredentialBook, hideCredentials } from './credentials';
import { createRequest } from './imported';

it.each([
  ['line', 'Bearer abcd-1234', 'Bearer {{bearer_token}}'],
  ['line', 'Basic ann:word', 'Basic ann:{{password}}'],
  ['my_token', 'abcd', '{{my_token}}'],
  ['address', 'https://ann:word@x.example', 'https://ann:{{password}}@x.example'],
  ['line', 'Bearer {{token.payout}}', 'Bearer {{token.payout}}'],
  ['rail', 'Bearer', 'Bearer'],
])('a variable of a file, %s = %s, is written as %s', (name, value, written) => {
  const request = createRequest({ name: '', method: 'GET', url: 'http://x', notes: [] });
  request.variables = [[name, value]];
  expect(hideCredentials(request, createCredentialBook()).variables).toEqual([[name, written]]);
});
