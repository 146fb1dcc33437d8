import { describe, expect, it } from 'vitest';
import {
  createCredentialBook,
  createRepeatHiding,
  hideCredentials,
  hideInHeader,
  hideInText,
  hidePair,
  holdsCredential,
  looksLikeCredential,
  maskCredentials,
  nameSecret,
} from './credentials';
import type { ImportedRequest } from './imported';

const of = (length: number, text = 'aB3'): string => text.repeat(length).slice(0, length);
const jwt = `eyJ${of(20)}.${of(30)}.${of(25)}`;
const pem = (kind: string): string =>
  `-----BEGIN ${kind}PRIVATE KEY-----\n${of(64)}\n${of(20)}==\n-----END ${kind}PRIVATE KEY-----`;

/** Each with what is one letter short of it, or otherwise none. */
const looks: [string, string][] = [
  [jwt, `eyJ${of(7)}.${of(30)}.${of(25)}`],
  [`eyJ${of(8)}.${of(8)}.`, `eyJ${of(8)}.${of(7)}.`],
  [`eyJ${of(8)}-_.${of(6)}-_.${of(3)}-_`, `xeyJ${of(8)}.${of(8)}.`],
  [pem(''), pem('').replace('END', 'and')],
  [pem('RSA '), pem('RSA ').replace('PRIVATE KEY-----\n', 'PUBLIC KEY-----\n')],
  [pem('ENCRYPTED '), pem('rsa ')],
  [`sk_live_${of(8)}`, `sk_live_${of(7)}`],
  [`rk_test_${of(8)}`, `pk_test_${of(8)}`],
  [`ghp_${of(20)}`, `ghp_${of(19)}`],
  [`gho_${of(20)}`, `ghx_${of(20)}`],
  [`xoxb-${of(10)}`, `xoxb-${of(9)}`],
  [`AKIA${of(16, 'A1')}`, `AKIA${of(15, 'A1')}`],
  [`whsec_${of(14)}+/`, `whsec_${of(15)}`],
];

describe('looksLikeCredential', () => {
  it.each(looks)('knows %s', (credential, other) => {
    expect([looksLikeCredential(credential), looksLikeCredential(other)]).toEqual([true, false]);
    expect(looksLikeCredential(`before ${credential} after`)).toBe(true);
    const book = createCredentialBook();
    expect(hideInText(`a ${credential}, b`, book)).toBe('a {{token}}, b');
    expect(book.list()).toEqual([{ name: 'token', value: credential }]);
    expect(hideInText(`a ${other}, b`, createCredentialBook())).toBe(`a ${other}, b`);
    expect(maskCredentials(`a ${credential}, b`)).not.toContain(credential);
    expect(maskCredentials(`a ${credential}, b`)).toMatch(/^a .+, b$/s);
  });

  it('knows a scheme with what belongs to it, in the whole of a value, and no variable', () => {
    for (const scheme of ['Bearer', 'basic', 'Token', 'DIGEST', 'ApiKey'])
      expect(looksLikeCredential(`${scheme}  abcd`), scheme).toBe(true);
    for (const other of [
      'Bearer abc',
      'a Bearer abcd',
      'Bearer abcd efgh',
      'Bearer {{token}}',
      'Bearers abcd',
      '',
    ])
      expect(looksLikeCredential(other), other).toBe(false);
  });
});

it('finds what is a credential by its look or by the name beside it', () => {
  expect([jwt, 'https://a.example/?api_key=abcd1234', 'Bearer abcd'].map(holdsCredential)).toEqual([
    true,
    true,
    true,
  ]);
  expect(['https://a.example/?page=2', '', '{{token}}'].map(holdsCredential)).toEqual([false, false, false]);
});

