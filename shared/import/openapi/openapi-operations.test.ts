import { describe, expect, it } from 'vitest';
import { memberOf, readJsonTree } from '../../json/json-tree';
import { createCredentialBook } from '../credentials';
import type { ImportedRequest } from '../imported';
import { readOpenapi } from './read-openapi';
import { createReferences } from './references';
import { sampleSchema } from './sample-schema';
import { printJsonLine } from '../../json/print-json-tree';

/** The request that one operation becomes, in a document with these other parts. */
function readOperation(operation: object, parts: object = {}): ImportedRequest {
  const document = {
    openapi: '3.1.0',
    info: { title: 'A', version: '1' },
    servers: [{ url: 'https://pay.test' }],
    paths: { '/pay': { post: { responses: {}, ...operation } } },
    ...parts,
  };
  const files = [{ path: 'a.json', text: JSON.stringify(document) }];
  const { items } = readOpenapi({ name: 'a.json', files }, createCredentialBook());
  return items[0] as ImportedRequest;
}

const bodyOf = (content: object, parts: object = {}): ImportedRequest =>
  readOperation({ requestBody: { content } }, parts);
const textOf = ({ body }: ImportedRequest): string | null =>
  body === null ? null : body.parts.map((part) => (typeof part === 'string' ? part : '<file>')).join('');
const typeOf = ({ headers }: ImportedRequest): string | undefined =>
  headers.find(([name]) => name === 'Content-Type')?.[1];

