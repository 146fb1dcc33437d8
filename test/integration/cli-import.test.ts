import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce, type CliResult } from './cli-once';

const folder = makeTemporaryFolder('import');
const fixtures = join(import.meta.dirname, '..', 'fixtures', 'import');
let count = 0;
const newPath = (): string => join(folder, `into-${++count}`);
const newFolder = (): string => {
  const path = newPath();
  mkdirSync(path);
  return path;
};

interface Imported {
  requests: number;
  folders: number;
  environments: number;
  files: string[];
  notes: { where: string; what: string }[];
}

async function importText(
  format: string,
  text: string | Uint8Array,
  into: string,
  args: string[] = [],
): Promise<Imported> {
  const result = await runOnce(['import', format, '-', '--into', into, '--json', ...args], { input: text });
  expect(result.stderr).toBe('');
  expect(result.exitCode).toBe(0);
  expect(result.json).toHaveLength(1);
  return result.json[0] as unknown as Imported;
}

/** One line on stderr, exit code 2, nothing written. */
function expectRefusal({ exitCode, stdout, stderr }: CliResult, into: string, message: RegExp): void {
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).toMatch(message);
  expect(existsSync(into)).toBe(false);
  expect(readdirSync(folder).filter((name) => name.includes('.tmp'))).toEqual([]);
}

async function dryRun(file: string, args: string[] = []): Promise<Record<string, unknown>> {
  const { json, exitCode } = await runOnce(['send', file, '--dry-run', '--json', ...args]);
  expect(exitCode).toBe(0);
  return json[0]!;
}

const openapi = (summary: string, extra = ''): string => `openapi: 3.0.3
info: { title: Shop, version: "1" }
servers: [{ url: https://api.example.com, description: Live }]
paths:
  /pay:
    post:
      summary: ${summary}
      requestBody: { content: { application/json: { example: { amount: 1000.00 } } } }
  /list:
    get: { summary: List }
${extra}`;

