import { describe, expect, it } from 'vitest';
import { adviseOnMissing, describeForeignName, findForeignVariables } from './foreign-variables';
import { parseHttpFile } from './parse-http-file';
import { prepareRequest } from './prepare-request';

const read = (text: string) => {
  const [block] = parseHttpFile(text).requests;
  return prepareRequest(block!, {
    variables: { base_url: 'https://pay.example' },
    dynamic: { get: () => null, renew: () => undefined, renewTimes: () => undefined },
  });
};
const payout = (header: string, body = '{}'): string =>
  `POST {{base_url}}/payments/v1/payouts\nX-A: 1\n${header}\n\n${body}\n`;
const find = (text: string) => read(text).foreign;

describe('findForeignVariables', () => {
  it.each([
    'token',
    'access_token',
    'accessToken',
    'bearer',
    'BEARER_TOKEN',
    'auth-token',
    'jwt',
    'token.payouts',
    'token.',
  ])('leads {{%s}} to the token of the request’s own product', (name) => {
    expect(find(payout(`Authorization: Bearer {{${name}}}`))).toEqual([
      {
        name,
        line: 3,
        message: 'Tokens are fetched by Countersign: write {{token.payout}} in its place.',
        fix: {
          label: 'Write {{token.payout}}',
          part: 'header',
          from: `Bearer {{${name}}}`,
          to: 'Bearer {{token.payout}}',
        },
      },
    ]);
  });

  it.each([
    ['timestamp', 'Times are made here: write {{$isoTimestamp}}'],
    ['currentDateTime', 'Times are made here: write {{$isoTimestamp}}'],
    ['callbackUrl', 'The address of your inbox is {{callback_url}} here'],
    ['webhook-url', 'The address of your inbox is {{callback_url}} here'],
  ])('leads {{%s}} of a body to what the app makes', (name, message) => {
    expect(find(payout('X-B: c', `{"a":"{{${name}}}"}`))).toEqual([
      { name, line: 5, message: expect.stringContaining(message) as string, fix: null },
    ]);
  });

  it.each([
    'tokens',
    'my_token',
    'xaccess_token',
    'bearers',
    'mybearer',
    'jwts',
    'myjwt',
    'xapi_host',
    'hosts',
    'host-and-name',
    'my login.response.body',
    'a b.request.body',
    'login.response.bodyless',
    'token_count',
    'payment_token_id',
    'my_host_id',
    'response.body',
    'reference',
    'idempotency_key',
    'callback_url',
    'callback_urls',
    'timestamps',
    'my_timestamp',
  ])('leaves {{%s}} to its environment', (name) => {
    expect(find(payout(`X-B: {{${name}}}`, `{"a":"{{${name}}}"}`))).toEqual([]);
  });

  it('writes the scheme where the variable was to bring it', () => {
    expect(find(payout('Authorization: {{ bearer }}'))[0]!.fix).toMatchObject({
      from: '{{ bearer }}',
      to: 'Bearer {{token.payout}}',
    });
  });

  it.each([
    ['another header', 'X-Auth: {{token}}'],
    ['another scheme', 'Authorization: Basic {{token}}'],
    ['two of them', 'Authorization: Bearer {{token}}\nAuthorization: Bearer {{token}}'],
    ['more behind it', 'Authorization: Bearer {{token}} x'],
  ])('offers nothing certain in %s', (_name, header) => {
    expect(find(payout(header))[0]).toMatchObject({ name: 'token', fix: null });
  });

  it('names all products where the request is of none, and headers where it stands elsewhere', () => {
    const [balances] = find('GET {{base_url}}/tsq/v1/wallet-balances\nAuthorization: Bearer {{token}}\n');
    expect(balances).toMatchObject({
      message: expect.stringContaining(
        '{{token.payout}} or {{token.remittance}} or {{token.collection}}',
      ) as string,
      fix: null,
    });
    const [other] = find('GET https://elsewhere.example/\nAuthorization: Bearer {{token}}\n');
    expect(other!.message).toContain('Any other token needs a value');
    const [body] = find(payout('X-B: 1', '\n{"token":"{{token}}"}'));
    expect(body).toMatchObject({ message: expect.stringContaining('in headers alone') as string, fix: null });
    expect(body!.line).toBe(6);
  });

  it.each([
    ['login.response.body.$.data.id', '# @capture id = body data.id', 'id'],
    ['login.response.body.data.items[0].id', '# @capture id = body data.items[0].id', 'id'],
    ["login.response.body.$['data'].id", '# @capture id = body data.id', 'id'],
    ['login.response.headers.X-Request-Id', '# @capture X_Request_Id = header X-Request-Id', 'X_Request_Id'],
    ["login.response.body['data'].id", '# @capture id = body data.id', 'id'],
    ['login.response.body.a[10].12', '# @capture a = body a[10].12', 'a'],
    ['login.response.body.a$.b', '# @capture NAME = body PATH', 'NAME'],
    ['login.response.body.$.a[x]', '# @capture NAME = body PATH', 'NAME'],
    ["login.response.headers.['x']", '# @capture NAME = body PATH', 'NAME'],
    ['login.response.body', '# @capture NAME = body PATH', 'NAME'],
    ['login.response.body.*', '# @capture NAME = body PATH', 'NAME'],
    ['login.response.body.//item', '# @capture NAME = body PATH', 'NAME'],
  ])('leads {{%s}} to a capture', (name, line, variable) => {
    const [found] = find(payout(`X-B: {{${name}}}`));
    expect(found).toMatchObject({ name, fix: null });
    expect(found!.message).toContain(`\`${line}\` above the request 'login', and {{${variable}}} here`);
  });

  it('leads the token of a login’s answer to the token, and parts of a request to a variable', () => {
    expect(find(payout('Authorization: Bearer {{login.response.body.$.access_token}}'))[0]!.fix?.to).toBe(
      'Bearer {{token.payout}}',
    );
    expect(find(payout('X-B: {{login.request.body.$.id}}'))[0]!.message).toContain(
      'a variable that both use',
    );
  });

  it('leads the token of another service’s answer to a capture, too', () => {
    const line = "write `# @capture token = body token` above the request 'login', and {{token}} here";
    const say = (text: string): string => find(text)[0]!.message;
    const inHeader = say('GET https://elsewhere.example/\nAuthorization: {{login.response.body.token}}\n');
    expect(inHeader).toMatch(
      /^Tokens of the service are fetched .* in its place\. Others are taken by a line of their own: /,
    );
    expect(inHeader).toContain(line);
    const inAddress = say('GET https://elsewhere.example/?t={{login.response.body.$.token}}\n');
    expect(inAddress).toMatch(/^Values of answers are taken by/);
    expect(inAddress).toContain(line);
  });

  it.each([
    ['{{host}}/payments/v1/payouts', '{{base_url}}/payments/v1/payouts'],
    ['https://{{hostname}}/payments/v1/payouts', '{{base_url}}/payments/v1/payouts'],
    ['{{baseUrl}}', '{{base_url}}'],
    ['{{base-url}}/x', '{{base_url}}/x'],
    ['{{base_uri}}#x', '{{base_url}}#x'],
    ['{{apihost}}', '{{base_url}}'],
    ['{{host_name}}', '{{base_url}}'],
    ['{{api_url}}?x=$&', '{{base_url}}?x=$&'],
  ])('leads the address %s to base_url', (from, to) => {
    expect(find(`POST ${from}\n`)).toMatchObject([{ line: 1, fix: { part: 'url', from, to } }]);
  });

  it.each([
    'https://{{host}}:8443/x',
    'https://eu.{{host}}/x',
    '{{host}}{{path}}',
    'https://a.example/{{host}}',
  ])('offers nothing certain for the address %s', (url) => {
    expect(find(`GET ${url}\n`).find(({ name }) => name === 'host')).toMatchObject({ fix: null });
  });

  it('offers no address where the host stands elsewhere than in it, and no token to the token’s own request', () => {
    expect(find('POST {{base_url}}/payments/v1/payouts\nX-Host: {{host}}\n')).toMatchObject([
      { line: 2, fix: null },
    ]);
    expect(
      find('# @operation token\nPOST {{base_url}}/token\nAuthorization: Bearer {{token}}\n'),
    ).toMatchObject([{ message: expect.stringContaining('in headers alone') as string, fix: null }]);
    expect(find('POST http://x\nX-A: {{b}}\nX-B: {{token}}\nX-C: {{token}}\n')[0]).toMatchObject({ line: 3 });
  });

  it('tells a name once, and of none that has a value', () => {
    expect(find(payout('X-B: {{token}}', '{"a":"{{token}}"}'))).toHaveLength(1);
    const [block] = parseHttpFile(payout('Authorization: Bearer {{token}}')).requests;
    expect(findForeignVariables(block!, { unresolved: [] })).toEqual([]);
  });
});

it('says what a name means where nothing else of the request is known', () => {
  expect(describeForeignName('token')).toContain('{{token.payout}} or {{token.remittance}}');
  expect(describeForeignName('currency')).toBeNull();
});

describe('adviseOnMissing', () => {
  const foreign = find(payout('Authorization: Bearer {{token}}'));
  const advise = (names: string[]): string => adviseOnMissing(names, foreign, (name) => `give ${name}.`);

  it('tells each of another client by itself, the others together', () => {
    expect(advise(['token'])).toBe('Tokens are fetched by Countersign: write {{token.payout}} in its place.');
    expect(advise(['a', 'b', 'a'])).toBe('give a.');
    expect(advise(['a', 'token'])).toBe(
      '{{token}}: Tokens are fetched by Countersign: write {{token.payout}} in its place. {{a}}: give a.',
    );
  });

  it('says of those that are given otherwise how they are', () => {
    const adviseOn = (name: string): string => (name === 'key' ? 'keep it sealed.' : `give @${name}.`);
    expect(adviseOnMissing(['key', 'e', 'giv', 'key'], [], adviseOn)).toBe(
      '{{key}}: keep it sealed. {{e}}, {{giv}}: give @e.',
    );
  });
});