describe('a value of a schema', () => {
  const sampleIn = (schema: unknown, definitions: object = {}): string => {
    const root = readJsonTree(JSON.stringify({ schema, definitions }))!;
    return printJsonLine(sampleSchema(memberOf(root, 'schema'), createReferences(root)));
  };

  it('does not fill the memory with lists in lists', () => {
    const nest = (depth: number): object =>
      depth === 0 ? { type: 'integer' } : { type: 'array', minItems: 1_000_000, items: nest(depth - 1) };
    expect(sampleIn(nest(11)).length).toBeLessThan(1000);
  });

  it.each([
    ['its example before all else', { example: 1, examples: [2], const: 3, default: 4, enum: [5] }, '1'],
    ['the first of its examples', { examples: [2, 6], const: 3, default: 4, enum: [5] }, '2'],
    ['its constant', { const: 3, default: 4, enum: [5] }, '3'],
    ['its default', { default: 4, enum: [5], type: 'integer' }, '4'],
    ['the first of its choices', { enum: ['KES', 'UGX'], type: 'string' }, '"KES"'],
    ['a number as it is written', { type: 'number', minimum: 0.5 }, '0.5'],
    ['a number without a minimum', { type: 'number' }, '0'],
    ['a whole number', { type: 'integer', minimum: 100 }, '100'],
    ['more than a number', { type: 'integer', exclusiveMinimum: 0 }, '1'],
    ['more than one of 3.0', { type: 'integer', minimum: 5, exclusiveMinimum: true }, '6'],
    ['less than nothing', { type: 'integer', maximum: -2 }, '-2'],
    ['a truth value', { type: 'boolean' }, 'true'],
    ['nothing', { type: 'null' }, 'null'],
    ['the type beside null', { type: ['null', 'boolean'] }, 'true'],
    ['the first type of several', { type: ['integer', 'string'] }, '0'],
    ['no type at all', {}, '"string"'],
    ['an object without a type', { properties: { a: { type: 'boolean' } } }, '{"a":true}'],
    ['an object without members', { type: 'object' }, '{}'],
    ['a list', { type: 'array', items: { type: 'boolean' } }, '[true]'],
    ['a list of anything', { type: 'array' }, '[]'],
    ['as long a list as it has to be', { type: 'array', minItems: 3, items: { type: 'integer' } }, '[0,0,0]'],
    [
      'a list of what has to differ',
      { type: 'array', minItems: 3, uniqueItems: true, items: { type: 'integer' } },
      '[0]',
    ],
    ['as long a text as it has to be', { type: 'string', minLength: 8 }, '"stringst"'],
    ['no longer a text than it may be', { type: 'string', maxLength: 3 }, '"str"'],
    ['a schema that is a truth value', true, '"string"'],
    ['a unique id', { type: 'string', format: 'uuid' }, '"{{$uuid}}"'],
    ['a moment', { type: 'string', format: 'date-time' }, '"{{$isoTimestamp}}"'],
    ['an odd format', { type: 'string', format: 'constructor' }, '"string"'],
    ['the first of one-of', { oneOf: [{ type: 'boolean' }, { type: 'integer' }] }, 'true'],
    ['the first of any-of', { anyOf: [{ type: 'integer' }, { type: 'boolean' }] }, '0'],
    [
      'its own members before one-of',
      { properties: { a: { type: 'boolean' } }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      '{"a":true}',
    ],
    [
      'all parts, and its own',
      {
        allOf: [{ properties: { a: { type: 'boolean' }, b: { type: 'boolean' } } }, { required: ['a'] }],
        properties: { b: { type: 'integer' }, c: { type: 'boolean' } },
      },
      '{"a":true,"b":0,"c":true}',
    ],
    ['parts that are no objects', { allOf: [{ type: 'boolean' }, { type: 'integer' }] }, 'true'],
    [
      'what is not for answers alone',
      { properties: { id: { type: 'integer', readOnly: true }, a: { type: 'boolean', readOnly: false } } },
      '{"a":true}',
    ],
  ])('is %s', (_what, schema, sample) => {
    expect(sampleIn(schema)).toBe(sample);
  });

  it('ends where a schema holds itself, and goes on beside it', () => {
    const node = { properties: { next: { $ref: '#/definitions/node' }, name: { type: 'string' } } };
    expect(sampleIn({ $ref: '#/definitions/node' }, { node })).toBe('{"name":"string"}');
    const list = { type: 'array', items: { $ref: '#/definitions/list' } };
    expect(sampleIn({ $ref: '#/definitions/list' }, { list })).toBe('[]');
    // The same one twice, side by side, is no circle.
    const twice = { properties: { a: { $ref: '#/definitions/b' }, c: { $ref: '#/definitions/b' } } };
    expect(sampleIn(twice, { b: { type: 'boolean' } })).toBe('{"a":true,"c":true}');
  });

  it('is cut where schemas are deep, or too many', () => {
    const deep = (levels: number, schema: object): object =>
      levels === 0 ? schema : deep(levels - 1, { type: 'array', items: schema });
    expect(sampleIn(deep(12, { type: 'boolean' }))).toContain('true');
    expect(sampleIn(deep(13, { type: 'boolean' }))).not.toContain('true');
    const wide = (levels: number, schema: object): object =>
      levels === 0 ? schema : wide(levels - 1, { properties: { a: schema } });
    expect(sampleIn(wide(12, { type: 'boolean' }))).toContain('true');
    expect(sampleIn(wide(13, { type: 'boolean' }))).not.toContain('true');
    const choose = (levels: number, schema: object): object =>
      levels === 0 ? schema : choose(levels - 1, { oneOf: [schema] });
    expect(sampleIn(choose(13, { type: 'boolean' }))).toBe('null');
    const join = (levels: number, schema: object): object =>
      levels === 0 ? schema : join(levels - 1, { allOf: [schema] });
    expect(sampleIn(join(14, { type: 'boolean' }))).not.toBe('true');
    const many = Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`p${n}`, { type: 'boolean' }]));
    expect(sampleIn({ properties: many }).match(/true/g)).toHaveLength(1999);
  });
});

