import { describe, expect, it } from 'vitest';
import { createRequest, createImported, textBody, type ImportedRequest } from '../imported';
import { createCredentialBook } from '../credentials';
import { importDocument } from '../import-document';
import { layOut } from './lay-out';

const request = (more: Partial<ImportedRequest>): ImportedRequest => ({
  ...createRequest({ name: 'A', method: 'POST', url: '{{base}}/pay' }),
  ...more,
});

/** What of these variables stands in a file, and what is for the vault alone. */
function sort(values: Record<string, string>, ...items: ImportedRequest[]) {
  const shared = Object.entries(values).map(([name, value]) => ({ name, value, isSecret: false }));
  const { files, environments, sealed } = layOut(
    { ...createImported('Given'), items, shared },
    createCredentialBook(),
  );
  const plain = Object.assign({}, ...environments.map(({ variables }) => variables)) as Record<
    string,
    string
  >;
  return {
    plain: Object.keys(plain).filter((name) => name !== 'base_url'),
    sealed: sealed.flatMap(({ secrets }) => secrets.map(({ name, value }) => `${name}=${value}`)),
    files: files.map(({ content }) => String(content)),
  };
}

describe('a variable that a request proves itself with', () => {
  it.each<[string, Partial<ImportedRequest>]>([
    ['a bearer', { headers: [['Authorization', 'Bearer {{x}}']] }],
    ['all of a header', { headers: [['Authorization', '{{x}}']] }],
    ['a password', { headers: [['Authorization', 'Basic {{base}}:{{x}}']] }],
    ['a key', { headers: [['X-Api-Key', '{{x}}']] }],
    ['a cookie', { headers: [['Cookie', '{{x}}']] }],
    ['a header that is off', { offHeaders: [{ at: 0, name: 'X-Api-Key', value: '{{x}}' }] }],
    ['a key in a query', { url: '{{base}}/pay?a=1&api_key={{x}}' }],
    ['a parameter that is off', { offParameters: [{ at: 0, name: 'api_key', value: '{{x}}' }] }],
    ['a password in an address', { url: 'https://amina:{{x}}@h.test/' }],
    ['a field of JSON', { body: textBody('{"a":{{base}},"client_secret":"{{x}}"}') }],
    ['a field of a form', { body: textBody('a={{base}}&password={{x}}') }],
  ])('is no part of a file that a team shares: %s', (_what, more) => {
    const { plain, sealed } = sort({ base: 'https://h.test', x: 'plain-looking' }, request(more));
    expect([plain, sealed]).toEqual([['base'], ['x_secret=plain-looking']]);
  });

  it('is one through another, and what names its scheme is none', () => {
    const values = {
      kind: 'Bearer',
      auth: '{{kind}} {{one}}',
      one: '{{two}}',
      two: 'plain-looking',
      three: '3',
    };
    const given = sort(values, request({ headers: [['Authorization', '{{auth}}']] }));
    expect(given.plain).toEqual(['kind', 'auth', 'one', 'three']);
    expect(given.sealed).toEqual(['two_secret=plain-looking']);
  });

  it('is hidden where its file alone has it, and in no other file of that name', () => {
    const variables: [string, string][] = [['x', 'plain-looking']];
    const { files, sealed } = sort(
      { x: 'shared' },
      request({ variables, headers: [['Authorization', 'Bearer {{x}}']] }),
      request({ name: 'B', variables, url: 'https://h.test/{{x}}' }),
    );
    expect(files.map((text) => /@x = (.*)/.exec(text)?.[1])).toEqual(['{{x_secret}}', 'plain-looking']);
    expect(sealed).toEqual(['x_secret=plain-looking']);
  });

  it('is called so in all that uses it, in each environment, and that is said', () => {
    const items = [
      request({
        name: 'A',
        url: 'https://h.test/{{ x }}?p={{%x}}',
        headers: [['Authorization', 'Bearer {{x}}']],
      }),
      request({ name: 'B', url: 'https://h.test/{{x_secret}}', body: textBody('{"a":"{{x}}"}') }),
      request({ name: 'C', url: 'https://h.test/c', body: { parts: ['{{x}}'], isVerbatim: true } }),
    ];
    const variable = (name: string, value: string) => ({ name, value, isSecret: false });
    const environments = [
      { name: 'one', variables: [variable('x', 'plain-looking'), variable('x_secret', 'k')] },
      { name: 'two', variables: [variable('x', '')] },
    ];
    const { files, sealed, notes } = layOut(
      { ...createImported('Given'), items, environments },
      createCredentialBook(),
    );
    const text = files.map(({ content }) => String(content)).join('\n');
    expect(text).toContain(
      'GET https://h.test/{{x_secret_2}}?p={{%x_secret_2}}\nAuthorization: Bearer {{x_secret_2}}'.replace(
        'GET',
        'POST',
      ),
    );
    expect(text).toContain('{"a":"{{x_secret_2}}"}');
    expect(text).toContain('https://h.test/{{x_secret}}');
    expect(sealed.flatMap(({ secrets }) => secrets.map(({ name }) => name))).toEqual([
      'x_secret_2',
      'x_secret',
    ]);
    expect(files.some(({ content }) => content === '{{x}}')).toBe(true);
    expect(notes).toContainEqual({
      where: 'Given',
      what: 'Its variable x is called x_secret_2 here: what is secret is known by its name.',
    });
  });

  it('has its own name in the requests that are there, where environments come alone', () => {
    const variables = [{ name: 'x', value: 'one', isSecret: true }];
    const { notes, environments, sealed } = layOut(
      { ...createImported(null), environments: [{ name: 'Test', variables }] },
      createCredentialBook(),
    );
    expect(environments).toEqual([{ name: 'Test', variables: { x: '{{x_secret}}' } }]);
    expect(sealed).toMatchObject([
      { variables: { x: '{{x_secret}}' }, secrets: [{ name: 'x_secret', value: 'one' }] },
    ]);
    expect(notes).toContainEqual({
      where: 'Test',
      what: 'Its variable x is called x_secret here: what is secret is known by its name. {{x}} stands for it in the requests that use it, unless the file has a value of {{x}} already.',
    });
  });

  it('counts once among those that an import may hold, though it has two names', () => {
    const variables = Array.from({ length: 10_100 }, (_, at) => ({
      name: `x${at}`,
      value: 'plain-looking',
      isSecret: true,
    }));
    const { sealed } = layOut(
      { ...createImported(null), environments: [{ name: 'Test', variables }] },
      createCredentialBook(),
    );
    expect(sealed[0]?.secrets).toHaveLength(10_100);
  });

  it('is secret where its format or its value says so, too', () => {
    const shared = [
      { name: 'code', value: 'plain-looking', isSecret: true },
      { name: 'live', value: 'sk_live_0123456789abcdef', isSecret: false },
    ];
    const { sealed } = layOut(
      { ...createImported('Given'), items: [request({ url: 'https://h.test/{{code}}' })], shared },
      createCredentialBook(),
    );
    expect(sealed.flatMap(({ secrets }) => secrets.map(({ name }) => name))).toEqual([
      'code_secret',
      'live_secret',
    ]);
  });

  it('is secret where the authentication of its tool has it, under whatever name it is sent', () => {
    const url = 'https://h.test/a';
    const key = (name: string, value: string) => ({ key: name, value });
    const apikey = [key('key', 'X-Mine'), key('value', '{{x}}'), key('in', 'header')];
    const document = {
      info: { name: 'P', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
      auth: { type: 'apikey', apikey },
      variable: [key('x', 'plain-looking')],
      item: [{ name: 'A', request: { method: 'GET', url } }],
    };
    const { files, environments, sealed } = importDocument(
      { name: 'p', files: [{ path: 'p', text: JSON.stringify(document) }] },
      'postman',
    );
    expect(files[0]!.content).toContain('X-Mine: {{x_secret}}');
    expect(JSON.stringify(environments)).not.toContain('plain-looking');
    expect(sealed[0]!.secrets).toEqual([{ name: 'x_secret', value: 'plain-looking' }]);
  });

  it('stands where it did, where it has no value or none of these requests has it', () => {
    const given = sort(
      { x: '', y: 'plain-looking' },
      request({ headers: [['Authorization', 'Bearer {{x}}']] }),
    );
    expect([given.plain, given.sealed]).toEqual([['x', 'y'], []]);
  });
});
