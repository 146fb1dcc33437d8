import { describe, expect, it } from 'vitest';
import {
  encodeAroundVariables,
  encodeFilledIn,
  fillVariables,
  listBraces,
  mapCommonExpression,
  mapExpressions,
  renameVariable,
  trimSlashes,
} from './variables';

describe('mapExpressions', () => {
  it('maps what stands between braces, and knows what has another name', () => {
    const renames = new Map<string, string>();
    const map = (inner: string) => (inner.trim() === 'a' ? inner : `my.${inner.trim()}`);
    const text = '{{a}} {{ a }} {{b}} {{ b }} {c} {{}} {{d\n}} {{{e}}}';
    const mapped = '{{a}} {{ a }} {{my.b}} {{my.b}} {c} {{}} {{d\n}} {{{my.e}}}';
    expect(mapExpressions(text, map, renames)).toBe(mapped);
    expect([...renames]).toEqual([
      ['{{b}}', '{{my.b}}'],
      ['{{ b }}', '{{my.b}}'],
      ['{{e}}', '{{my.e}}'],
    ]);
    expect(mapExpressions('{{b}}', map)).toBe('{{my.b}}');
  });

  it('takes blanks within the braces of Postman and Bruno for a part of the name there, as they do', () => {
    const renames = new Map<string, string>();
    const text = '{{ a }} {{b}} {{$guid }} {{ %c }} {{process.env.d }}';
    expect(mapExpressions(text, mapCommonExpression, renames)).toBe('{{a}} {{b}} {{$uuid}} {{%c}} {{d}}');
    expect([...renames.keys()]).toEqual(['{{ a }}', '{{$guid }}', '{{ %c }}', '{{process.env.d }}']);
  });

  it('leaves what is longer than any expression', () => {
    const [most, more] = ['a'.repeat(300), 'a'.repeat(301)];
    expect(mapExpressions(`{{${most}}}{{${more}}}`, () => 'b')).toBe(`{{b}}{{${more}}}`);
  });
});

describe('fillVariables', () => {
  const values = { host: 'https://{{ name }}', name: 'a.example', self: '{{self}}', big: 'x'.repeat(6000) };
  it.each([
    ['{{host}}/{{ name }}/{{other}}', 'https://a.example/a.example/{{other}}'],
    ['{{self}}', '{{self}}'],
    ['{{toString}}', '{{toString}}'],
    ['plain {name}', 'plain {name}'],
  ])('%s becomes %s', (text, filled) => expect(fillVariables(text, values)).toBe(filled));

  it('fills in values within values five times, and no more than an address may be long', () => {
    const chain = { a: '{{b}}', b: '{{c}}', c: '{{d}}', d: '{{e}}', e: '{{f}}', f: 'end' };
    expect([fillVariables('{{b}}', chain), fillVariables('{{a}}', chain)]).toEqual(['end', '{{f}}']);
    expect(fillVariables('{{big}}{{big}}', values)).toBe(values.big + values.big);
    const longer = fillVariables('{{big}}{{big}}{{big}}', values);
    expect(longer.length).toBeLessThan(3 * 6000);
    const long = 'x'.repeat(10_001);
    expect(fillVariables(`${long}{{name}}`, values)).toBe(`${long}{{name}}`);
    expect(fillVariables('{{v}}', { v: 'x'.repeat(10_000) })).toHaveLength(10_000);
    expect(fillVariables('{{v}}', { v: long })).toBe('{{v}}');
  });
});

it.each([
  ['page', 'page'],
  [' page ', 'page'],
  ['_a', '_a'],
  ['2fa', '_2fa'],
  ['-a', '_-a'],
  ['', '_'],
])('calls the variable %j %s', (given, name) => expect(renameVariable(given)).toBe(name));

it.each([
  ['page', 'page'],
  [' page ', 'page'],
  ['2fa', '_2fa'],
  [' $guid', '$uuid'],
  ['$randomUUID', '$uuid'],
  ['$randomPrice', '$random.integer 0 1000'],
  ['$timestamp', '$timestamp'],
  ['$constructor', '$constructor'],
  ['process.env.HOST', 'HOST'],
  ['process.env.2', '_2'],
  ['process.env.', 'process.env.'],
  ['a.process.env.HOST', 'a.process.env.HOST'],
  ['vault:key', 'vault.key'],
  ['vault: my key ', 'vault.my key'],
  ['vault:', 'vault:'],
  ['myvault:key', 'myvault:key'],
  ['%process.env.X', '%X'],
  ['%vault:api_key', '%vault.api_key'],
])('writes %j as %j', (inner, ours) => expect(mapCommonExpression(inner)).toBe(ours));

it('lists what stands between braces once each', () => {
  expect([...listBraces('{{a}} {{ b }}{{a}} {{}} {{c\n}} {d}')]).toEqual(['{{a}}', '{{ b }}']);
  expect([...listBraces(`{{${'a'.repeat(200)}}}{{${'a'.repeat(201)}}}`)]).toHaveLength(1);
});

it.each([
  ['a b', 'a%20b'],
  ["!'()*", '%21%27%28%29%2A'],
  ['a b{{ c d }}e f{{g}}', 'a%20b{{ c d }}e%20f{{g}}'],
  ['{{a}}', '{{a}}'],
  ['{{a} b', '%7B%7Ba%7D%20b'],
  ['', ''],
])('encodes %j apart from variables: %s', (text, encoded) =>
  expect(encodeAroundVariables(text)).toBe(encoded),
);

it.each([
  ['a b{{ c.d }}e f{{g}}', 'a%20b{{%c.d}}e%20f{{%g}}'],
  ['{{process.env.X}}{{vault.key}}', '{{%process.env.X}}{{%vault.key}}'],
  ['{{$uuid}}{{-x}}', '{{$uuid}}{{-x}}'],
  ['', ''],
])('encodes %j with its variables, as what fills them in first does: %s', (text, encoded) =>
  expect(encodeFilledIn(text)).toBe(encoded),
);

it.each([
  ['https://a.example///', 'https://a.example'],
  ['https://a.example/b', 'https://a.example/b'],
  ['//', ''],
  ['', ''],
])('takes the slashes from the end of %j', (address, trimmed) => expect(trimSlashes(address)).toBe(trimmed));