describe('a reference', () => {
  const follow = (reference: string): string | null => {
    const root = readJsonTree(
      JSON.stringify({ 'a/b': { '~': [1, { c: true }] }, 'x y': 2, '100%': 3, n: 5, r: { $ref: '#/r' } }),
    )!;
    const references = createReferences(root);
    const found = references.follow(readJsonTree(JSON.stringify({ $ref: reference })));
    return found === null ? `nothing ${[...references.foreign].join()}`.trim() : printJsonLine(found);
  };

  it.each([
    ['#/a~1b/~0/1/c', 'true'],
    ['#/a~1b/~0/0', '1'],
    ['#/a~1b/~0/2', 'nothing'],
    ['#/a~1b/~0/x', 'nothing'],
    ['#/a~1b/none/deeper', 'nothing'],
    ['#/n/deeper', 'nothing'],
    ['#/x%20y', '2'],
    ['#/100%', '3'],
    ['#/r', 'nothing'],
    ['other.json#/a', 'nothing other.json#/a'],
  ])('%s leads to %s', (reference, found) => {
    expect(follow(reference)).toBe(found);
  });
});

describe('the security of an operation', () => {
  const secure = (scheme: object, name = 'one'): ImportedRequest =>
    readOperation({ security: [{ [name]: [] }] }, { components: { securitySchemes: { [name]: scheme } } });

  it.each([
    ['basic', { type: 'http', scheme: 'Basic' }, ['Authorization', 'Basic {{username}}:{{password}}']],
    ['bearer', { type: 'http', scheme: 'bearer' }, ['Authorization', 'Bearer {{bearer_token}}']],
    ['a key', { type: 'apiKey', in: 'header', name: 'X-Key' }, ['X-Key', '{{one_secret}}']],
    ['a key without a name', { type: 'apiKey' }, ['one', '{{one_secret}}']],
    ['a key in a cookie', { type: 'apiKey', in: 'cookie', name: 'sid' }, ['Cookie', 'sid={{one_secret}}']],
    ['OAuth', { type: 'oauth2', flows: {} }, ['Authorization', 'Bearer {{access_token}}']],
    ['OpenID', { type: 'openIdConnect' }, ['Authorization', 'Bearer {{access_token}}']],
  ])('is a header: %s', (_what, scheme, header) => {
    const { headers, url } = secure(scheme);
    expect(headers).toEqual([header]);
    expect(url).toBe('{{base_url}}/pay');
  });

  it('is a part of the address, encoded as it is filled in: a key in the query', () => {
    const { headers, url } = secure({ type: 'apiKey', in: 'query', name: 'api key' });
    expect([headers, url]).toEqual([[], '{{base_url}}/pay?api%20key={{%one_secret}}']);
  });

  it('is a note where it is of another kind, or fetched', () => {
    expect(secure({ type: 'http', scheme: 'Digest' }).notes).toEqual([
      expect.stringContaining('Its digest authentication is not taken over'),
    ]);
    expect(secure({ type: 'mutualTLS' }).notes).toEqual([expect.stringContaining('Its mutualTLS auth')]);
    expect(secure({ scheme: 'basic' }).notes).toEqual([expect.stringContaining('Its one auth')]);
    expect(secure({ type: 'oauth2' }).notes).toHaveLength(1);
    expect(secure({ type: 'http', scheme: 'bearer' }).notes).toEqual([]);
  });

  it('is the first choice of its own, else of the document, and the others are named', () => {
    const securitySchemes = { a: { type: 'apiKey', name: 'A' }, b: { type: 'apiKey', name: 'B' } };
    const parts = { components: { securitySchemes }, security: [{ a: [] }] };
    const names = (request: ImportedRequest): string[] => request.headers.map(([name]) => name);
    expect(names(readOperation({}, parts))).toEqual(['A']);
    expect(names(readOperation({ security: [] }, parts))).toEqual([]);
    const several = readOperation({ security: [{ a: [], b: [] }, { b: [] }, {}, { a: [], c: [] }] }, parts);
    expect([names(several), several.notes]).toEqual([
      ['A', 'B'],
      ['Other ways to authenticate are left out: b, none, a with c.'],
    ]);
  });
});

