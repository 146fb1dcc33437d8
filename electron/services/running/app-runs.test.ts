import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Environment } from '@shared/contract/environments';
import type { EventMap } from '@shared/contract/events';
import type { Exchange, SendInput } from '@shared/contract/sending';
import { AppError } from '@shared/errors';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { usualSetup } from '@shared/contract/usual-setup';
import { createEventBus } from '../../platform/event-bus';
import { systemClock, systemRandom } from '../../platform/node-ports';
import type { ReadyRequest } from '../sending/create-sending-service';
import { AppRuns } from './app-runs';
import { KeptRuns } from './kept-runs';
import { runRequests } from './run-requests';

const baseUrl = 'http://127.0.0.1:9';
const local: Environment = {
  id: 'local',
  name: 'local',
  label: 'Local sandbox',
  kind: 'local',
  baseUrl,
  variables: { base_url: baseUrl, api_secret: 'very-secret-value' },
  source: 'builtin',
  keyId: null,
  hasCredentials: true,
  setup: usualSetup,
  sealedParts: [],
  session: {},
  isActive: true,
  addressChange: null,
};
const live: Environment = {
  ...local,
  id: 'data/live',
  name: 'live',
  label: 'live',
  kind: 'production',
  baseUrl: 'https://api.example.test',
  variables: { ...local.variables, base_url: 'https://api.example.test' },
};

const payout =
  '{"transaction":{"reference":"{{$uuid}}","amount":1000.00,"currency":"KES"},"recipient":{"name":"Joe","account":"254700"}}';
const files: Readonly<Record<string, string>> = {
  'Payouts/Salary.http': `### Salary\n# @expect status 201\nPOST {{base_url}}/payments/v1/payouts\nContent-Type: application/json\n\n${payout}\n`,
  'Lookups/Two.http':
    '### First\n# @expect status 200\nGET {{base_url}}/first\n\n### Second\n# @depends-on First\n# @expect header x-echo == {{api_secret}}\n# @expect header x-vault contains -\nGET {{base_url}}/second\n',
};

/** Answers by path; what is not named is answered 200. */
let statuses: Record<string, number>;
let production: Environment;
let alsoListed: Environment | null;
let sent: SendInput[];
let hold: Promise<void>;
let events: EventMap['running.changed'][];
let directory: string;
let runs: AppRuns;
let dataDirectory: string;
/** Another start of the app on the same data. */
let open: () => AppRuns;
let findMissingSetUp: ConstructorParameters<typeof AppRuns>[0]['findMissingSetUp'];

function answer(input: SendInput): Exchange {
  const { pathname } = new URL(input.url);
  return {
    id: `exchange-${sent.length}`,
    environment: input.environment,
    operation: input.operation,
    identity: input.identity,
    title: input.title,
    sentAt: 0,
    reference: null,
    request: {
      method: input.method,
      url: input.url,
      headers: input.headers,
      body: input.body,
      stringToSign: null,
      signature: null,
      keyFingerprint: null,
      spans: [],
    },
    response: {
      httpStatus: statuses[pathname] ?? 200,
      headers: [['x-echo', 'very-secret-value']],
      body: '',
      bodyBase64: null,
      sizeBytes: 0,
      isCut: false,
      requestId: null,
    },
    timings: {
      queueMs: null,
      dnsMs: null,
      connectMs: null,
      tlsMs: null,
      firstByteMs: null,
      downloadMs: null,
      totalMs: 1,
    },
    reading: null,
    error: null,
  };
}

beforeEach(() => {
  directory = makeTemporaryFolder('runs');
  dataDirectory = makeTemporaryFolder('runs-data');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(directory, path, '..'), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  statuses = { '/payments/v1/payouts': 201 };
  production = live;
  alsoListed = null;
  sent = [];
  hold = Promise.resolve();
  events = [];
  findMissingSetUp = () => Promise.resolve([]);
  const bus = createEventBus();
  bus.subscribe('running.changed', (event) => events.push(event));
  const ports = { clock: systemClock, random: systemRandom };
  const never = () => Promise.reject(new Error('not asked'));
  open = () =>
    new AppRuns({
      ports,
      events: bus,
      run: (options) =>
        runRequests(
          {
            ports,
            listOwnSecrets: () => Promise.resolve([]),
            lookUp: never,
            fetchBalances: never,
            verify: never,
            makeReady: (input) => Promise.resolve({ leave: (onAnswer) => leave(input, onAnswer) }),
          },
          options,
        ),
      listEnvironments: () =>
        Promise.resolve({ environments: [local, production, ...(alsoListed === null ? [] : [alsoListed])] }),
      listProduction: () => Promise.resolve([]),
      kept: new KeptRuns({ dataDirectory, logger: { log: () => undefined } }),
      findMissingSetUp: (...of) => findMissingSetUp(...of),
      breakOff: () => Promise.resolve(),
      follow: () => Promise.resolve(() => undefined),
      collections: () => Promise.resolve({ get: (id) => ({ id, name: 'c', directory }) }),
    });
  runs = open();
});

