import { describe, expect, it } from 'vitest';
import { readDocument } from '../read-document';
import { readPostmanUrl, replacePathVariables } from './postman-url';

const replace = (url: string, values: Record<string, string>) =>
  replacePathVariables(url, new Map(Object.entries(values)));
const read = (url: unknown) => readPostmanUrl(parse(url));
const parse = (value: unknown) => {
  const root = readDocument(JSON.stringify({ value }));
  return root.kind === 'object' ? (root.members.get('value') ?? null) : null;
};

describe('variables of a path', () => {
  it('are variables of the file, with their value', () => {
    expect(replace('{{host}}/a/:id/b/:other', { id: '7', other: '' })).toEqual({
      url: '{{host}}/a/{{id}}/b/{{other}}',
      variables: [['id', '7']],
    });
  });

  it('stand in place where their name is that of another variable, which one of the file would go before', () => {
    expect(replace('{{host}}/a/:id', { id: '{{ id }}' })).toEqual({
      url: '{{host}}/a/{{ id }}',
      variables: [],
    });
    expect(replace('{{host}}/:customer/:id', { customer: 'c-{{id}}', id: '7' })).toEqual({
      url: '{{host}}/{{customer}}/7',
      variables: [['customer', 'c-{{id}}']],
    });
    expect(replace('{{ host }}/:host', { host: '' })).toEqual({ url: '{{ host }}/{{host}}', variables: [] });
  });

  it.each([
    ['https://a.example/:id', 'https://a.example/{{id}}'],
    ['https://a.example/:id?to=/:id#/:id', 'https://a.example/{{id}}?to=/:id#/:id'],
    ['HTTPS://:id/:id/', 'HTTPS://:id/{{id}}/'],
    ['a.example:80/:id', 'a.example:80/{{id}}'],
    ['/:id/:id', '/{{id}}/{{id}}'],
    ['{{host}}/:_i.d-2', '{{host}}/{{_i.d-2}}'],
    ['{{host}}/a:id/:id2:x/:2/:', '{{host}}/a:id/:id2:x/:2/:'],
    ['{{host}}/:id,x', '{{host}}/:id,x'],
    ['', ''],
  ])('of %j are found where a whole part is one: %j', (url, written) => {
    expect(replace(url, {}).url).toBe(written);
  });

  it('have their value without the blanks around it; one of several lines stands in place', () => {
    expect(replace('{{host}}/:a/:b', { a: ' 7 ', b: '1\n2' })).toEqual({
      url: '{{host}}/{{a}}/1\n2',
      variables: [['a', '7']],
    });
  });
});

describe('an address', () => {
  it('has variables of its path to a dot, by key or by id, and in place where none of ours may be called so', () => {
    const path = (...steps: string[]) => ({ host: ['a'], path: steps });
    expect(read({ ...path(':id.json'), variable: [{ key: 'id', value: '9' }] })).toMatchObject({
      url: 'a/{{id}}.json',
      variables: [['id', '9']],
    });
    expect(read({ ...path(':id'), variable: [{ id: 'id', value: '9' }] }).variables).toEqual([['id', '9']]);
    expect(read({ ...path(':a:cancel', ':b c'), variable: [{ key: 'a:cancel', value: '7' }] })).toMatchObject(
      {
        url: 'a/7/:b c',
        variables: [],
      },
    );
  });

  it.each([
    ['https://a.example/:id?b=c', 'https://a.example/:id?b=c'],
    [null, ''],
    [{ raw: 'https://a.example/x?b=c d' }, 'https://a.example/x?b=c d'],
    [{}, ''],
    [{ raw: 'no', host: ['a', 'example'] }, 'a.example'],
    [{ host: 'a.example', path: '/b/c' }, 'a.example/b/c'],
    [{ host: '/a', path: 'b/c' }, '/a/b/c'],
    [{ host: ['a.example'], path: [] }, 'a.example/'],
    [{ host: ['a'], path: ['b', { type: 'string', value: 'c' }, { type: 'any' }, 4] }, 'a/b/c//4'],
    [{ host: { a: 1 }, raw: 'https://b.example' }, 'https://b.example'],
    [{ protocol: 'https', host: ['a'], port: '8443', path: ['b'], hash: 'c' }, 'https://a:8443/b#c'],
    [{ protocol: 'https://', host: ['a'], port: 8443, hash: '' }, 'https://a:8443#'],
    [{ protocol: '', host: ['{{host}}'], port: '' }, '{{host}}'],
    [{ host: ['a'], query: [] }, 'a'],
    [
      {
        host: ['a'],
        query: [
          { key: 'b', value: '1' },
          { key: 'c', value: null },
          { key: 'd', value: '' },
          { value: 'e' },
          { key: 'f', value: '1', disabled: true },
        ],
      },
      'a?b=1&c&d=&=e',
    ],
    [
      { host: ['a'], query: [{ key: 'b <', value: 'c"> #%20{{d}}\n' }], hash: 'x' },
      'a?b%20%3C=c%22%3E%20%23%20{{d}}%0A#x',
    ],
    [{ host: ['a'], query: [{ key: 'b&=', value: 'c&d=e' }, { key: '&' }] }, 'a?b%26%3D=c%26d=e&%26'],
  ])('%j is put together as %s', (given, url) => {
    expect(read(given).url).toBe(url);
  });

  it('has the variables of its path, those without a value, too', () => {
    const variable = [{ key: 'id', value: '7' }, { key: 'other', value: null }, { value: 'x' }];
    expect(read({ host: ['{{host}}'], path: [':id', ':other'], variable })).toEqual({
      url: '{{host}}/{{id}}/{{other}}',
      variables: [['id', '7']],
      offParameters: [],
    });
  });

  it('has the parameters that do not go out, each with its place among those that do', () => {
    const off = (key: string | null, value?: string) => ({ key, value, disabled: true });
    const query = [
      off('a', '1'),
      { key: 'b', value: '2' },
      off('c'),
      off(null, 'x'),
      { key: 'd' },
      off('e', 'f g'),
    ];
    expect(read({ raw: 'https://a.example?b=2&d', query })).toEqual({
      url: 'https://a.example?b=2&d',
      variables: [],
      offParameters: [
        { at: 0, name: 'a', value: '1' },
        { at: 1, name: 'c', value: '' },
        { at: 2, name: 'e', value: 'f g' },
      ],
    });
  });
});
