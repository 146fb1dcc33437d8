import { expect, it } from 'vitest';
import { readStringToSign } from '../signing/string-to-sign';
import { nameForeign, readNamed } from './name-foreign';

/** As these programs print them. */
it.each<[source: string, text: string, said: string]>([
  ['a merge', '<<<<<<< HEAD\n{}\n=======\n[]\n>>>>>>> b\n', 'a file in which a merge left two versions'],
  ['Git LFS', 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n', 'a pointer of Git LFS, and the file itself was not fetched: run git lfs pull.'],
  ['a request file', '# @name Payout\nPOST http://x\n\n{}', 'a request file'],
  ['a request file with a variable', '@host = x\n\nPOST {{host}}', 'a request file'],
  ['curl', "curl -X POST https://x.example -d '{}'", 'a curl command'],
  ['an exchange', 'POST /payments/v1/payouts HTTP/1.1\r\nHost: x\r\n\r\n{}', 'a whole request'],
  ['a key', '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----', 'a key or a certificate'],
  ['XML', '<?xml version="1.0"?><a/>', 'XML or HTML'],
  ['print_r', 'Array\n(\n    [transaction] => Array\n', 'what PHP prints of an array'],
  ['print_r of an object', 'stdClass Object\n(\n    [a] => 1\n)\n', 'what PHP prints of an array'],
  ['var_export', "array (\n  'a' => 1,\n)", 'what PHP prints of an array'],
  ['var_dump', 'array(1) {\n  ["a"]=>\n  int(1)\n}\n', 'what PHP prints of an array'],
  ['serialize', 'a:1:{s:1:"a";i:1;}', 'what PHP prints of an array'],
  ['a dict', "{'transaction': {'amount': Decimal('1500')}}", 'what Python prints of a dict'],
  ['a list of dicts', "[{'a': 1}]", 'what Python prints of a dict'],
  ['repr of a text', '\'{"a":1}\'', 'a text in quotes'],
  ['bytes', 'b\'{"a":1}\'', 'a text in quotes'],
  ['a hash', '{"a"=>1}', 'what Ruby prints of a hash'],
  ['a hash of symbols', '{:a=>1}', 'what Ruby prints of a hash'],
  ['a Map', '{transaction={amount=1500}, originator={country=KE}}', 'what Java prints of a map'],
  ['a record', 'Payout[reference=R, amount=1]', 'what Java prints of a map'],
  ['a map of Go', 'map[a:1 b:map[c:2]]', 'what Go prints of a map'],
  ['a struct of Go', '{Reference:R Amount:1500}', 'what Go prints of a map'],
  ['util.inspect', "{\n  transaction: { reference: 'R' }\n}", 'what JavaScript prints of an object: JSON'],
  ['String({})', '[object Object]', 'what JavaScript prints of an object that'],
  ['a Buffer', '<Buffer 7b 22 61>', 'what Node prints of bytes'],
  ['xxd', '00000000: 7b22 6122 3a31 7d                        {"a":1}', 'a dump of bytes in hex'],
  ['sha256sum', `${'0f'.repeat(32)}  body.json`, 'a digest'],
  ['openssl dgst', `SHA2-256(body.json)= ${'0f'.repeat(32)}`, 'a digest'],
  ['hex', '7b2261223a317d', 'JSON in hex'],
  ['Base64', 'eyJ0cmFuc2FjdGlvbiI6eyJyZWZlcmVuY2UiOiJSIn19', 'JSON in Base64'],
  ['a form', 'transaction%5Breference%5D=R&amount=1500', 'the fields of a form'],
  ['a log', '2026-11-28 12:00:00 INFO sending {"a":1}', 'a line of a log'],
  ['YAML', '---\ntransaction:\n  reference: R\n', 'YAML'],
  ['a name before it', 'body: {"a":1}', 'JSON with a name in front of it'],
])('%s is named', (_source, text, said) => {
  expect(nameForeign(text)).toMatch(new RegExp(`^It looks like ${said}`));
  expect(nameForeign(text)).toMatch(/\.$/);
}); // prettier-ignore

it.each(['{"a":1,}', '{"a":NaN}', '', '{', '[1,2', '{{body}}', '{"amount": {{amount}}', 'a sentence, no more', 'INV-2026-00421500KEMPESA-B2C', '12345'])(
  'nothing is said of %j',
  (text) => {
    expect(nameForeign(text)).toBeNull();
  },
); // prettier-ignore

it('takes time by the length of what it is given', () => {
  for (const text of ["{'", '{"\\', 'a=', "b'", '7b ', '{a=', 'array(', '[{'].map((part) => part.repeat(100_000)))
    nameForeign(text);
  expect(nameForeign('x'.repeat(1_000_000))).toBeNull();
}); // prettier-ignore

it('stands behind what is wrong with a body, whose place and code are kept', () => {
  const told = (body: string): unknown => {
    try {
      return readNamed(body, readStringToSign).text;
    } catch (error) {
      return error;
    }
  };
  expect(told("{'a': 1}")).toMatchObject({
    code: 'signing.not_json',
    message: expect.stringMatching(/^The body is not JSON: line 1, column 2: .* It looks like what Python prints of a dict/),
    details: { line: 1, column: 2 },
  });
  expect(told('{"a": }')).toMatchObject({ message: expect.not.stringContaining('looks like') });
  expect(told('{"a": NaN}')).toMatchObject({ message: expect.stringMatching(/expected a value\. JSON has no “NaN”\.$/) });
  expect(told('{"a": Decimal(1)}')).toMatchObject({ message: expect.stringMatching(/JSON has no “Decimal\(”\.$/) });
  expect(told('[]')).toMatchObject({ code: 'signing.field_missing', message: expect.stringContaining('The body is a list, an object is expected.') });
  expect(told('"{}"')).toMatchObject({ message: expect.stringContaining('The body is one text in quotes') });
  expect(told(' 15')).toMatchObject({ message: expect.stringContaining('The body is one value') });
  expect(told('{}')).toMatchObject({ message: expect.stringMatching(/add it to the body\.$/) });
  expect(told('{"transaction":{"reference":"R","amount":1,"service_code":"X"},"originator":{"country":"KE"}}')).toBe('R1KEX');
}); // prettier-ignore