const leave: (input: SendInput, ...given: Parameters<ReadyRequest['leave']>) => Promise<Exchange> = async (
  input,
  onAnswer,
) => {
  sent.push(input);
  await hold;
  const exchange = answer(input);
  const { httpStatus, headers } = exchange.response!;
  onAnswer?.(
    {
      httpStatus,
      headers: [...headers, ['x-vault', `${'-'.repeat(595)}sealed-value`]],
      body: Buffer.alloc(0),
      timings: exchange.timings!,
      isCut: false,
    },
    ['sealed-value', 'ok'],
  );
  return exchange;
};

const subject = { environment: 'local', collectionId: 'c', path: '', only: null };
const start = (given: Partial<Parameters<AppRuns['start']>[0]> = {}) =>
  runs.start({ ...subject, isBail: false, ...given });
async function end(): Promise<void> {
  await expect.poll(() => runs.get()?.state).toBe('over');
}
const outcomes = () =>
  Object.fromEntries(
    runs.get()!.results.map(({ place, outcome }) => [runs.get()!.items[place]!.name, outcome]),
  );

describe('a run of the app', () => {
  it('runs a folder or all of it, and gives each request its identity and place', async () => {
    await start({ path: 'Lookups' });
    await end();
    expect(outcomes()).toEqual({ First: 'passed', Second: 'passed' });
    expect(sent.map(({ identity }) => identity)).toEqual([
      { collectionId: 'c', path: 'Lookups/Two.http', block: 'First' },
      { collectionId: 'c', path: 'Lookups/Two.http', block: 'Second' },
    ]);
    await start();
    await end();
    expect(Object.keys(outcomes())).toHaveLength(3);
    expect(runs.get()!.results.map(({ exchangeId }) => exchangeId)).not.toContain(null);
  });

  it('tells in events all that ended, once, and the end itself', async () => {
    const { id } = await start();
    await end();
    expect(events.flatMap(({ results }) => results.map(({ place }) => place)).toSorted()).toEqual([0, 1, 2]);
    expect(events.at(-1)).toMatchObject({ id, state: 'over', underWay: [] });
  });

  it('runs what is chosen, with what it depends on', async () => {
    await start({ only: [{ path: 'Lookups/Two.http', block: 'Second' }] });
    await end();
    expect(Object.keys(outcomes())).toEqual(['First', 'Second']);
    expect(sent).toHaveLength(2);
  });

  it('finds what a request depends on anywhere in the collection, and blames no other file for its faults', async () => {
    writeFileSync(join(directory, 'Bad.http'), '# @expect stauts 1\nGET {{base_url}}/bad\n');
    writeFileSync(join(directory, 'Payouts', 'After.http'), '# @depends-on First\nGET {{base_url}}/after\n');
    await start({ path: 'Payouts/After.http' });
    await end();
    expect(outcomes()).toEqual({ First: 'passed', After: 'passed' });
  });

  it('names no secret value in what it tells', async () => {
    statuses['/second'] = 500;
    await start({ path: 'Lookups' });
    await end();
    expect(JSON.stringify([runs.get(), events])).not.toMatch(/very-secret-value|seale/);
    expect(JSON.stringify(runs.get())).toContain('x-vault');
  });

  it('sends nothing where a file is wrong, a value is given by nobody, or a path leads out', async () => {
    writeFileSync(join(directory, 'Bad.http'), '# @expect stauts 1\nGET {{base_url}}/{{nobody}}\n');
    const { faults } = await runs.plan(subject);
    expect(faults.map(({ path, line }) => `${path}:${line}`)).toEqual(['Bad.http:1', 'Bad.http:2']);
    await expect(start()).rejects.toMatchObject({ code: 'running.bad_file' });
    await expect(start({ path: '../..' })).rejects.toMatchObject({ code: 'collections.bad_path' });
    await expect(start({ only: [{ path: 'gone.http', block: '' }] })).rejects.toMatchObject({
      code: 'running.nothing',
    });
    expect(sent).toEqual([]);
  });

  it('says at once all that it lacks, before anything is sent, beside what is wrong in the files', async () => {
    const asked: string[] = [];
    findMissingSetUp = (environment, requests) => {
      asked.push(environment, ...requests.flatMap(({ headers }) => headers.map(([name]) => name)));
      return Promise.resolve([
        new AppError('keys.none_for_environment', 'No key signs yet.'),
        new AppError('tokens.no_credentials', 'No credentials.'),
      ]);
    };
    const missing = { code: 'keys.none_for_environment', message: 'No key signs yet. No credentials.' };
    await expect(runs.plan(subject)).rejects.toMatchObject(missing);
    expect(asked).toEqual(['local', 'Content-Type']);
    await expect(start()).rejects.toMatchObject(missing);
    writeFileSync(join(directory, 'Bad.http'), '# @expect stauts 1\nGET {{base_url}}/bad\n');
    expect((await runs.plan(subject)).faults.map(({ path, message }) => path || message)).toEqual([
      'Bad.http',
      'No key signs yet.',
      'No credentials.',
    ]);
    await expect(start()).rejects.toMatchObject({
      code: 'running.bad_file',
      message: expect.stringMatching(
        /Bad\.http:1: .* Nothing was sent\. No key signs yet\. No credentials\.$/,
      ),
    });
    expect([sent, runs.get()]).toEqual([[], null]);
  });

  it('asks before a run of another environment at the address of production, as somebody else’s collection may bring it', async () => {
    const baseUrl = 'https://API.example.test.';
    const dev = { ...local, id: 'payments/dev', name: 'dev', label: 'dev', source: 'collection' } as const;
    alsoListed = { ...dev, kind: 'sandbox', baseUrl, variables: { ...local.variables, base_url: baseUrl } };
    const asked = { ...subject, environment: 'payments/dev' };
    expect((await runs.plan(asked)).production).toMatchObject({ name: 'live', paymentCount: 1 });
    for (const confirmation of ['', 'dev']) {
      const started = start({ environment: 'payments/dev', confirmation });
      await expect(started).rejects.toMatchObject({ code: 'running.not_confirmed' });
    }
    expect(sent).toEqual([]);
    await start({ path: 'Payouts', environment: 'payments/dev', confirmation: 'live' });
    await end();
    expect(sent.map(({ production: word }) => word)).toEqual(['data/live']);
    alsoListed = { ...dev, kind: 'sandbox' };
    expect((await runs.plan(asked)).production).toBeNull();
    await start({ path: 'Payouts', environment: 'payments/dev', confirmation: 'live' });
    await end();
    expect(sent[1]).not.toHaveProperty('production');
  });

  it('runs nothing in production but what was shown before the name was typed', async () => {
    const asked = { ...subject, path: 'Payouts', environment: 'data/live' };
    const file = join(directory, 'Payouts/Salary.http');
    const { mark } = (await runs.plan(asked)).production!;
    writeFileSync(file, files['Payouts/Salary.http']!.replace('1000.00', '99999'));
    const again = { ...asked, confirmation: 'live', ...(mark !== undefined && { mark }) };
    await expect(start(again)).rejects.toMatchObject({
      code: 'running.not_confirmed',
      message: expect.stringContaining('run it again'),
    });
    expect(sent).toEqual([]);
    writeFileSync(file, files['Payouts/Salary.http']!);
    await start(again);
    await end();
    expect(sent).toHaveLength(1);
  });

  it('goes to the one of production that its requests name, though another one is chosen, and names every host', async () => {
    alsoListed = { ...live, id: 'data/second', name: 'second', baseUrl: 'https://second.example.test' };
    const file = join(directory, 'Payouts/Salary.http');
    writeFileSync(file, 'GET https://second.example.test/x\n');
    const plan = () => runs.plan({ ...subject, path: 'Payouts', environment: 'data/live' });
    expect((await plan()).production).toMatchObject({ name: 'second', host: 'second.example.test' });
    writeFileSync(file, `GET http://127.0.0.1:1/x\n\n${files['Payouts/Salary.http']}`);
    expect((await plan()).production).toMatchObject({ name: 'live', host: '127.0.0.1:1, api.example.test' });
  });

  it('takes no run to two environments of production: one name would stand for both', async () => {
    alsoListed = { ...live, id: 'data/second', name: 'second', baseUrl: 'https://second.example.test' };
    const both = 'GET https://api.example.test/x\n\n###\nGET https://second.example.test/x\n';
    writeFileSync(join(directory, 'Payouts/Salary.http'), both);
    const refusal = {
      code: 'running.not_confirmed',
      message: expect.stringContaining("'live' and to 'second'"),
    };
    await expect(runs.plan(subject)).rejects.toMatchObject(refusal);
    await expect(start({ confirmation: 'live' })).rejects.toMatchObject(refusal);
    expect(sent).toEqual([]);
  });

  it('runs in production by its name alone, and says before what would be paid', async () => {
    const asked = { ...subject, environment: 'data/live' };
    expect((await runs.plan(asked)).production).toEqual({
      name: 'live',
      host: 'api.example.test',
      paymentCount: 1,
      payments: [{ name: 'Salary', amount: '1000.00', currency: 'KES', party: 'Joe · 254700' }],
      mark: expect.any(String),
    });
    expect((await runs.plan(subject)).production).toBeNull();
    production = { ...live, session: { amount: '7.50' } };
    writeFileSync(
      join(directory, 'Payouts/Salary.http'),
      files['Payouts/Salary.http']!.replace('1000.00', '{{amount}}').replace('POST', '@amount = 1\nPOST'),
    );
    // As they leave: with the values that were set for this run.
    expect((await runs.plan(asked)).production!.payments).toMatchObject([{ amount: '7.50' }]);
    for (const confirmation of [undefined, '', 'Live', 'local']) {
      await expect(
        start({ environment: 'data/live', ...(confirmation !== undefined && { confirmation }) }),
      ).rejects.toMatchObject({
        code: 'running.not_confirmed',
      });
    }
    expect(sent).toEqual([]);
    await start({ environment: 'data/live', confirmation: 'live' });
    await end();
    expect(sent).toHaveLength(3);
  });

  it('sends nothing of a body file that was changed after it began, and says so of all that was not sent', async () => {
    for (const name of ['A', 'B', 'C'])
      writeFileSync(
        join(directory, 'Lookups', `${name}.http`),
        `POST {{base_url}}/${name}\n\n< ./body.json\n`,
      );
    writeFileSync(join(directory, 'Lookups', 'body.json'), '{"of":"main"}');
    let release = (): void => undefined;
    hold = new Promise((resolve) => (release = resolve));
    const only = ['A', 'B', 'C'].map((name) => ({ path: `Lookups/${name}.http`, block: '' }));
    await start({ path: 'Lookups', only });
    await expect.poll(() => sent.length).toBe(1);
    writeFileSync(join(directory, 'Lookups', 'body.json'), '{"of":"branch"}');
    release();
    await end();
    expect(sent.map(({ body }) => body)).not.toContain('{"of":"branch"}');
    const [first, ...rest] = runs.get()!.results.toSorted((one, other) => one.place - other.place);
    expect([first!.outcome, rest.at(-1)!.outcome]).toEqual(['passed', 'error']);
    expect(rest.at(-1)!.reason).toContain("'./body.json' was changed after the run began");
  });

  it('runs one at a time, and sends no more once it is canceled', async () => {
    let release = (): void => undefined;
    hold = new Promise((done) => (release = done));
    const { id } = await start();
    await expect(start()).rejects.toMatchObject({ code: 'running.under_way' });
    await expect.poll(() => sent.length).toBe(1);
    runs.cancel('another');
    expect(runs.get()?.state).toBe('running');
    runs.cancel(id);
    release();
    await end();
    expect(sent).toHaveLength(1);
    expect(runs.get()!.results).toHaveLength(1);
  });
});

