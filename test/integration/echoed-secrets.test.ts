import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MethodInput, MethodName, MethodOutput } from '@shared/contract/contract';
import { toErrorReply } from '@shared/errors';
import { prepareDataDirectory } from '../../electron/platform/files/data-directory';
import type { Services } from '../../electron/services/create-services';
import { openServices } from '../support/open-services';
import { makeTemporaryFolder } from '../support/temporary';

let services: Services;
let server: Server;
let baseUrl: string;
let data: string;
let told: { name: string; text: string }[];
/** What the service says in each place of its next answer. */
let echo: string;

const call = async <M extends MethodName>(method: M, input: MethodInput<M>): Promise<MethodOutput<M>> => {
  const output = await services.router.call(method, input);
  told.push({ name: method, text: JSON.stringify(output) });
  return output;
};

/** Every place of an answer that a service writes freely. */
const answerHeaders = (secret: string): Record<string, string | string[]> => ({
  'WWW-Authenticate': `Bearer realm="payments", error="invalid_token", error_description="no ${secret}"`,
  'Proxy-Authenticate': `Bearer ${secret}`,
  'X-Amzn-Remapped-Authorization': `Bearer ${secret}`,
  'X-Request-Id': secret,
  'X-Echo': secret,
  Location: `/next/${secret}?of=${encodeURIComponent(secret)}`,
  'Set-Cookie': [`sid=${secret}; Path=/`, `of=${secret}`],
  'Content-Disposition': `attachment; filename="${secret}.json"`,
  'Content-Type': `text/plain; boundary=${secret}`,
  ETag: `"${secret}"`,
  Link: `</x/${secret}>; rel="next"`,
  Warning: `299 - "${secret}"`,
});

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(401, `No ${echo}`, answerHeaders(echo));
      response.end(
        `{"status":"400.001.100","code":"${echo}","description":"you said ${echo}","a":["${echo}"],"field_errors":[{"field":"${echo}","message":"no ${echo}"}]}`,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  data = prepareDataDirectory(join(makeTemporaryFolder('echoed-secrets'), 'data'));
  told = [];
  services = openServices(data);
  await call('environments.save', { name: 'uat', kind: 'sandbox', baseUrl, variables: {} });
});
afterAll(async () => {
  await services.close();
  server.close();
});

type Request = Partial<Pick<MethodInput<'sending.send'>, 'url' | 'headers' | 'body' | 'bodyBase64'>>;

/** The ways in which somebody's secret gets into a request. */
const ways: Readonly<Record<string, (secret: string) => Request>> = {
  'a bearer token': (secret) => ({ headers: [['Authorization', `Bearer ${secret}`]] }),
  'a token without a scheme': (secret) => ({ headers: [['Authorization', secret]] }),
  'a password of Basic': (secret) => ({
    headers: [['Authorization', `Basic ${Buffer.from(`amina:${secret}`).toString('base64')}`]],
  }),
  'a key in a header': (secret) => ({ headers: [['X-Api-Key', secret]] }),
  'a cookie': (secret) => ({ headers: [['Cookie', `theme=dark; sid=${secret}`]] }),
  'a key in the address': (secret) => ({ url: `${baseUrl}/x?page=2&api_key=${encodeURIComponent(secret)}` }),
  'a password in JSON': (secret) => ({ body: JSON.stringify({ user: 'amina', password: secret }) }),
  'a password in a form': (secret) => ({ body: `user=amina&password=${encodeURIComponent(secret)}` }),
  'a password in XML': (secret) => ({ body: `<login><password>${secret}</password></login>` }),
  'a part of a multipart body': (secret) => ({
    headers: [['Content-Type', 'multipart/form-data; boundary=b']],
    body: `--b\r\nContent-Disposition: form-data; name="api_key"\r\n\r\n${secret}\r\n--b--\r\n`,
  }),
  'a password beside bytes of a file': (secret) => ({
    body: null,
    bodyBase64: Buffer.from(`{"password":"${secret}"}`).toString('base64'),
  }),
};

const readAll = (): string =>
  readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