describe('countersign import', () => {
  it('takes a file, and prints counts, files and notes as one line of JSON', async () => {
    const into = newPath();
    const file = join(fixtures, 'postman', 'collection-2.1', 'input.json');
    const { json, exitCode } = await runOnce(['import', 'auto', file, '--into', into, '--json']);
    const imported = json[0] as unknown as Imported;
    expect(exitCode).toBe(0);
    expect([imported.requests, imported.folders, imported.environments]).toEqual([5, 1, 1]);
    expect(imported.files.filter((path) => path.endsWith('.http'))).toHaveLength(5);
    for (const path of imported.files) expect(existsSync(join(into, path)), path).toBe(true);
    expect(imported.notes.every(({ where, what }) => where !== '' && what !== '')).toBe(true);
  });

  it('takes standard input, UTF-16 too, and a folder of Bruno', async () => {
    const utf16 = readFileSync(join(fixtures, 'postman', 'environment-utf16', 'input.json'));
    const into = newPath();
    expect(await importText('postman', utf16, into)).toMatchObject({ requests: 0, environments: 1 });
    expect(readFileSync(join(into, 'http-client.env.json'), 'utf8')).not.toContain('k-123456');
    const { json } = await runOnce([
      'import',
      'auto',
      join(fixtures, 'bruno', 'folder', 'input'),
      '--into',
      newPath(),
      '--json',
    ]);
    expect(json[0]).toMatchObject({ requests: 2, folders: 1, environments: 1 });
  });

  it('makes files that send the same method, address, headers and bytes', async () => {
    const into = newPath();
    const body = '{"amount":1000.00,\n "id":12345678901234567890, "note":"ends"}\n';
    const text = `curl -X PATCH 'https://api.example.com/v1/x?a=b%20c' -H 'Content-Type: application/json' -H 'X-Key-Id: 7' --data-binary '${body}'`;
    const { files } = await importText('curl', text, into);
    expect(await dryRun(join(into, files[0]!))).toMatchObject({
      method: 'PATCH',
      url: 'https://api.example.com/v1/x?a=b%20c',
      headers: [
        ['Content-Type', 'application/json'],
        ['X-Key-Id', '7'],
      ],
      body_base64: Buffer.from(body).toString('base64'),
      unresolved: [],
    });
    const har = await importText(
      'har',
      readFileSync(join(fixtures, 'har', 'browser', 'input.har')),
      newPath(),
    );
    const place = join(folder, `into-${count}`);
    const binary = har.files.find((path) => path.includes('bin.http'))!;
    expect(await dryRun(join(place, binary))).toMatchObject({ body_base64: 'AAH/' });
  });

  it('sends what came with its whole address without an environment, and gives each environment a base_url', async () => {
    const into = newPath();
    const { files } = await importText('curl', "curl 'http://127.0.0.1:9/a'", into);
    for (const [command, option] of [
      ['send', '--data'],
      ['run', '--data-directory'],
    ] as const) {
      const sent = await runOnce([command, join(into, files[0]!), option, newFolder()]);
      expect(`${sent.stderr}${sent.stdout}`).toMatch(/127\.0\.0\.1 on port 9/);
    }
    const request = { method: 'GET', url: '{{baseUrl}}/a' };
    const collection = {
      info: { name: 'Shop', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/' },
      item: [{ name: 'A', request }],
      variable: [{ key: 'baseUrl', value: 'https://api.example.com/' }],
    };
    const place = newPath();
    const { notes } = await importText('postman', JSON.stringify(collection), place);
    expect(notes[0]).toMatchObject({ where: 'Shop', what: expect.stringContaining('It had no base_url') });
    const sent = await dryRun(join(place, 'A.http'), ['--env', 'Shop', '--data', newFolder()]);
    expect(sent).toMatchObject({ url: 'https://api.example.com//a', unresolved: [] });
    const file = join(place, 'B.http');
    writeFileSync(file, 'GET {{base_url}}/b\n');
    const none = await runOnce(['send', file, '--data', newFolder()]);
    expect([none.exitCode, none.stderr]).toEqual([2, expect.stringContaining('environments.no_address')]);
  });

  it('gives the variables of a collection to the environments that come in files of their own', async () => {
    const into = newPath();
    const variable = [
      { key: 'base_url', value: 'https://sandbox.example.com' },
      { key: 'currency', value: 'KES' },
    ];
    const item = [{ name: 'Fees', request: '{{base_url}}/fees/{{currency}}' }];
    await importText('postman', JSON.stringify({ info: { name: 'Shop' }, variable, item }), into);
    const values = [{ key: 'base_url', value: 'https://uat.example.com', enabled: true }];
    await importText('postman', JSON.stringify({ name: 'UAT', values }), into);
    const readUrl = async (env: string): Promise<unknown> =>
      (await dryRun(join(into, 'Fees.http'), ['--env', env]))['url'];
    expect(await readUrl('UAT')).toBe('https://uat.example.com/fees/KES');
    expect(await readUrl('Shop')).toBe('https://sandbox.example.com/fees/KES');
  });

  it('uses the environments that came along', async () => {
    const into = newPath();
    const file = join(fixtures, 'insomnia', 'v5', 'input.yaml');
    await runOnce(['import', 'insomnia', file, '--into', into]);
    const sent = await dryRun(join(into, 'Folder', 'Get one.http'), ['--env', 'Live', '--data', newFolder()]);
    expect(sent).toMatchObject({ url: 'https://api.example.com/v1/9', unresolved: ['token'] });
  });

  it('keeps credentials in the vault of --data, from where they are sent, and in no file', async () => {
    const [into, data] = [newPath(), newPath()];
    const text = "curl -H 'X-Api-Key: k-live-778899' https://api.example.com/a";
    const { notes } = await importText('curl', text, into, ['--data', data]);
    expect(notes[0]!.what).toMatch(/lies in the vault, in your environment 'api.example.com'/);
    const [file] = readdirSync(into);
    const sent = await dryRun(join(into, file!), ['--env', 'api.example.com', '--data', data]);
    expect(sent).toMatchObject({ unresolved: [], url: 'https://api.example.com/a' });
    const written = [into, data].flatMap((one) =>
      readdirSync(one, { recursive: true, encoding: 'utf8', withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1')),
    );
    expect(written.join('\n')).not.toContain('778899');
    const again = await importText('curl', text.replace('778899', '112233'), newPath());
    expect(again.notes[0]!.what).toMatch(
      /no vault is open here: its value is dropped\. To keep it, import with --data/,
    );
  });

  it('imports a document again without losing what was changed', async () => {
    const into = newPath();
    await importText('openapi', openapi('Pay'), into);
    writeFileSync(join(into, 'Pay.http'), 'GET {{base_url}}/mine\n');
    writeFileSync(join(into, 'Own.http'), 'GET {{base_url}}/own\n');
    writeFileSync(join(into, 'Next.http'), 'GET {{base_url}}/next\n');
    const extra = '  /next:\n    get: { summary: Next }\n  /list/{id}:\n    get: { summary: One }\n';
    const changed = openapi('Pay', extra).replace(
      'summary: List',
      'summary: List, deprecated: true, parameters: [{ name: n, in: query, example: 1.50 }]',
    );
    const { notes } = await importText('openapi', changed, into);
    expect(readFileSync(join(into, 'Pay.http'), 'utf8')).toBe('GET {{base_url}}/mine\n');
    expect(readFileSync(join(into, 'Own.http'), 'utf8')).toBe('GET {{base_url}}/own\n');
    expect(readFileSync(join(into, 'Next.http'), 'utf8')).toBe('GET {{base_url}}/next\n');
    expect(readFileSync(join(into, 'List.http'), 'utf8')).toContain('/list?n=1.50');
    expect(readdirSync(into).sort()).toEqual(
      [
        'List.http',
        'Next 2.http',
        'Next.http',
        'One.http',
        'Own.http',
        'Pay.http',
        'collection.json',
        'http-client.env.json',
      ].sort(),
    );
    expect(notes).toContainEqual({
      where: 'Pay.http',
      what: expect.stringContaining('changed since it was imported') as string,
    });
    const third = await importText('openapi', openapi('Pay'), into);
    expect(readFileSync(join(into, 'Pay.http'), 'utf8')).toBe('GET {{base_url}}/mine\n');
    expect(third.notes.map(({ where }) => where)).toEqual(expect.arrayContaining(['Pay.http', 'One.http']));
  });

  it('replaces no file of others, and makes no second of the same', async () => {
    const into = newPath();
    const text = 'curl https://api.example.com/a\ncurl https://api.example.com/b';
    await importText('curl', text, into);
    await importText('curl', text, into);
    writeFileSync(join(into, 'GET a.http'), 'GET https://mine.test/\n');
    await importText('curl', text, into);
    expect(readFileSync(join(into, 'GET a.http'), 'utf8')).toBe('GET https://mine.test/\n');
    expect(readdirSync(into).sort()).toEqual(['GET a 2.http', 'GET a.http', 'GET b.http', 'collection.json']);
  });
});

describe('countersign import, refusing', () => {
  const deep = '['.repeat(200_000);
  beforeAll(() => symlinkSync('circle', join(folder, 'circle')));
  it.each([
    ['an unknown format', ['import', 'soap', '-'], 'x', /FORMAT is one of auto, curl/],
    ['prose', ['import', 'auto', '-'], 'Dear all', /none of what is read/],
    ['nothing', ['import', 'auto', '-'], '', /is empty/],
    ['depth', ['import', 'postman', '-'], deep, /nested deeper/],
    [
      'a document without operations',
      ['import', 'auto', '-'],
      '{"openapi":"3.0.0","paths":{}}',
      /nothing to import/,
    ],
    [
      'bytes that are no text',
      ['import', 'auto', '-'],
      Buffer.from([0xc3, 0x28, 0xff]),
      /neither UTF-8 nor UTF-16/,
    ],
    ['a file that is not there', ['import', 'auto', join(folder, 'none')], '', /There is no file or folder/],
    [
      'a link in a circle',
      ['import', 'auto', join(folder, 'circle')],
      '',
      /circle cannot be reached: its path is links that lead in a circle\. Nothing was imported/,
    ],
    ['a device', ['import', 'auto', '/dev/zero'], '', /no regular file/],
    [
      'a folder of something else',
      ['import', 'auto', join(fixtures, '..', 'json-path')],
      '',
      /holds no collection of Bruno/,
    ],
    [
      'a folder of request files',
      ['import', 'auto', join(fixtures, '..', 'http-files')],
      '',
      /holds request files already, such as .*\.http: open the folder in the app, or give it to countersign run\./,
    ],
    [
      'a file with two versions of a merge',
      ['import', 'postman', '-'],
      '{"item":[\n<<<<<<< HEAD\n1\n=======\n2\n>>>>>>> b\n]}',
      /line 2: Two versions stand here as a merge leaves them: keep one/,
    ],
  ])('%s', async (_what, args, input, message) => {
    const into = newPath();
    expectRefusal(await runOnce([...args, '--into', into, '--json'], { input }), into, message);
  });

  it('100 MB, before it is read', async () => {
    const into = newPath();
    const file = join(folder, 'large.json');
    writeFileSync(file, Buffer.alloc(100 * 1024 * 1024, 97));
    const result = await runOnce(['import', 'auto', file, '--into', into]);
    rmSync(file);
    expectRefusal(result, into, /larger than 48 MiB/);
  });

  it('a target whose folders are links, or whose environments are no JSON: nothing is written there', async () => {
    const into = newPath();
    const outside = newPath();
    for (const one of [into, outside]) mkdirSync(one);
    symlinkSync(outside, join(into, 'Payouts'));
    const file = join(fixtures, 'postman', 'collection-2.1', 'input.json');
    const linked = await runOnce(['import', 'postman', file, '--into', into]);
    expect([linked.exitCode, readdirSync(into), readdirSync(outside)]).toEqual([2, ['Payouts'], []]);
    rmSync(join(into, 'Payouts'));
    writeFileSync(join(into, 'http-client.env.json'), '{ "dev": ');
    const broken = await runOnce(['import', 'postman', file, '--into', into]);
    expect(broken.stderr).toMatch(/cannot be read as JSON.*nothing was imported/);
    expect([broken.exitCode, readdirSync(into)]).toEqual([2, ['http-client.env.json']]);
    writeFileSync(join(into, 'http-client.env.json'), '{\n<<<<<<< a\n=======\n"dev": {}\n>>>>>>> b\n}');
    const merged = await runOnce(['import', 'postman', file, '--into', into]);
    expect(merged.stderr).toContain('(line 2: two versions, as a merge leaves them: keep one)');
  });
});