it.each([
  ['X-Api-Key', 'x_api_key'],
  ['accessToken', 'access_token'],
  ['HTTPToken2Key', 'httptoken2_key_secret'],
  ['__password__', 'password'],
  ['pass -- word', 'pass_word'],
  ['2fa secret', '_2fa_secret'],
  ['name', 'name_secret'],
  ['', 'secret'],
  ['--', 'secret'],
  ['ключ', 'secret'],
  [`${of(80, 'a')}`, `${of(60, 'a')}_secret`],
])('names the variable for %s %s', (wanted, name) => expect(nameSecret(wanted)).toBe(name));

describe('createCredentialBook', () => {
  it('gives a value one name, another value the next, and passes over names that are taken', () => {
    const book = createCredentialBook(['token_2', 'api_key']);
    const names = ['a', 'b', 'a', 'c', 'd'].map((value) => book.hide('token', value));
    expect(names).toEqual(['{{token}}', '{{token_3}}', '{{token}}', '{{token_4}}', '{{token_5}}']);
    expect(book.hide('Api-Key', 'e')).toBe('{{api_key_2}}');
    expect(book.hide('password', 'a')).toBe('{{token}}');
    expect(book.list().map(({ name, value }) => `${name}=${value}`)).toEqual([
      'token=a',
      'token_3=b',
      'token_4=c',
      'token_5=d',
      'api_key_2=e',
    ]);
  });

  it('leaves what is empty or holds a variable', () => {
    const book = createCredentialBook();
    expect(['', '{{token}}', 'a{{b}}c'].map((value) => book.hide('token', value))).toEqual([
      '',
      '{{token}}',
      'a{{b}}c',
    ]);
    expect(book.list()).toEqual([]);
    expect(book.hide('secret', 'x')).toBe('{{secret}}');
  });
});

describe('hideInHeader', () => {
  const hide = (name: string, value: string) => {
    const book = createCredentialBook();
    return [hideInHeader(name, value, book), ...book.list().map((one) => `${one.name}=${one.value}`)];
  };

  it.each<[string, string, string[]]>([
    ['Authorization', 'Bearer abc-123', ['Bearer {{bearer_token}}', 'bearer_token=abc-123']],
    ['authorization', 'bearer abc-123', ['bearer {{bearer_token}}', 'bearer_token=abc-123']],
    ['Authorization', 'Basic asha:pa:ss', ['Basic asha:{{password}}', 'password=pa:ss']],
    ['Authorization', 'Basic key-1:', ['Basic {{api_key}}:', 'api_key=key-1']],
    ['Authorization', 'Basic YTpi', ['Basic {{basic_credential}}', 'basic_credential=YTpi']],
    ['Authorization', 'Bearer a:b', ['Bearer {{bearer_token}}', 'bearer_token=a:b']],
    ['Authorization', 'abc', ['{{authorization}}', 'authorization=abc']],
    ['X-Api-Key', 'abc', ['{{x_api_key}}', 'x_api_key=abc']],
    ['X-Other', 'Token abcd', ['Token {{x_other_secret}}', 'x_other_secret=abcd']],
    ['X-Other', 'Token {{mine}}', ['Token {{mine}}']],
    ['Authorization', 'Bearer {{token.payout}}', ['Bearer {{token.payout}}']],
    ['Accept', 'text/plain', ['text/plain']],
    ['Cookie', 'theme=dark', ['{{cookie}}', 'cookie=theme=dark']],
    ['X-Url', 'https://a.example/?token=abcd1234', ['https://a.example/?token={{token}}', 'token=abcd1234']],
  ])('%s: %s', (name, value, expected) => expect(hide(name, value)).toEqual(expected));
});

it('keeps a user and hides the password; without one the user is the key; a name that no form has goes whole', () => {
  const hide = (user: string, password: string) => {
    const book = createCredentialBook();
    return [hidePair(user, password, book), ...book.list().map(({ value }) => value)];
  };
  expect(hide('asha', 'pw')).toEqual(['asha:{{password}}', 'pw']);
  expect(hide('key', '')).toEqual(['{{api_key}}:', 'key']);
  expect(hide('a b', 'pw')).toEqual(['{{basic_credential}}', btoa('a b:pw')]);
  expect(hide('', 'pw')).toEqual(['{{basic_credential}}', btoa(':pw')]);
  expect(hide('{{the user}}', 'pw')).toEqual(['{{the user}}:{{password}}', 'pw']);
  expect(hide('a b', '{{pw}}')).toEqual(['a b:{{pw}}']);
});

