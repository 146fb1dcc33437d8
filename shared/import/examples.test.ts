import { describe, expect, it } from 'vitest';
import { countProcessorMs } from '../../test/support/processor-time';
import { importDocument } from './import-document';
import type { ImportFormat } from './import-formats';
import { createValueMask } from './layout/mask-values';

const read = (document: unknown, format: ImportFormat) =>
  importDocument({ name: 'given', files: [{ path: 'given', text: JSON.stringify(document) }] }, format);
const postman = (...response: object[]) => {
  const url = 'https://a.example/pay';
  const header = [{ key: 'X-Api-Key', value: 'literal-key-of-the-request' }];
  return read(
    {
      info: { name: 'c', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/' },
      item: [{ name: 'Pay', request: { method: 'GET', url, header }, response }],
      variable: [{ key: 'client_secret', value: 'value-of-the-variable' }],
    },
    'postman',
  );
};
const listExamples = ({ files }: ReturnType<typeof read>): [string, unknown][] =>
  files.filter(({ path }) => path.includes('.example.')).map(({ path, content }) => [path, content]);

it('puts answers beside their request, each with a name of its own', () => {
  const original = {
    method: 'GET',
    url: { raw: 'https://a.example/pay', host: ['https://a.example'], path: ['pay'] },
  };
  const ok = { name: 'It works', originalRequest: original, code: 200, status: 'OK', body: '{"a":1.00}' };
  const header = [
    { key: 'Content-Type', value: 'application/json' },
    { key: 'no name', value: 'x' },
  ];
  expect(listExamples(postman({ ...ok, header }, ok, { code: 404, status: 'Not Found' }))).toEqual([
    [
      'Pay.It works.example.http',
      '# GET https://a.example/pay\nHTTP/1.1 200 OK\nContent-Type: application/json\n\n{"a":1.00}',
    ],
    ['Pay.It works 2.example.http', '# GET https://a.example/pay\nHTTP/1.1 200 OK\n\n{"a":1.00}'],
    ['Pay.404 Not Found.example.http', 'HTTP/1.1 404 Not Found\n\n'],
  ]);
});

it('masks what is secret in them, and what the collection proves itself with', () => {
  const body =
    '{"access_token":"abcdefghijklm","k":"literal-key-of-the-request","v":"value-of-the-variable"}';
  const header = [{ key: 'Set-Cookie', value: 'sid=0123456789abcdef' }];
  const [[, content] = []] = listExamples(postman({ name: 'x', code: 200, header, body }));
  for (const secret of ['abcdefghijklm', 'literal-key', 'value-of-the', '0123456789abcdef'])
    expect(content).not.toContain(secret);
});

it('lets none climb out, act in other clients, or stand without a status', () => {
  const plan = postman(
    { name: '../../x', code: 200, body: 'ok' },
    { name: 'acts', code: 200, body: 'a\n{{\nprocess.exit()\n}}\n' },
    { name: 'none', body: 'ok' },
    { name: 'odd', code: '2e2\r\nGET https://evil.example/', body: 'ok' },
  );
  expect(listExamples(plan).map(([path]) => path)).toEqual([
    expect.stringMatching(/^Pay\.[^/]*x\.example\.http$/),
  ]);
  expect(plan.notes.map(({ what }) => what)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^2 of its saved examples have no status/),
      expect.stringMatching(/'acts' is left out/),
    ]),
  );
});

it('takes the answers of an archive and of Bruno', () => {
  const response = {
    status: 201,
    statusText: 'Created',
    headers: [
      { name: 'content-encoding', value: 'gzip' },
      { name: 'X-A', value: '1' },
    ],
    content: { text: '{"a":1}' },
  };
  const request = { method: 'GET', url: 'https://a.example/pay', headers: [] };
  const bytes = { ...response, content: { text: 'AAE=', encoding: 'base64' } };
  const har = read(
    {
      log: {
        entries: [
          { request, response },
          { request, response: bytes },
        ],
      },
    },
    'har',
  );
  expect(listExamples(har)).toEqual([
    ['GET pay.201 Created.example.http', 'HTTP/1.1 201 Created\nX-A: 1\n\n{"a":1}'],
  ]);
  const examples = [{ name: 'Made', response: { ...response, body: { type: 'json', content: '{"a":1}' } } }];
  const bruno = { name: 'b', version: '1', items: [{ type: 'http', name: 'Pay', request, examples }] };
  expect(listExamples(read(bruno, 'bruno'))).toEqual([
    ['Pay.Made.example.http', 'HTTP/1.1 201 Created\ncontent-encoding: gzip\nX-A: 1\n\n{"a":1}'],
  ]);
});

it('masks a secret whose end stands for what was found, and one that begins with another', () => {
  const key = (name: string, value: string) => ({ key: name, value });
  const secrets = [
    'first-secret-$&',
    "second-secret-$'x",
    'abcdefgh',
    'abcdefgh-and-a-long-rest',
    'long-rest-more',
  ];
  const plan = read(
    {
      info: { name: 'c', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/' },
      item: [
        {
          name: 'Pay',
          request: { method: 'GET', url: 'https://a.example/pay' },
          response: [{ code: 200, body: `${secrets.join(' ')} abcdefgh-and-a-long-rest-more end` }],
        },
      ],
      variable: secrets.map((value, at) => key(`client_secret_${at}`, value)),
    },
    'postman',
  );
  const [[, content] = []] = listExamples(plan);
  expect(content).not.toMatch(/t-secret|d-secret|abcdefgh|and-a|-rest/);
  expect(content).toContain('•••••••• ••••••••');
  expect(content).toContain(' end');
});

describe('more answers than anybody keeps', () => {
  const itemOf = (at: number, ...response: object[]) => ({
    name: `r${at}`,
    request: {
      method: 'GET',
      url: 'https://a.example/pay',
      header: [{ key: 'X-Api-Key', value: `secret-of-request-${at}` }],
    },
    response,
  });
  const collect = (item: object[]) =>
    read(
      { info: { name: 'c', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/' }, item },
      'postman',
    );

  it('are left out with a note, so that the folder can still be opened', () => {
    const plan = collect([itemOf(0, ...Array.from({ length: 40_000 }, () => ({ code: 200 })))]);
    expect(plan.files.length).toBeLessThanOrEqual(28_000);
    expect(plan.notes.map(({ what }) => what)).toContainEqual(
      '12001 of its 40000 saved answers are left out: an import comes to at most 28000 files and folders.',
    );
  });

  it('and secrets take time that grows with them', () => {
    const body = 'an answer of some length, without secrets '.repeat(5);
    const processorMs = countProcessorMs();
    const plan = collect(Array.from({ length: 4000 }, (_, at) => itemOf(at, { code: 200, body })));
    expect(plan.files).toHaveLength(8000);
    expect(processorMs()).toBeLessThan(4000);
  });

  it('are left out where secrets are made to take for ever', () => {
    const mask = createValueMask(Array.from({ length: 5000 }, (_, at) => `${at}-${'a'.repeat(400)}`));
    const processorMs = countProcessorMs();
    expect(mask('a'.repeat(1_000_000))).toBeNull();
    expect(processorMs()).toBeLessThan(2000);
  });
});
