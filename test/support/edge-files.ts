/**
 * Request files at the edges of the format, which other clients read, too. Each sends to `{{base_url}}/NAME`; the last
 * line end of each body is the file's.
 */
const json = 'Content-Type: application/json';
const form = 'Content-Type: application/x-www-form-urlencoded';
const multipart = 'Content-Type: multipart/form-data; boundary=edge';
const post = (name: string, head: string, body: string): string =>
  `POST {{base_url}}/${name}\n${head}\n\n${body}\n`;

/** What Countersign and httpYac read alike. */
export const edgeFiles: Readonly<Record<string, string>> = {
  'get-alone': 'GET {{base_url}}/get-alone\n',
  'no-method': '{{base_url}}/no-method\n',
  'http-version': 'GET {{base_url}}/http-version HTTP/1.1\nX-A: 1\n',
  'query-in-line': 'GET {{base_url}}/query-in-line?a=1&b=two\n',
  'query-lines': 'GET {{base_url}}/query-lines\n?a=1\n&b=2\n',
  'query-indented': 'GET {{base_url}}/query-indented\n    ?a=1\n    &b=2\nX-A: 1\n',
  'path-indented': 'GET {{base_url}}/path-indented\n    /deep\n    /er\n    ?a=1\n',
  'query-variable': '@n = 5\nGET {{base_url}}/query-variable\n  ?n={{n}}\n',
  'header-indented': 'GET {{base_url}}/header-indented\n  X-A: 1\n\tX-B: two words\n',
  'header-spaces': 'GET {{base_url}}/header-spaces\nX-A :   1  \n',
  'header-empty-line-end': 'GET {{base_url}}/header-empty-line-end\r\nX-A: 1\r\n\r\n',
  'header-colon': 'GET {{base_url}}/header-colon\nX-A: http://h:1/a?b=c:d\n',
  'header-comment': 'GET {{base_url}}/header-comment\nX-A: 1\n# X-B: 2\n// X-C: 3\nX-D: 4\n',
  'header-variable': '@v = a b\nGET {{base_url}}/header-variable\nX-A: x{{v}}y\n',
  title: '### A title\nGET {{base_url}}/title\n',
  'separator-long': '#### A longer one\nGET {{base_url}}/separator-long\n',
  name: '# @name short\nGET {{base_url}}/name\n',
  'comments-before': '# one\n// two\n\n# three\nGET {{base_url}}/comments-before\n',
  'annotation-slashes': '// @name short\nGET {{base_url}}/annotation-slashes\n',
  put: `PUT {{base_url}}/put\n${json}\n\n{"a":1}\n`,
  patch: `PATCH {{base_url}}/patch\n${json}\n\n{"a":1}\n`,
  delete: 'DELETE {{base_url}}/delete\n',
  options: 'OPTIONS {{base_url}}/options\n',
  json: post('json', json, '{ "a": 1.00,\n  "b": "é" }'),
  'json-blank-lines': post('json-blank-lines', json, '{\n\n  "a": 1\n\n}'),
  'json-spaces': post('json-spaces', json, '{ "a": 1 }  '),
  'json-variable': `@amount = 1000.00\n${post('json-variable', json, '{"amount": {{amount}}, "text": "{{amount}}"}')}`,
  'json-braces': post('json-braces', json, '{"a":{"b":{"c":1}}}'),
  'json-braces-in-lines': post('json-braces-in-lines', json, '{"a":{"b":{\n"c":1\n}}}'),
  'json-comment-before': post('json-comment-before', json, '# not the body\n// nor this\n{"a":1}'),
  'json-blank-before': `POST {{base_url}}/json-blank-before\n${json}\n\n\n\n{"a":1}\n`,
  'text-blank-after': `${post('text-blank-after', 'Content-Type: text/plain', 'hello')}  \n\n\t\n`,
  'json-blank-after': `${post('json-blank-after', json, '{"a":1}')}\n\n\n`,
  'json-variable-after': post('json-variable-after', json, '{"a":1}\n\n@late = 1'),
  'json-next-block': `${post('json-next-block', json, '{"a":1}')}\n###\n`,
  'form-one-line': post('form-one-line', form, 'a=1&b=two&c=3'),
  'form-and-behind': post('form-and-behind', form, 'a=1&\nb=2&\nc=3'),
  'form-and-before': post('form-and-before', form, 'a=1\n&b=2\n&c=3'),
  'form-indented': post('form-indented', form, 'a=1 &\n  b=2 &\n  c=3'),
  multipart: post(
    'multipart',
    multipart,
    '--edge\nContent-Disposition: form-data; name="a"\n\nvalue\n--edge--',
  ),
  'multipart-file': post(
    'multipart-file',
    multipart,
    '--edge\nContent-Disposition: form-data; name="f"; filename="x.bin"\nContent-Type: application/octet-stream\n\n< ./x.bin\n--edge--',
  ),
  file: `POST {{base_url}}/file\nContent-Type: application/octet-stream\n\n< ./x.bin\n`,
  xml: post('xml', 'Content-Type: application/xml', '<?xml version="1.0"?>\n<a b="c">\n  <d/>\n</a>'),
  soap: post(
    'soap',
    'Content-Type: text/xml',
    '<soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope">\n<soap:Body/>\n</soap:Envelope>',
  ),
  text: post('text', 'Content-Type: text/plain', 'first line\n\n  third line'),
  'file-variable-chain': '@a = 1\n@b = {{a}}2\nGET {{base_url}}/file-variable-chain?b={{b}}\n',
  basic: 'GET {{base_url}}/basic\nAuthorization: Basic amina secret\n',
  'basic-colon': 'GET {{base_url}}/basic-colon\nAuthorization: Basic amina:secret\n',
  bearer: 'GET {{base_url}}/bearer\nAuthorization: Bearer a.b.c\n',
};

/** What they do not read alike: what each sends, and why Countersign reads it so (`docs/http-files.md`). */
export const differences: Readonly<
  Record<string, { text: string; httpyac: string | null; countersign: string }>
> = {
  'comment-in-body': {
    // A line of a body is the body's: a comment would be a second meaning.
    text: post('comment-in-body', 'Content-Type: text/plain', 'a\n# b\nc'),
    httpyac: 'a\nc',
    countersign: 'a\n# b\nc',
  },
  'line-ends': {
    // The bytes of the file are the bytes that are signed.
    text: `POST {{base_url}}/line-ends\r\nContent-Type: text/plain\r\n\r\na\r\nb\r\n`,
    httpyac: 'a\nb',
    countersign: 'a\r\nb',
  },
  'form-spaces': {
    // Nothing that is written is encoded on the way.
    text: post('form-spaces', form, 'a=x y'),
    httpyac: 'a=x%20y',
    countersign: 'a=x y',
  },
};