describe('hideCredentials', () => {
  const request = {
    url: 'https://a.example/?api_key=abcd1234',
    headers: [
      ['Authorization', 'Bearer abc-123'],
      ['Accept', 'text/plain'],
    ],
    offHeaders: [{ name: 'X-Api-Key', value: 'off-1234' }],
    offParameters: [
      { name: 'token', value: 'off-5678' },
      { name: 'next', value: 'https://b.example/?token=zyxw9876' },
    ],
    variables: [
      ['password', 'pw-1'],
      ['line', 'Bearer abc-123'],
      ['page', '2'],
    ],
    description: `As ${jwt}`,
    body: { parts: ['{"password":"pw-2"}', { file: './a.bin' }, 'plain'] },
  } as unknown as ImportedRequest;

  it('leaves no value of one anywhere, and each variable where its value stood', () => {
    const book = createCredentialBook();
    expect(hideCredentials(request, book)).toEqual({
      url: 'https://a.example/?api_key={{api_key}}',
      headers: [
        ['Authorization', 'Bearer {{bearer_token}}'],
        ['Accept', 'text/plain'],
      ],
      offHeaders: [{ name: 'X-Api-Key', value: '{{x_api_key}}' }],
      offParameters: [
        { name: 'token', value: '{{token}}' },
        { name: 'next', value: 'https://b.example/?token={{token_2}}' },
      ],
      variables: [
        ['password', '{{password_2}}'],
        ['line', 'Bearer {{bearer_token}}'],
        ['page', '2'],
      ],
      description: 'As {{token}}',
      body: { parts: ['{"password":"{{password}}"}', { file: './a.bin' }, 'plain'] },
    });
    expect(
      book
        .list()
        .map(({ value }) => value)
        .sort(),
    ).toEqual(['abc-123', 'abcd1234', 'off-1234', 'off-5678', 'pw-1', 'pw-2', 'zyxw9876']);
  });

  it('leaves a body without one, or none, the very same', () => {
    const body = { parts: ['plain', { file: './a.bin' }] };
    expect(hideCredentials({ ...request, body }, createCredentialBook()).body).toBe(body);
    expect(hideCredentials({ ...request, body: null }, createCredentialBook()).body).toBeNull();
  });
});

it('hides what is found wherever else it stands, but no word, nothing short, no placeholder, nothing within braces', () => {
  const hide = createRepeatHiding([
    { name: 'token', value: 'aB3aB3aB3aB3' },
    { name: 'password', value: 'correct-horse-battery' },
    { name: 'pin', value: 'pin-1234567' },
    { name: 'api_key', value: 'your_api_key_12', isPlaceholder: true },
  ]);
  expect(hide('/v2/aB3aB3aB3aB3?q=aB3aB3aB3aB3')).toBe('/v2/{{token}}?q={{token}}');
  const others = 'correct-horse-battery pin-1234567 your_api_key_12 {{aB3aB3aB3aB3}}';
  expect(hide(others)).toBe(others);
});

it('hides what is found as an address encodes it and as JSON escapes it, too', () => {
  const hide = createRepeatHiding([{ name: 'token', value: 'tok4Fe9+/=Secret"' }]);
  for (const spelling of [
    'tok4Fe9%2B%2F%3DSecret%22',
    'tok4Fe9%2b%2f%3dSecret%22',
    String.raw`tok4Fe9+\/=Secret\"`,
  ])
    expect(hide(`t=${spelling}&`)).toBe('t={{token}}&');
  expect(createRepeatHiding([{ name: 'token', value: 'tok4Fe9Secret\ud800' }])('a')).toBe('a');
});
