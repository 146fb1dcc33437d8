import { expect, it } from 'vitest';
import { createScriptAdvice } from './script-values';

const advise = (name: string, script: string): string =>
  createScriptAdvice([
    { name: 'plain', text: 'GET http://h\n' },
    { name: 'login', text: `POST http://h\n\n> {%\n${script}\n%}\n` },
  ])(name, 'set it');

/** @source the HTTP Client reference of JetBrains IDEs; the guides of httpYac */
it.each([
  ['client.global.set("id", response.body.id);', 'body id'],
  ["client.global.set('id', response.body.data.items[0].id)", 'body data.items[0].id'],
  ["client.global.set('id', response.body['data'].id)", 'body data.id'],
  ['client.global.set("id", response.body["data"].id );', 'body data.id'],
  ['client.global.set( "id" , jsonPath(response.body, "$.data.id"));', 'body data.id'],
  ['client.global.set("id", response.headers.valueOf("X-Request-Id"));', 'header X-Request-Id'],
  ['exports.id = response.parsedBody.data.id;', 'body data.id'],
  ["$global.id = response.headers['x-request-id'];", 'header x-request-id'],
])('leads what %s gives to the capture of %s', (script, source) => {
  expect(advise('id', script)).toBe(
    `A script of 'login' gives {{id}} in other clients, and scripts are not run here: write \`# @capture id = ${source}\` above that request, and a run fills it in.`,
  );
});

it.each([
  'request.variables.set("id", "1")',
  'client.global.set("id", response.body.a + response.body.b)',
  'exports.id = make(response)',
  'client.global.set("id", response.body)',
])('says of %s that it is not run, and how the value is given', (script) => {
  expect(advise('id', script)).toBe(
    "A script of 'login' gives {{id}} in other clients, and scripts are not run here: set it.",
  );
});

it.each(['client.global.set("idx", 1)', 'exports.id == 1', 'client.global.get("id")', 'exports.i_d = 1', ''])(
  'has no more to say of %s than how the value is given',
  (script) => {
    expect(advise('id', script)).toBe('set it.');
    expect(advise('i.d', script)).toBe('set it.');
  },
);

it('names no request that has no name', () => {
  expect(createScriptAdvice([{ name: null, text: 'exports.a = 1' }])('a', 'set it')).toMatch(
    /^A script gives \{\{a\}\} in other clients/,
  );
});

it('reads each script once, however many names are asked for', () => {
  let reads = 0;
  const script = {
    name: 'login',
    get text() {
      reads += 1;
      return 'client.global.set("a", 1); client.global.set("b", exports.c = response.body.id);';
    },
  };
  const adviseOn = createScriptAdvice([script]);
  for (const name of ['a', 'b', 'c'])
    expect(adviseOn(name, 'set it')).toContain(`gives {{${name}}} in other`);
  expect(adviseOn('d', 'set it')).toBe('set it.');
  expect(reads).toBe(1);
});
