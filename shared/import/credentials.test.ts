import { expect, it } from 'vitest';
import {
  createCredentialBook,
  hideCredentials,
  hideInHeader,
  hidePair,
  holdsCredential,
  looksLikeCredential,
  maskCredentials,
  nameSecret,
} from './credentials';
import { isSecretName } from '../secrets';
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

it.each([
  ['X-Api-Key', 'x_api_key'],
  ['apiKey', 'api_key'],
  ['--partner--', 'partner_secret'],
  ['2 keys', '_2_keys_secret'],
  ['', 'secret'],
  ['***', 'secret'],
])('names the variable of a secret called %s: %s', (wanted, name) => {
  expect(nameSecret(wanted)).toBe(name);
});

it.each(['Cookie', 'Authorization', 'X-Api-Key', 'password', 'partner', 'Set-Cookie', ''])(
  'names each of several secrets called %s as one that the vault takes',
  (wanted) => {
    const book = createCredentialBook();
    for (const value of ['a', 'b', 'c']) book.hide(wanted, value);
    const names = book.list().map(({ name }) => name);
    expect(new Set(names).size).toBe(3);
    expect(names.filter((name) => !isSecretName(name))).toEqual([]);
  },
);

it('gives one value one variable, and each other value a name that nobody has', () => {
  const book = createCredentialBook(['api_key', 'api_key_3']);
  expect(['a', 'b', 'a', 'c', '', '{{own}}'].map((value) => book.hide('api_key', value))).toEqual([
    '{{api_key_2}}',
    '{{api_key_4}}',
    '{{api_key_2}}',
    '{{api_key_5}}',
    '',
    '{{own}}',
  ]);
  expect(book.list()).toEqual([
    { name: 'api_key_2', value: 'a' },
    { name: 'api_key_4', value: 'b' },
    { name: 'api_key_5', value: 'c' },
  ]);
});

it.each([
  ['ann', 'word', 'ann:{{password}}'],
  ['key', '', '{{api_key}}:'],
  ['', 'word', '{{basic_credential}}'],
  ['ann bee', 'word', '{{basic_credential}}'],
  ['{{ user }}', 'word', '{{ user }}:{{password}}'],
  ['ann bee', '{{word}}', 'ann bee:{{word}}'],
])('hides of the user “%s” and the password “%s” what is secret', (user, password, written) => {
  expect(hidePair(user, password, createCredentialBook())).toBe(written);
});

it.each([
  ['Authorization', 'Basic abcdef', 'Basic {{basic_credential}}'],
  ['Authorization', 'Token abcdef', 'Token {{authorization}}'],
  ['Authorization', 'OAuth2.0 {{t}}', 'OAuth2.0 {{t}}'],
  ['Authorization', 'OAuth2 {{t}}', '{{authorization}} {{t}}'],
  ['Authorization', 'AWS4-HMAC-SHA256 {{t}}', 'AWS4-HMAC-SHA256 {{t}}'],
  ['Authorization', 'Zoho-oauthtoken abcdef', 'Zoho-oauthtoken {{authorization}}'],
  ['Authorization', 'hunter2-9f8e7d {{t}}', '{{authorization}} {{t}}'],
  ['X-Line', 'Bearer abcd', 'Bearer {{bearer_token}}'],
  ['X-Line', 'a Bearer abcd', 'a Bearer abcd'],
  ['X-Line', 'Bearer abc', 'Bearer abc'],
  ['X-Line', 'whsec_abcdefghijklmnop', '{{token}}'],
])('hides in the header %s: %s', (name, value, written) => {
  expect(hideInHeader(name, value, createCredentialBook())).toBe(written);
});

it('knows a credential by its look, by its scheme, and by the name beside it', () => {
  const texts = ['xx sk_live_abcdefgh', 'Bearer abcd', 'Bearer {{token}}', 'http://x?api_key=abcd', 'plain'];
  expect(texts.map(looksLikeCredential)).toEqual([true, true, false, false, false]);
  expect(texts.map(holdsCredential)).toEqual([true, true, false, true, false]);
  expect(maskCredentials('it was sk_live_abcdefgh')).not.toContain('abcdefgh');
});

it('hides what is switched off, and keeps a body in which nothing is hidden', () => {
  const request = createRequest({ name: '', method: 'GET', url: 'http://x', notes: [] });
  request.offHeaders = [{ at: 0, name: 'X-Api-Key', value: 'abcd' }];
  request.offParameters = [
    { at: 0, name: 'api_key', value: 'efgh' },
    { at: 1, name: 'page', value: '2' },
  ];
  request.body = { parts: ['{"amount":1}'] };
  const hidden = hideCredentials(request, createCredentialBook());
  expect(hidden.offHeaders.map(({ value }) => value)).toEqual(['{{x_api_key}}']);
  expect(hidden.offParameters.map(({ value }) => value)).toEqual(['{{api_key}}', '2']);
  expect(hidden.body).toBe(request.body);
});

it.each([
  '<string>',
  '{api_key}',
  'YOUR_API_KEY',
  '<API_KEY_1>',
  '{token2}',
  'YOUR_KEY_12',
  'insert token here',
  'xxxxxxxx',
  '***',
  'string',
  'stringstri',
])(
  'gives each field that holds the placeholder %s a variable of its own: one value would be sent as all of them',
  (value) => {
    const book = createCredentialBook();
    expect(book.hide('password', value)).toBe('{{password}}');
    expect(book.hide('clientSecret', value)).toBe('{{client_secret}}');
    expect(book.hide('password', value)).toBe('{{password}}');
    expect(book.list().map(({ isPlaceholder }) => isPlaceholder)).toEqual([true, true]);
  },
);

it.each([
  'stringy',
  'your',
  'xx',
  '<a><b>',
  'enter sandman',
  'your-7hX2',
  '{a1b2c3}',
  '<p4ss>',
  '<pass123>',
  '{key-123}',
  'your_key_123',
  '----',
  '{"a": "b"}',
  'changeme',
])('takes %s for a value', (value) => {
  const book = createCredentialBook();
  book.hide('password', value);
  expect([book.hide('clientSecret', value), book.list()]).toEqual([
    '{{password}}',
    [{ name: 'password', value }],
  ]);
});