describe('the last run of a collection', () => {
  it('is there again when the app is started anew, by its collection or as the latest, with no secret in it', async () => {
    statuses['/second'] = 500;
    await start({ path: 'Lookups' });
    await end();
    const shown = runs.get();
    runs = open();
    expect(runs.get()).toEqual(shown);
    expect([runs.get('c'), runs.get('another')]).toEqual([shown, null]);
    const [file] = readdirSync(join(dataDirectory, 'runs'));
    expect(readFileSync(join(dataDirectory, 'runs', file!), 'utf8')).not.toMatch(/very-secret-value|seale/);
    await start({ collectionId: 'another', path: 'Payouts' });
    await end();
    expect(open().get()?.subject.collectionId).toBe('another');
    expect(open().get('c')).toEqual(shown);
  });

  it('has beside what was sent again all that was not, also after a restart', async () => {
    statuses['/payments/v1/payouts'] = 500;
    await start();
    await end();
    runs = open();
    await start({ only: [{ path: 'Payouts/Salary.http', block: 'Salary' }] });
    await end();
    for (const run of [runs.get()!, open().get()!]) {
      expect(run.items.map(({ name }) => name)).toEqual(['Salary']);
      expect(run.kept.map(({ item, result }) => [item.name, result?.outcome])).toEqual([
        ['First', 'passed'],
        ['Second', 'passed'],
      ]);
    }
    await start({ path: 'Lookups', only: [{ path: 'Lookups/Two.http', block: 'First' }] });
    await end();
    expect(runs.get()!.kept).toEqual([]);
  });

  it('sends again what failed where that stands now, and nothing that has come into its place', async () => {
    const file = join(directory, 'Nameless.http');
    const write = (...paths: string[]) =>
      writeFileSync(file, paths.map((path) => `###\nGET {{base_url}}/${path}\n\n`).join(''));
    const isPlaced = { path: 'Nameless.http', only: null };
    statuses['/b'] = 500;
    write('a', 'b', 'c');
    await start(isPlaced);
    await end();
    const failed = runs.get()!.items.filter(({ line }) => line === 5);
    write('new', 'a', 'b', 'c');
    for (const _again of [1, 2]) {
      sent = [];
      await start({ ...isPlaced, only: failed });
      await end();
      expect(sent.map(({ url }) => url)).toEqual([`${baseUrl}/b`]);
      expect(runs.get()!.kept.map(({ item, result }) => [item.line, result?.outcome])).toEqual([
        [2, 'passed'],
        [8, 'passed'],
      ]);
    }
    write('new', 'a', 'other');
    await expect(start({ ...isPlaced, only: failed })).rejects.toMatchObject({ code: 'running.nothing' });
  });

  it('is of an environment that got another name since, before and after a restart, and has the rest beside what is sent again', async () => {
    production = { ...local, id: 'data/uat', name: 'uat', source: 'data' };
    await start({ collectionId: 'another' });
    await end();
    await start({ environment: 'data/uat' });
    await end();
    production = { ...production, id: 'data/live', name: 'live' };
    runs.renameEnvironment('data/uat', 'data/live');
    expect(runs.get('another')?.subject.environment).toBe('local');
    for (runs of [runs, open()]) {
      expect(runs.get()?.subject.environment).toBe('data/live');
      await start({ ...runs.get()!.subject, only: [{ path: 'Payouts/Salary.http', block: 'Salary' }] });
      await end();
      expect(runs.get()!.kept.map(({ item }) => item.name)).toEqual(['First', 'Second']);
    }
  });

  it('stands there, with what is not known of it, where the app was killed before anything of it had ended', async () => {
    let release = (): void => undefined;
    hold = new Promise((done) => (release = done));
    await start({ path: 'Lookups' });
    await expect
      .poll(() =>
        open()
          .get()
          ?.results.map(({ outcome }) => outcome),
      )
      .toEqual(['unfinished', 'unfinished']);
    release();
    await end();
    expect(
      open()
        .get()
        ?.results.map(({ outcome }) => outcome),
    ).toEqual(['passed', 'passed']);
  });

  it('stands there with what had ended where the app was killed a moment later', async () => {
    let releaseFirst = (): void => undefined;
    let releaseSecond = (): void => undefined;
    hold = new Promise((done) => (releaseFirst = done));
    await start({ path: 'Lookups' });
    await expect.poll(() => sent.length).toBe(1);
    hold = new Promise((done) => (releaseSecond = done));
    releaseFirst();
    const kept = () => open().get()?.results;
    await expect
      .poll(() => kept()?.map(({ outcome }) => outcome), { timeout: 4000 })
      .toEqual(['passed', 'unfinished']);
    releaseSecond();
    await end();
  });

  it('says of what was under way when the run broke off that its outcome is not known, and of the rest that it was not sent', async () => {
    let breakOff = (_error: Error): void => undefined;
    hold = new Promise((_done, fail) => (breakOff = fail));
    await start({ path: 'Lookups' });
    await expect.poll(() => sent.length).toBe(1);
    breakOff(new Error('unforeseen'));
    await end();
    expect(outcomes()).toEqual({ First: 'unfinished', Second: 'error' });
    expect(runs.get()!.results.map(({ reason }) => reason?.includes('History knows'))).toEqual([true, false]);
  });

  it('goes on where it cannot be kept, and says so', async () => {
    writeFileSync(join(dataDirectory, 'runs'), 'a file in the way');
    await start({ path: 'Lookups' });
    await end();
    expect(outcomes()).toEqual({ First: 'passed', Second: 'passed' });
    expect(runs.get()!.keepFault).toMatch(/Cannot write in .*runs/);
  });
});
