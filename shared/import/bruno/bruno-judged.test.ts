import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseBru } from './parse-bru';
import { readBruFile } from './read-bru-file';

interface Judged {
  meta?: { name?: string; seq?: string | number };
  http?: { method?: string; url?: string; body?: string; auth?: string };
  headers?: { name: string; value: string; enabled: boolean }[];
  body?: Record<string, unknown>;
  auth?: Record<string, Record<string, unknown>>;
  docs?: string;
}

// Bruno's own reader comes without types.
const { bruToJsonV2: judge } = createRequire(import.meta.url)('@usebruno/lang') as {
  bruToJsonV2(text: string): Judged;
};
const fixtures = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'test',
  'fixtures',
  'import',
  'bruno',
  'folder',
  'input',
);

const written = readdirSync(fixtures, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.bru$/.test(path) && !/(?:environments|collection|folder)/.test(path))
  .map((path) => [path, readFileSync(join(fixtures, path), 'utf8')] as const);

const http = (rest: string): string =>
  `meta {\n  name: A: b\n  seq: 3\n}\n\npost {\n  url: https://x.test/a?b=c:d\n  body: json\n  auth: none\n}\n${rest}`;

const made: readonly (readonly [string, string])[] = [
  [
    'a body with braces and blank lines',
    http('\nbody:json {\n  {\n    "a": {\n  \n      "b": 1.0\n    }\n\n  }\n}\n'),
  ],
  ['a body with a closing brace on its own', http('\nbody:json {\n  {\n  }\n}\n')],
  ['a body that is not indented', http('\nbody:text {\nplain\n    four\n}\n')],
  ['CR and LF', http('\nheaders {\n  A: b\n}\n').replaceAll('\n', '\r\n')],
  ['quoted and disabled names', http('\nheaders {\n  "a b": c\n  ~Off: 1\n  X: y: z\n  Empty:\n}\n')],
  [
    'signs within names and values',
    http("\nheaders{\n  A : \"b\": c\n  \"d\" :ef\n  g\\\"h: i\n  J: k@l.test\n  M: n '''o'''\n}\n"),
  ],
  ['a value over lines', http("\nheaders {\n  A: '''\n    one\n    two\n  '''\n  B: c\n}\n")],
  ['signs of a text that nothing ends', http("\nheaders {\n  A: b\n  B: '''x\n  C: d\n}\n")],
  ['a name that is off within its quotes', http('\nheaders {\n  "~a": b\n  ~"c d": e\n}\n')],
  ['a form', http('\nbody:form-urlencoded {\n  a: 1\n  ~b: 2\n}\n')],
  [
    'a multipart form',
    http(
      '\nbody:multipart-form {\n  a: 1\n  f: @file(x.bin||y.bin) @contentType(text/plain)\n  none: @file()\n  before: x @file(a)\n  behind: @file(a) x\n  g: b @contentType(c/d)\n}\n',
    ),
  ],
  ['GraphQL', http('\nbody:graphql {\n  { a }\n}\n\nbody:graphql:vars {\n  {"n": 1.0}\n}\n')],
  ['authentication', http('\nauth:basic {\n  username: u\n  password: p:w\n}\n')],
  ['documentation', http('\ndocs {\n  # Title\n\n  Text with { braces }\n}\n')],
];

describe('parseBru, judged by @usebruno/lang', () => {
  it.each([...written, ...made])('reads %s alike', (_name, text) => {
    const judged = judge(text);
    const ours = readBruFile(text, 'given.bru');
    expect(ours.name).toBe(judged.meta?.name);
    expect(ours.seq).toBe(Number(judged.meta?.seq));
    if (judged.http !== undefined) {
      const { method, url, body, auth } = judged.http;
      expect([ours.method, ours.url, ours.bodyMode, ours.authMode]).toEqual([
        method,
        url,
        body ?? 'none',
        auth ?? 'none',
      ]);
    }
    const headers = (judged.headers ?? []).map(({ name, value, enabled }) => ({
      name,
      value,
      isEnabled: enabled,
    }));
    expect(ours.headers).toEqual(headers);
    for (const mode of ['json', 'text', 'xml', 'sparql'])
      expect(ours.texts.get(mode), mode).toBe(judged.body?.[mode]);
    const graphql = judged.body?.['graphql'] as { query?: string; variables?: string } | undefined;
    expect([ours.texts.get('graphql'), ours.graphqlVariables]).toEqual([
      graphql?.query,
      graphql?.variables ?? '',
    ]);
    const form = (judged.body?.['formUrlEncoded'] ?? []) as {
      name: string;
      value: string;
      enabled: boolean;
    }[];
    expect(ours.form).toEqual(form.map(({ name, value, enabled }) => ({ name, value, isEnabled: enabled })));
    const fields = (judged.body?.['multipartForm'] ?? []) as {
      name: string;
      value: string | string[];
      type: string;
    }[];
    expect(ours.fields.map(({ name, value, files }) => [name, files ?? value])).toEqual(
      fields.map(({ name, value }) => [name, value]),
    );
    const basic = parseBru(text, 'given.bru').find(({ name }) => name === 'auth:basic')?.pairs;
    const judgedBasic = judged.auth?.['basic'];
    if (judgedBasic !== undefined)
      expect(basic?.map(({ value }) => value)).toEqual([judgedBasic['username'], judgedBasic['password']]);
    expect(ours.docs).toBe(judged.docs ?? '');
  });
});
