import { expect, it } from 'vitest';
import { importDocument } from './import-document';

const SECRET = 'hunter2x';
const url = 'https://x.test/a';

const postman = (auth: object | null, around?: object) =>
  JSON.stringify({
    info: { name: 'P', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    auth: around,
    variable: [{ key: 'pw', value: SECRET }],
    item: [{ name: 'A', request: { method: 'GET', url, auth } }],
  });
const bruno = (auth: object, around?: object) =>
  JSON.stringify({
    name: 'B',
    version: '1',
    root: { request: { auth: around } },
    items: [{ type: 'http', name: 'A', request: { url, method: 'GET', auth } }],
    environments: [{ name: 'dev', variables: [{ name: 'pw', value: SECRET }] }],
  });
const insomnia = (auth: object | undefined, around?: object) =>
  JSON.stringify({
    type: 'collection.insomnia.rest/5.0',
    name: 'I',
    collection: [
      {
        name: 'F',
        meta: { id: 'fld_1' },
        authentication: around,
        children: [{ name: 'A', url, method: 'GET', meta: { id: 'req_1' }, authentication: auth }],
      },
    ],
    environments: { name: 'Base', data: { pw: SECRET } },
  });
const fields = { username: 'u', password: '{{pw}}' };

it.each([
  ['Postman, of a kind that is not taken over', { 'a.json': postman({ type: 'digest', digest: [{ key: 'password', value: '{{pw}}' }] }) }],
  ['Postman, left from before', { 'a.json': postman({ type: 'noauth', basic: [{ key: 'password', value: '{{pw}}' }] }) }],
  ['Bruno in one document, not in use', { 'a.json': bruno({ mode: 'none', basic: fields }) }],
  ['Bruno in one document, of a kind that is not taken over', { 'a.json': bruno({ mode: 'ntlm', ntlm: fields }) }],
  ['a folder of Bruno, not in use', {
    'bruno.json': '{"name":"B","version":"1"}',
    'a.bru': `meta {\n  name: A\n}\n\nget {\n  url: ${url}\n  auth: none\n}\n\nauth:basic {\n  username: u\n  password: {{pw}}\n}\n`,
    'environments/dev.bru': `vars {\n  pw: ${SECRET}\n}\n`,
  }],
  ['a collection of Postman', { 'a.json': postman(null, { type: 'digest', digest: [{ key: 'password', value: '{{pw}}' }] }) }],
  ['a collection of Bruno in one document', { 'a.json': bruno({ mode: 'none' }, { mode: 'digest', digest: fields }) }],
  ['a collection of Bruno', {
    'bruno.json': '{"name":"B","version":"1"}',
    'collection.bru': 'auth {\n  mode: none\n}\n\nauth:digest {\n  username: u\n  password: {{pw}}\n}\n',
    'a.bru': `meta {\n  name: A\n}\n\nget {\n  url: ${url}\n  auth: none\n}\n`,
    'environments/dev.bru': `vars {\n  pw: ${SECRET}\n}\n`,
  }],
  ['a folder of Insomnia', { 'a.json': insomnia(undefined, { type: 'basic', disabled: true, ...fields, password: '{{ _.pw }}' }) }],
  ['a key of Insomnia, switched off', { 'a.json': insomnia({ type: 'apikey', disabled: true, key: 'X', value: '{{ _.pw }}' }) }],
  ['a key of Postman, left from before', { 'a.json': postman({ type: 'noauth', apikey: [{ key: 'value', value: '{{pw}}' }] }) }],
  ['Insomnia, switched off', { 'a.json': insomnia({ type: 'basic', disabled: true, ...fields, password: '{{ _.pw }}' }) }],
  ['Insomnia, of a kind that is not taken over', { 'a.json': insomnia({ type: 'ntlm', ...fields, password: '{{ _.pw }}' }) }],
] as const)('keeps out of every file the password of an authentication that is left out: %s', (_what, files) => {
  const plan = importDocument(
    { name: 'given', files: Object.entries(files).map(([path, text]) => ({ path, text })) },
    'auto',
  );
  const { sealed, ...inTheClear } = plan;
  expect(JSON.stringify(inTheClear)).not.toContain(SECRET);
  expect(JSON.stringify(sealed)).toContain(SECRET);
  expect(plan.counts.requests).toBe(1);
}); // prettier-ignore