describe('the body of an operation', () => {
  const onOneLine = (request: ImportedRequest): string | undefined =>
    textOf(request)?.replace(/\n */g, '').replace(/": /g, '":');
  const json = (media: object): string | undefined => onOneLine(bodyOf({ 'application/json': media }));

  it('is its example as written: its own, a named one, or one of its schema', () => {
    expect(json({ example: { a: 1 }, examples: { x: { value: 2 } } })).toBe('{"a":1}');
    expect(json({ examples: { x: { value: { b: 1 } } }, schema: { type: 'boolean' } })).toBe('{"b":1}');
    expect(json({ schema: { type: 'boolean' } })).toBe('true');
    expect(json({ examples: {}, schema: { type: 'boolean' } })).toBe('true');
    expect(json({ examples: { x: { summary: 'nothing' } }, schema: { type: 'boolean' } })).toBe('true');
    // A text that is JSON is the body as it goes out; another one is a JSON text.
    for (const text of ['{"a": 1.00}', '\n [1.00]', '"a"'])
      expect(textOf(bodyOf({ 'application/json': { example: text } }))).toBe(text);
    expect(json({ example: 'a {b' })).toBe('"a {b"');
  });

  it('names other examples and other types', () => {
    const { notes } = bodyOf({
      'application/xml': {},
      'application/json': { examples: { x: { value: 1 }, y: { value: 2 }, z: {} } },
    });
    expect(notes).toEqual([
      'It takes application/xml as well; its body is application/json.',
      'Its other examples are left out: y, z.',
    ]);
    expect(bodyOf({ 'application/json': { example: 1, examples: { y: { value: 2 } } } }).notes).toEqual([
      'Its other examples are left out: y.',
    ]);
  });

  it.each([
    [['text/plain', 'multipart/form-data', 'application/json; charset=utf-8'], 2],
    [['application/x-www-form-urlencoded', 'application/problem+json'], 1],
    [['text/plain', 'application/x-www-form-urlencoded'], 1],
    [['text/plain', 'text/json'], 1],
    [['text/json', 'application/vnd.pay-v1+json'], 1],
    [['text/json', 'application/json'], 1],
    [['text/plain', 'multipart/mixed'], 1],
    [['text/csv', 'text/plain'], 0],
  ])('is of the best of %j', (types, best) => {
    const content = Object.fromEntries(types.map((type) => [type, { example: { a: 1 } }]));
    const request = bodyOf(content);
    expect(request.notes[0]).toContain(`its body is ${types[best]}`);
  });

  it('is a form, parts, a text, or a note', () => {
    const schema = { properties: { a: { example: 'x y' }, b: { example: { c: 1 } } } };
    const form = bodyOf({ 'application/x-www-form-urlencoded': { schema } });
    expect([textOf(form), typeOf(form)]).toEqual([
      expect.stringMatching(/^a=x(?:%20|\+)y&b=%7B%22c%22%3A1%7D$/),
      'application/x-www-form-urlencoded',
    ]);
    const file = {
      properties: {
        doc: { type: 'string', format: 'binary' },
        pic: { contentMediaType: 'image/png' },
        n: { example: 7 },
      },
    };
    const parts = bodyOf({ 'multipart/form-data': { schema: file } });
    expect(textOf(parts)?.match(/<file>/g)).toHaveLength(2);
    expect(parts.notes).toHaveLength(2);
    expect(typeOf(parts)).toMatch(/^multipart\/form-data; boundary=/);
    expect(textOf(bodyOf({ 'multipart/form-data': {} }))).toBeNull();
    const text = bodyOf({ 'text/plain': { example: 'hello' } });
    expect([textOf(text), typeOf(text)]).toEqual(['hello', 'text/plain']);
    for (const media of [{ schema: { type: 'string' } }, { example: { a: 1 } }]) {
      const none = bodyOf({ 'text/xml': media });
      expect([textOf(none), none.notes]).toEqual([null, ['Its body (text/xml) has no example: write it.']]);
    }
    expect(typeOf(bodyOf({ '*/*': { example: 'a' } }))).toBe('application/octet-stream');
    expect(textOf(readOperation({}))).toBeNull();
  });

  it('is found by reference, at each step', () => {
    const parts = {
      components: {
        requestBodies: {
          pay: { content: { 'application/json': { schema: { $ref: '#/components/schemas/pay' } } } },
        },
        schemas: { pay: { properties: { a: { example: 1 } } } },
        examples: { one: { value: { b: 2 } } },
      },
    };
    expect(onOneLine(readOperation({ requestBody: { $ref: '#/components/requestBodies/pay' } }, parts))).toBe(
      '{"a":1}',
    );
    const examples = { one: { $ref: '#/components/examples/one' } };
    expect(onOneLine(bodyOf({ 'application/json': { examples } }, parts))).toBe('{"b":2}');
  });
});

describe('the parameters of an operation', () => {
  const withParameters = (...parameters: object[]): ImportedRequest => readOperation({ parameters });

  it('stand in address and headers where they are required or have an example', () => {
    const request = withParameters(
      { name: 'page no', in: 'query', required: true },
      { name: 'q', in: 'query', example: 'a b' },
      { name: 'X-Id', in: 'header', schema: { default: 'd' } },
      { name: 'sid', in: 'cookie', schema: { const: 'c' } },
      { name: 'odd', in: 'body', example: 'nowhere' },
      { name: 'left', in: 'query' },
      { name: 'out', in: 'header', schema: { type: 'string' } },
    );
    expect(request.url).toBe('{{base_url}}/pay?page%20no={{page_no}}&q=a%20b');
    expect(request.headers).toEqual([
      ['X-Id', 'd'],
      ['Cookie', 'sid=c'],
    ]);
    expect(request.notes).toEqual(['Optional parameters without an example are left out: left, out.']);
    expect(withParameters({ name: 'a', in: 'query', example: 1 }).notes).toEqual([]);
  });

  it.each([
    ['its own example', { example: 1, examples: { x: { value: 2 } }, schema: { example: 3 } }, '1'],
    ['a named example', { examples: { x: { value: 2 } }, schema: { example: 3 } }, '2'],
    ['that of its schema', { examples: {}, schema: { example: 3, default: 4 } }, '3'],
    ['a default', { schema: { default: 4, const: 5 } }, '4'],
    ['a constant', { schema: { const: 5, examples: [6] } }, '5'],
    ['an example of 3.1', { schema: { examples: [6], enum: [7] } }, '6'],
    ['the first choice', { schema: { enum: [7, 8] } }, '7'],
    ['a new id', { schema: { format: 'uuid' } }, '{{$uuid}}'],
    ['a list', { example: ['a', 'b'] }, 'a,b'],
    ['an object', { example: { a: 1.5 } }, 'a,1.5'],
  ])('have the value of %s', (_what, parameter, value) => {
    expect(withParameters({ name: 'X', in: 'header', ...parameter }).headers).toEqual([['X', value]]);
  });

  it('are what the body and the authentication write by themselves no more', () => {
    const given = ['Accept', 'content-type', 'Authorization'].map((name) => ({
      name,
      in: 'header',
      example: 'x',
    }));
    expect(withParameters(...given)).toMatchObject({ headers: [], notes: [] });
    const others = [
      { name: 'Accept', in: 'query', example: 'x' },
      { name: 'X-Accept', in: 'header', example: 'x' },
      { name: 'Accept-Language', in: 'header', example: 'x' },
    ];
    const request = withParameters(...others);
    expect([request.url, request.headers.length]).toEqual(['{{base_url}}/pay?Accept=x', 2]);
  });

  it('are those of the path, too, unless the operation has its own; one without a name or a target is none', () => {
    const path = {
      parameters: [
        { name: 'a', in: 'query', example: 'path' },
        { name: 'a', in: 'header', example: 'path' },
        { $ref: '#/components/parameters/shared' },
        { $ref: '#/components/parameters/gone' },
        { in: 'query', example: 'nameless' },
      ],
      post: { parameters: [{ name: 'a', in: 'query', example: 'own' }], responses: {} },
    };
    const components = { parameters: { shared: { name: 's', in: 'query', example: '1' } } };
    const request = readOperation({}, { paths: { '/pay': path }, components });
    expect([request.url, request.headers]).toEqual(['{{base_url}}/pay?a=own&s=1', [['a', 'path']]]);
  });

  it('of the path are variables, named anew where they must be', () => {
    const parameters = [
      { name: 'the id', in: 'path', required: true, example: ' a\nb ' },
      { name: 'none', in: 'path', required: true, example: '' },
      { name: 'other', in: 'query', example: 'q' },
    ];
    const paths = { '/p/{the id}/{none}/{other}/{the id}': { get: { parameters, responses: {} } } };
    const request = readOperation({}, { paths });
    expect(request.url).toBe('{{base_url}}/p/{{the_id}}/{{none}}/{{other}}/{{the_id}}?other=q');
    expect(request.variables).toEqual([['the_id', 'a%20b']]);
    expect([...request.renames]).toEqual([['{the id}', '{{the_id}}']]);
  });
});

describe('a document', () => {
  const read = (document: object) => {
    const text = JSON.stringify({ openapi: '3.0.4', info: { title: 'Pay' }, ...document });
    return readOpenapi({ name: 'file', files: [{ path: 'a.json', text }] }, createCredentialBook());
  };
  const get = { get: { responses: {} } };

  it.each([
    [{ openapi: '2.0' }, 'This is no OpenAPI document'],
    [{ openapi: '13.1.0' }, 'This is no OpenAPI document'],
    [{ openapi: '3.10' }, 'This is no OpenAPI document'],
    [{ openapi: '3.2.0' }, 'This is OpenAPI 3.2.0, and 3.0 and 3.1 are read'],
    [{ openapi: undefined, swagger: '2.0' }, 'This is Swagger 2.0.'],
  ])('is refused: %j', (document, why) => {
    expect(() => read(document)).toThrow(why);
  });

  it('of version 3.1 without a third number is read, named by its title or its file', () => {
    expect(read({ openapi: '3.1' }).name).toBe('Pay');
    expect(read({ info: {} }).name).toBe('file');
  });

  it('has a request an operation, in folders by the first tag', () => {
    const { items } = read({
      paths: {
        '/a': {
          get: { summary: 'A', tags: ['one', 'two'] },
          post: { operationId: 'b', tags: [' '], deprecated: true },
          put: { summary: ' ', tags: ['one'] },
          parameters: [],
          patch: 'no operation',
        },
        '/b': { $ref: '#/paths/~1gone' },
      },
    });
    expect(items).toMatchObject([
      {
        kind: 'folder',
        name: 'one',
        items: [
          { name: 'A', method: 'GET' },
          { name: 'PUT /a', method: 'PUT' },
        ],
      },
      { kind: 'request', name: 'b', notes: ['The document calls it deprecated.'] },
    ]);
  });

  it('has an environment a server, with defaults for its variables', () => {
    const { environments, notes, items } = read({
      servers: [
        {
          url: 'https://{region}.pay.test/{v}/',
          description: ' Live\nmore',
          variables: { region: { default: 'eu', enum: ['eu', 'us', 'ap'] } },
        },
        { url: 'https://pay.test:8443/x' },
        { url: '/relative' },
      ],
      paths: {
        '/a': {
          get: { servers: [{ url: 'https://own.test/' }] },
          post: {},
          servers: [{ url: 'https://path.test' }],
        },
      },
    });
    expect(environments.map(({ name, variables }) => [name, variables[0]?.value])).toEqual([
      ['Live', 'https://eu.pay.test/{{v}}'],
      ['pay.test:8443', 'https://pay.test:8443/x'],
      ['Pay', '/relative'],
    ]);
    expect(notes).toEqual([
      { where: 'Pay', what: 'The address of its server is that of region = eu (not us, ap).' },
      {
        where: 'Pay',
        what: 'The address of this server is not whole: put the host before it in http-client.env.json.',
      },
    ]);
    expect(items).toMatchObject([{ url: 'https://own.test/a' }, { url: 'https://path.test/a' }]);
  });

  it('says that no server is named, what is a webhook or callback, and which references lead out', () => {
    expect(read({ paths: {} })).toMatchObject({ environments: [], notes: [] });
    const { notes, items } = read({
      paths: { '/a': { get: { callbacks: { done: {} }, requestBody: { $ref: 'other.yaml#/a' } } } },
      webhooks: { paid: {} },
    });
    expect(notes.map(({ where, what }) => [where, what.slice(0, 30)])).toEqual([
      ['paid', 'Left out: it is a webhook, a r'],
      ['Pay', 'The document names no server: '],
      ['Pay', 'The reference other.yaml#/a le'],
    ]);
    expect(items).toMatchObject([{ notes: [expect.stringContaining("callback 'done'")] }]);
    expect(read({ paths: { '/a': get }, servers: [{ url: '' }] }).environments).toHaveLength(1);
  });
});

it('says of descriptions that have no place in a request that they are left out', () => {
  const read = (root: object) =>
    readOpenapi(
      {
        name: 'a.json',
        files: [
          {
            path: 'a.json',
            text: JSON.stringify({ openapi: '3.1.0', servers: [{ url: 'https://a.test' }], ...root }),
          },
        ],
      },
      createCredentialBook(),
    ).notes;
  const description = 'Long.';
  const operation = { responses: {}, description };
  expect(read({ info: { title: 'A' }, paths: { '/a': { get: operation } } })).toEqual([]);
  expect(
    read({
      info: { title: 'A', description },
      tags: [{ name: 't', description }],
      components: { parameters: { p: { name: 'p', in: 'query', description } } },
      paths: {
        '/a': {
          parameters: [{ $ref: '#/components/parameters/p' }],
          post: { ...operation, requestBody: { description, content: {} } },
        },
      },
    }),
  ).toEqual([
    {
      where: 'A',
      what: 'What describes the document, tags, parameters, bodies is left out; what describes an operation stands at its request.',
    },
  ]);
});

describe('a YAML document', () => {
  const head = "openapi: 3.0.0\ninfo: {title: T, version: '1'}\npaths:\n";
  const path = (at: number): string => `  /a${at}:\n    # one of many\n    get:\n      responses: {}\n`;
  const read = (text: string) =>
    readOpenapi({ name: 'a.yaml', files: [{ path: 'a.yaml', text }] }, createCredentialBook());
  const many = Array.from({ length: 20_001 }, (_, at) => path(at)).join('');

  it('of too many operations is refused before it is read, which takes long', () => {
    const broken = '\n"';
    expect(() => read(`${head}${many}${broken}`)).toThrow(
      expect.objectContaining({ code: 'import.too_many' }),
    );
    expect(() => read(`${head}${path(1)}${broken}`)).toThrow(
      expect.objectContaining({ code: 'import.not_readable' }),
    );
  });

  it('counts nothing but the operations of its paths', () => {
    const rest = `components:\n  x-many:\n${'    get: a\n'.repeat(20_001)}`;
    const named =
      '  /b:\n    get:\n      parameters:\n        - name: get\n          in: query\n    post: {}\n';
    expect(read(`${head}${path(1)}\n${named}${rest}`).items).toHaveLength(3);
  });
});