const drawSecret = fc
  .string({
    minLength: 8,
    maxLength: 40,
    unit: fc.constantFrom(...'abcdefghjkmnpqrstuvwxyzABCDEFGH23456789-._~'),
  })
  .filter((secret) => new Set(secret).size >= 8);

/** Where a secret stands in what was told, or is kept. */
function findLeaks(secret: string): string[] {
  const leaks = told.filter(({ text }) => text.includes(secret)).map(({ name }) => name);
  return readAll().includes(secret) ? [...leaks, 'a file of the data directory'] : leaks;
}

describe('what a request proves itself with, echoed in every place of the answer', () => {
  it.each(Object.entries(ways))('%s stands in nothing that is told or kept', async (_name, write) => {
    await fc.assert(
      fc.asyncProperty(drawSecret, async (secret) => {
        echo = secret;
        told = [];
        const { id } = await call('sending.send', {
          environment: 'data/uat',
          operation: 'other',
          title: 'Ask',
          method: 'POST',
          url: `${baseUrl}/x`,
          headers: [],
          body: null,
          isForScreen: true,
          ...write(secret),
        });
        await call('history.get', { id });
        await call('history.list', { limit: 1 });
        await call('journey.list', {});
        const { base64 } = await call('history.readBody', { id, offset: 0, length: 10_000 });
        told.push({ name: 'bytes', text: Buffer.from(base64, 'base64').toString() });
        const { trace } = await services.router.call('history.get', { id });
        for (const one of [trace?.sent, trace?.received]) {
          told.push({ name: 'wire', text: Buffer.from(one?.base64 ?? '', 'base64').toString() });
        }
        expect(findLeaks(secret)).toEqual([]);
      }),
      { numRuns: 4, seed: 20_261_123 },
    );
  });

  it('stands in no verdict of a run, whatever the expectations compare', async () => {
    // Longer than any part of an advice: what is cut before it is masked shows its beginning.
    const secret = (echo = Array.from({ length: 40 }, (_, index) => `k${index * 7}-d4e5b6`).join('.'));
    const expectations = [...Object.keys(answerHeaders('')).map((name) => `header ${name}`), 'body a[0]'].map(
      (what) => `# @expect ${what} == something else\n`,
    );
    expectations.push('# @expect status 201\n');
    const typed = [
      `X-Api-Key: ${secret}`,
      `Authorization: Basic amina ${secret}`,
      `Cookie: a=b; sid=${secret}`,
    ];
    const folder = makeTemporaryFolder('echoed-run');
    for (const [index, header] of typed.entries()) {
      const text = `### Ask\n# @name Ask ${index}\n${expectations.join('')}GET ${baseUrl}/x\n${header}\n`;
      writeFileSync(join(folder, `${index}.http`), text);
    }
    const { id: collectionId } = await services.router.call('collections.open', { directory: folder });
    told = [];
    await call('running.start', { environment: 'data/uat', collectionId, path: '' });
    await expect
      .poll(async () => (await call('running.get', {})).run?.state, { timeout: 20_000 })
      .toBe('over');
    const { run } = await call('running.get', {});
    expect(run?.results.map(({ httpStatus }) => httpStatus)).toEqual([401, 401, 401]);
    const verdicts = run?.results.flatMap(({ expectations: all }) => all) ?? [];
    expect(verdicts).toHaveLength(3 * expectations.length);
    expect(verdicts.filter(({ advice }) => advice?.startsWith('The service names: '))).toHaveLength(3);
    expect(findLeaks(secret.slice(0, 60))).toEqual([]);
  });

  it('stands in no error about an address that holds it', async () => {
    const url = `${baseUrl.replace('//', '//amina:word-of-the-address@')}/x`;
    const input = { environment: 'data/uat', operation: 'other', title: '', method: 'GET', url } as const;
    const refusal = await services.router
      .call('sending.send', { ...input, headers: [], body: null })
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'sending.bad_url' });
    expect(JSON.stringify(toErrorReply(refusal))).not.toContain('word-of-the-address');
    expect(readAll()).not.toContain('word-of-the-address');
  });
});
