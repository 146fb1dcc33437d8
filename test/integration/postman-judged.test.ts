import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type newmanModule from 'newman';
import { expect, it } from 'vitest';
import { parseHttpFile } from '@shared/http-file/parse-http-file';
import { resolveRequest } from '@shared/http-file/resolve-request';
import { importDocument } from '@shared/import/import-document';

interface Sent {
  name: string;
  method: string;
  path: string;
  authorization: string | null;
  type: string | null;
  body: string;
}

const raw = (text: string, language?: string) => ({
  mode: 'raw',
  raw: text,
  ...(language !== undefined && { options: { raw: { language } } }),
});
const pairs = (...listed: [string, unknown][]) =>
  listed.map(([key, value]) => ({ key, value, type: 'text' }));
const form = { mode: 'urlencoded', urlencoded: pairs(['a b', "it's (a) *! ~ + & = %"], ['empty', '']) };
const query = { query: '{a}', variables: '{"id": 1.00}', operationName: 'Op' };
const keepsBody = { protocolProfileBehavior: { disableBodyPruning: true } };
const noType = { protocolProfileBehavior: { disabledSystemHeaders: { 'content-type': true } } };
const ownHeader = [{ key: 'Authorization', value: 'Bearer own' }];
const jsonType = { key: 'Content-Type', value: 'application/json' };
const basic = { type: 'basic', basic: pairs(['username', 'us'], ['password', 'pä:x']) };
const inQuery = {
  type: 'apikey',
  apikey: pairs(['key', 'api key='], ['value', 'a b&c+%2B(é)'], ['in', 'query']),
};

/** Requests of a collection, each in a way that another client once read otherwise. */
const requests: [name: string, request: Record<string, unknown>, item?: object][] = [
  ['raw', { method: 'POST', body: raw('x') }],
  ['raw JSON', { method: 'POST', body: raw('{"a": 1000.00}', 'json') }],
  ['raw, type off', { method: 'POST', body: raw('x') }, noType],
  ['delete', { method: 'DELETE', body: raw('{}') }],
  ['get', { method: 'GET', body: raw('{}', 'json') }],
  ['get with its body', { method: 'GET', body: raw('{}', 'json') }, keepsBody],
  ['form', { method: 'POST', body: form }],
  ['form of another type', { method: 'POST', header: [jsonType], body: form }],
  ['form in one text', { method: 'POST', body: { mode: 'urlencoded', urlencoded: 'a=b&c=d e=f&g' } }],
  ['form without fields', { method: 'POST', body: { mode: 'urlencoded', urlencoded: [] } }],
  ['graphql', { method: 'POST', body: { mode: 'graphql', graphql: query } }],
  ['header and authentication', { method: 'GET', header: ownHeader }],
  ['basic', { method: 'GET', header: ownHeader, auth: basic }],
  ['key in the query', { method: 'GET', auth: inQuery }],
  ['header alone', { method: 'GET', header: ownHeader, auth: { type: 'noauth' } }],
];

function write(address: string): object {
  const item = (listed: typeof requests) =>
    listed.map(([name, request, more]) => ({
      name,
      ...more,
      request: { header: [], url: `${address}/${encodeURIComponent(name)}?z=1`, ...request },
    }));
  return {
    info: { name: 'c', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    auth: { type: 'bearer', bearer: pairs(['token', 'of-the-collection']) },
    item: [
      ...item(requests),
      { name: 'keeps bodies', ...keepsBody, item: item([['kept below', { method: 'GET', body: raw('k') }]]) },
    ],
  };
}

/** What Newman puts on the wire. */
async function listTheirs(): Promise<{ collection: object; theirs: Sent[] }> {
  const theirs: Sent[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { headers } = request;
      const [path = '', rest = ''] = (request.url ?? '').split('?');
      theirs.push({
        name: decodeURIComponent(path.slice(1)),
        method: request.method ?? '',
        path: `${path}?${rest}`,
        authorization: headers.authorization ?? null,
        type: headers['content-type'] ?? null,
        body: Buffer.concat(chunks).toString(),
      });
      response.end('{}');
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const collection = write(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const newman = createRequire(import.meta.url)('newman') as typeof newmanModule;
  await new Promise<void>((done, fail) => {
    newman.run({ collection, reporters: [] }, (error) => (error ? fail(error) : done()));
  });
  server.closeAllConnections();
  server.close();
  return { collection, theirs };
}

function listOurs(collection: object): Sent[] {
  const source = { name: 'c', files: [{ path: 'c', text: JSON.stringify(collection) }] };
  const { files, sealed } = importDocument(source, 'postman');
  const variables = Object.fromEntries(
    sealed.flatMap((one) => one.secrets.map(({ name, value }) => [name, value])),
  );
  const dynamic = { get: () => null, renew: () => undefined, renewTimes: () => undefined };
  return files.flatMap(({ path, content }) => {
    const [block] = parseHttpFile(String(content)).requests;
    if (block === undefined || !path.endsWith('.http')) return [];
    const { method, url, headers, body } = resolveRequest(block, { variables, dynamic });
    const header = (name: string) => headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? null;
    const { pathname, search } = new URL(url);
    const given = header('authorization');
    const [, user, password] = /^Basic ([^:]*):(.*)$/s.exec(given ?? '') ?? [];
    return {
      name: decodeURIComponent(pathname.slice(1)),
      method,
      path: pathname + search,
      authorization:
        user === undefined ? given : `Basic ${Buffer.from(`${user}:${password!}`).toString('base64')}`,
      type: header('content-type'),
      body: body ?? '',
    };
  });
}

it(
  'imports what Newman sends: bodies, their types, and what proves who asks',
  { timeout: 60_000 },
  async () => {
    const { collection, theirs } = await listTheirs();
    expect(theirs).toHaveLength(requests.length + 1);
    expect(listOurs(collection)).toEqual(theirs);
  },
);
