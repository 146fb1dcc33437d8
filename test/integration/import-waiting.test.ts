import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { casesOf } from '../support/effort';
import { runUntilKilled } from '../support/kill-at';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

const seen: (string | undefined)[] = [];
const server = createServer((request, response) => {
  seen.push(`${request.url} ${String(request.headers['x-api-key'])}`);
  response.end('{}');
});
let here = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

type Values = Record<string, string>;

const environment = (name: string, values: Values): string =>
  JSON.stringify({
    name,
    _postman_variable_scope: 'environment',
    values: Object.entries(values).map(([key, value]) => ({ key, value, enabled: true })),
  });

const collection = (address: string, values: Values = {}): string =>
  JSON.stringify({
    info: { name: 'Pay', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    variable: Object.entries(values).map(([key, value]) => ({ key, value })),
    item: [
      {
        name: 'Get',
        request: {
          method: 'GET',
          url: `${address}/balance`,
          header: [{ key: 'X-Api-Key', value: '{{apiKey}}' }],
        },
      },
    ],
  });

interface Kept {
  data: { name: string; kind: string; baseUrl: string; variables: Values }[];
  bindings: Values;
}

class Place {
  readonly data = makeTemporaryFolder('waiting-data');
  readonly root = makeTemporaryFolder('waiting');

  async import(text: string, into = this.root): Promise<{ where: string; what: string }[]> {
    const args = ['import', 'auto', '-', '--into', into, '--data', this.data, '--json'];
    const { exitCode, json, stderr } = await runOnce(args, { input: text });
    expect([exitCode, stderr]).toEqual([0, '']);
    return (json[0] as unknown as { notes: { where: string; what: string }[] }).notes;
  }

  read(): Kept {
    const file = join(this.data, 'settings.json');
    const { environments = { data: [], bindings: {} } } = (
      existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
    ) as { environments?: Kept };
    return environments;
  }

  /** Of the user's own environments: name, address, what it is bound to, and the names of its values. */
  list(): string[] {
    const { data, bindings } = this.read();
    return data
      .map(({ name, baseUrl, variables }) =>
        [name, baseUrl, bindings[`data/${name}`], Object.keys(variables).sort().join()].join(' | '),
      )
      .sort();
  }

  readFileOfTeam(): unknown {
    const file = join(this.root, 'http-client.env.json');
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  }

  async call(method: string, input: object) {
    const { stdout, stderr, exitCode } = await runOnce(['call', method, '--data', this.data], {
      input: JSON.stringify(input),
    });
    return { exitCode, stderr, output: (stdout === '' ? null : JSON.parse(stdout)) as unknown };
  }

  send(env: string, name = 'Get.http') {
    return runOnce(['send', join(this.root, name), '--env', env, '--data', this.data, '--json']);
  }
}

const key = { apiKey: 'key-of-env-0001' };
const own = { apiKey: 'key-of-coll-0009' };
const waits = (name: string): string =>
  `Of your own environments, '${name}' has no address yet, and none of its secrets is sent anywhere: enter the address in Environments.`;

describe('a collection and its environment, whichever is imported first', () => {
  it.each<[string, string, Values, string, Values, object, string[], string]>([
    [
      'the secret is the collection’s, and the address the environment’s',
      '{{base_url}}',
      own,
      'UAT',
      { base_url: 'HERE', merchant: 'M-1', client_secret: 'client-of-env-0002' },
      { UAT: { base_url: 'HERE', merchant: 'M-1' } },
      ['Pay |  |  | apiKey', 'UAT | HERE | HERE | client_secret,merchant'],
      'Pay',
    ],
    [
      'the address stands in the requests alone',
      'HERE',
      {},
      'UAT',
      { merchant: 'M-1', ...key },
      { UAT: { merchant: 'M-1' } },
      ['UAT |  |  | apiKey,merchant'],
      'UAT',
    ],
  ])('%s', async (_what, address, ofCollection, name, values, file, environments, open) => {
    const put = <T>(given: T): T => JSON.parse(JSON.stringify(given).replaceAll('HERE', here)) as T;
    const texts = [collection(put(address), put(ofCollection)), environment(name, put(values))];
    for (const order of [texts, texts.toReversed()]) {
      const place = new Place();
      let notes: { where: string; what: string }[] = [];
      for (const text of order) notes = await place.import(text);
      expect(place.readFileOfTeam()).toEqual(put(file));
      expect(place.list()).toEqual(put(environments));
      expect(notes.filter(({ what }) => what === waits(open))).toHaveLength(1);
      expect(readFileSync(join(place.data, 'settings.json'), 'utf8')).not.toMatch(/-of-(?:env|coll)-/);
    }
  });
});

describe('a secret that nothing tells the address of', () => {
  it('is kept, sent nowhere, and asked about once the user gives it an address', async () => {
    const place = new Place();
    expect(
      (await place.import(environment('Pay', { ...key, merchant: 'M-1' }))).map(({ what }) => what),
    ).toEqual([
      "The value of {{apiKey}} is a credential: it lies in the vault, in your environment 'Pay'.",
      waits('Pay'),
    ]);
    expect([place.list(), place.readFileOfTeam()]).toEqual([
      ['Pay |  |  | apiKey,merchant'],
      { Pay: { merchant: 'M-1' } },
    ]);
    // A stranger's next tells nothing.
    await place.import(collection('{{base_url}}', { base_url: here }));
    await place.import(environment('Pay', { base_url: here, other_secret: 'word-12345' }));
    expect(place.list()).toContain('Pay |  |  | apiKey,merchant');
    seen.length = 0;
    const refused = await place.send('Pay');
    expect([refused.exitCode, seen]).toEqual([2, []]);
    expect(refused.stderr + refused.stdout).toMatch(/'Pay' has no address yet. Enter it in the app/);
    // What a stranger's file shares, or a request has itself, is no address of it.
    writeFileSync(join(place.root, 'x.http'), `GET ${here}/x\nX-Api-Key: {{apiKey}}\n`);
    writeFileSync(join(place.root, 'http-client.env.json'), JSON.stringify({ $shared: { base_url: here } }));
    for (const file of ['x.http', 'Get.http']) expect((await place.send('Pay', file)).exitCode).toBe(2);
    expect(seen).toEqual([]);

    const [{ name, variables }] = place.read().data as [Kept['data'][number]];
    const input = { id: 'data/Pay', name, kind: 'sandbox', baseUrl: here, variables, inClear: [] };
    expect(await place.call('environments.save', { ...input, baseUrl: '' })).toMatchObject({
      stderr: expect.stringContaining('The base address is not an absolute address') as string,
    });
    const { output } = await place.call('environments.save', input);
    expect(output).toMatchObject({ addressChange: { from: null, to: here } });
    expect([(await place.send('Pay')).exitCode, seen]).toEqual([2, []]);
    await place.call('environments.bindAddress', { id: 'data/Pay', address: here, confirmation: 'Pay' });
    expect([(await place.send('Pay')).exitCode, seen]).toEqual([0, ['/balance key-of-env-0001']]);
    // It is there, and the same again makes no other.
    const before = place.list();
    await place.import(environment('Pay', { ...key, merchant: 'M-1' }), makeTemporaryFolder('waiting'));
    expect(place.list()).toEqual(before);
  });

  it('is bound to nothing, whenever its import is killed', async () => {
    for (let at = 1; ; at += casesOf(6, 1)) {
      const place = new Place();
      const args = ['import', 'auto', '-', '--into', place.root, '--data', place.data];
      const input = environment('Pay', key);
      const isKilled = runUntilKilled(args, { folders: [place.data], at, input });
      writeFileSync(join(place.root, 'x.http'), 'GET {{base_url}}/x\nX-Api-Key: {{apiKey}}\n');
      const id = place.read().data.length > 0 ? { id: 'data/Pay' } : {};
      const variables = { apiKey: '{{vault.apiKey}}' };
      const given = { ...id, name: 'Pay', kind: 'sandbox', baseUrl: here, variables, inClear: [] };
      const saved = await place.call('environments.save', given);
      expect(saved.stderr, `killed before change ${at}`).toBe('');
      seen.length = 0;
      expect([(await place.send('Pay', 'x.http')).exitCode, seen]).toEqual([2, []]);
      if (!isKilled) break;
    }
  }, 240_000);
});

it('tells of the environment that an import gave a credential to where another one is chosen', async () => {
  const place = new Place();
  await place.import(collection(here, own));
  const count = seen.length;
  const sent = await place.send('local');
  const { stderr } = await runOnce(['run', place.root, '--env', 'local', '--data-directory', place.data]);
  for (const told of [sent.stderr, stderr])
    expect(told).toContain(
      "{{apiKey}}: among the variables of the environment 'Pay': name that with --env, or give a value",
    );
  const bareArgs = ['send', join(place.root, 'Get.http'), '--base-url', here, '--data', place.data];
  const { stderr: bare } = await runOnce(bareArgs);
  expect(bare).toMatch(/\{\{apiKey\}\}: keep it in an environment of yours/);
  expect(seen).toHaveLength(count);
});
