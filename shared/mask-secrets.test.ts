import { describe, expect, it } from 'vitest';
import { countProcessorMs } from '../test/support/processor-time';
import { maskHeaders, maskSecrets } from './mask-secrets';

const SECRET = 's3cr3t-value-of-mine';
const MASKED = 's3cr…mine';

describe('maskSecrets', () => {
  it.each([
    ['JSON', `{"consumer_secret": "${SECRET}", "b": 1}`],
    ['JSON in a list', `[{"a":{"Password":"${SECRET}"}}]`],
    ['a name with escapes', `{"pass\\u0077ord":"${SECRET}"}`],
    ['a value with escapes', `{"password":"${SECRET}"}`],
    ['a query', `https://host/path?a=b&api_key=${SECRET}&c=d`],
    ['a query in JSON', `{"callback_url":"https://host/?access_token=${SECRET}"}`],
    ['a fragment', `https://host/#access_token=${SECRET}`],
    ['an encoded name', `https://host/?api%5Fkey=${SECRET}`],
    ['a form', `grant_type=x&client_secret=${SECRET}`],
    ['a form of one field', `password=${SECRET}`],
    ['a form with brackets', `user%5Bpassword%5D=${SECRET}&user[name]=x`],
    ['multipart', `--b\r\nContent-Disposition: form-data; name="api_key"\r\n\r\n${SECRET}\r\n--b--`],
    ['XML', `<a:auth><ns:Password type="x">${SECRET}</ns:Password></a:auth>`],
    ['XML in CDATA', `<password>\n<![CDATA[${SECRET}]]></password>`],
    ['an attribute of XML', `<login user="a" password = '${SECRET}'/>`],
    ['a form with blanks', `a=b&pass+word=+${SECRET}&c=d`],
    ['a form with blanks as they are', `api_key \t=   ${SECRET}`],
    ['single quotes', `{'password' : '${SECRET}', 'b': 1}`],
    ['many blanks', `{"password"${' '.repeat(5000)}:${'\n'.repeat(5000)}"${SECRET}"}`],
    ['a list', `{"api_key": ["${SECRET}"], "b": ["x"]}`],
    ['an object', `{"token": {"value" : "${SECRET}"}, "b": {"value": "x"}}`],
    ['an object cut off', `{"token": {"value" : "${SECRET}"`],
    ['an address with a password', `https://me:${SECRET}@host/`],
  ])('masks %s, and nothing else', (_name, text) => {
    const masked = maskSecrets(text);
    expect(masked).toBe(text.replace(SECRET, MASKED));
    expect(maskSecrets(masked)).not.toContain(SECRET);
  });

  it('leaves JSON valid where the secret was a number', () => {
    expect(JSON.parse(maskSecrets('{"pwd": 123456, "token":-1.5e9,"c":2}'))).toMatchObject({ c: 2 });
    expect(maskSecrets('{"pwd": 123456}')).not.toContain('123');
  });

  it('masks a list of a hundred thousand as one', () => {
    const masked = maskSecrets(`{"pin": [${'1234,'.repeat(100_000)}1], "b": "x"}`);
    expect(JSON.parse(masked)).toEqual({ pin: '[123…4,1]', b: 'x' });
  });

  it.each([
    '{"token_type":"Bearer","expires_in":3600,"reference":"R-1","public_key":"abc","has_token":true}',
    'https://host/tokens?product=payout&keyId=1#top',
    '{"password":"{{password}}","token":""}',
    'a text about a password: none',
    '<Tokens>3</Tokens>',
  ])('leaves %s', (text) => {
    expect(maskSecrets(text)).toBe(text);
  });

  it('takes a placeholder in place of the mask', () => {
    expect(maskSecrets('a?token=abcdefghijklmnop', () => '{{secret}}')).toBe('a?token={{secret}}');
  });

  it('takes linear time for hostile texts', () => {
    const processorMs = countProcessorMs();
    for (const part of ['"', '"a', '\\"', '"a":', '?a', '=', '&token', '<a', '<a>', ' name="', '//a:', '{"a":"', '"pin":[', '"pin":{"', "'pin':'", '<pin><![CDATA[', ' pin="', '"pin" ', '"\\"', '\\" ', '"pin":1', '"token":"\\', '\r\n']) {
      maskSecrets(part.repeat(Math.ceil(1_000_000 / part.length)));
    }
    expect(processorMs()).toBeLessThan(10_000);
  }); // prettier-ignore
});

it('masks headers by name, and within values', () => {
  expect(
    maskHeaders([
      ['Authorization', `Bearer ${SECRET}`],
      ['X-Auth-Token', SECRET],
      ['api-key', SECRET],
      ['Set-Cookie', `a=${SECRET}`],
      ['Location', `https://host/?token=${SECRET}`],
      ['X-Custom-Signature', SECRET],
      ['Password', '{{password}}'],
    ]),
  ).toEqual([
    ['Authorization', `Bearer ${MASKED}`],
    ['X-Auth-Token', MASKED],
    ['api-key', MASKED],
    ['Set-Cookie', 'a=s3…mine'],
    ['Location', `https://host/?token=${MASKED}`],
    ['X-Custom-Signature', SECRET],
    ['Password', '{{password}}'],
  ]);
});

it('takes values of 50 million characters, and of as many escapes, in its stride', () => {
  for (const piece of ['x', '\\\\']) {
    const value = piece.repeat(50_000_000 / piece.length);
    expect(maskSecrets(`{"note":"${value}"}`).length).toBe(value.length + 11);
    expect(maskSecrets(`{"password":"${value}"}`).length).toBeLessThan(100);
  }
});
