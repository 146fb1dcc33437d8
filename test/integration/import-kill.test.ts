import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { casesOf } from '../support/effort';
import { runUntilKilled } from '../support/kill-at';
import { openServices } from '../support/open-services';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

const folder = makeTemporaryFolder('import-kill');
/** Every so many-th change is one that a command is killed before. */
const STEP = casesOf(2, 1);

const document = (version: number): string =>
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Shop', version: String(version) },
    servers: [{ url: 'https://api.example.com', description: 'Live' }],
    paths: Object.fromEntries(
      // The second version changes half of the first, and brings more.
      ['a', 'b', 'c', 'd', ...(version === 2 ? ['e', 'f'] : [])].map((name) => [
        `/${name}${version === 2 && name < 'c' ? '?v=2' : ''}`,
        { get: { operationId: name, summary: name, tags: [name < 'c' ? 'One' : 'Two'], responses: {} } },
      ]),
    ),
  });

const readAll = (root: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => statSync(join(root, path)).isFile())
      .sort()
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  );

it('leaves a collection as it was or as it is to be, whenever it is killed, once its folder is opened', async () => {
  const before = join(folder, 'before');
  expect((await runOnce(['import', 'openapi', '-', '--into', before], { input: document(1) })).exitCode).toBe(
    0,
  );
  const old = readAll(before);
  const after = join(folder, 'after');
  cpSync(before, after, { recursive: true });
  expect((await runOnce(['import', 'openapi', '-', '--into', after], { input: document(2) })).exitCode).toBe(
    0,
  );
  const whole = readAll(after);
  expect(whole).not.toEqual(old);
  const services = openServices(makeTemporaryFolder('import-kill-data'));
  const call = services.router.call;
  const ends = new Set<string>();
  let told = 0;
  for (let at = 1; ; at += STEP) {
    const root = join(folder, `killed-${at}`);
    cpSync(before, root, { recursive: true });
    const isKilled = runUntilKilled(['import', 'openapi', '-', '--into', root], {
      folders: [root],
      at,
      input: document(2),
    });
    const opened = await call('collections.open', { directory: root });
    const found = readAll(root);
    const end = JSON.stringify(found) === JSON.stringify(old) ? 'old' : 'new';
    ends.add(end);
    if (end === 'new') expect(found, `killed before change ${at}`).toEqual(whole);
    const { notes } = await call('collections.list', {});
    const note = notes.find(({ collectionId }) => collectionId === opened.id);
    if (note !== undefined)
      expect(note.message).toMatch(/“killed-\d+”: An import into this folder was interrupted/);
    told += note === undefined ? 0 : 1;
    if (!isKilled) break;
  }
  await services.close();
  expect(ends).toEqual(new Set(['old', 'new']));
  expect(told).toBeGreaterThan(3);
}, 240_000);

it('is brought to its end by the next import, too, which says so', async () => {
  // Staged, the journal written, and the first folder made.
  let root = '';
  for (let at = 10; root === '' || !existsSync(join(root, 'One')); at += 2) {
    root = join(folder, `again-${at}`);
    mkdirSync(root);
    const isKilled = runUntilKilled(['import', 'openapi', '-', '--into', root], {
      folders: [root],
      at,
      input: document(1),
    });
    expect(isKilled).toBe(true);
  }
  const { json, exitCode } = await runOnce(['import', 'curl', '-', '--into', root, '--json'], {
    input: 'curl http://127.0.0.1/x',
  });
  expect(exitCode).toBe(0);
  const notes = json[0]!['notes'] as { where: string; what: string }[];
  expect(notes[0]).toEqual({ where: root, what: expect.stringContaining('brought to its end') as string });
  expect(readdirSync(root).filter((name) => name.startsWith('.'))).toEqual([]);
  expect(readAll(root)['collection.json']).toContain('Shop');
}, 120_000);

it('is brought to its end by what sends or exports its requests, an agent, too, which says so', async () => {
  const input = 'curl http://127.0.0.1:9/a\ncurl http://127.0.0.1:9/b';
  const makeHalf = (mark: string): string => {
    for (let at = 6; ; at += 1) {
      const root = join(folder, `half-${mark}-${at}`);
      mkdirSync(root);
      const isKilled = runUntilKilled(['import', 'curl', '-', '--into', root], {
        folders: [root],
        at,
        input,
      });
      expect(isKilled).toBe(true);
      if (existsSync(join(root, 'GET a.http'))) return root;
    }
  };
  const above = makeHalf('above');
  mkdirSync(join(above, 'own'));
  writeFileSync(join(above, 'own', 'c.http'), 'GET http://127.0.0.1:9/c\n');
  const asked = await runOnce(['send', join(above, 'own', 'c.http'), '--dry-run']);
  expect(asked.stderr).toContain(`${above}: An import into this folder was interrupted`);
  expect(readFileSync(join(above, 'GET b.http'), 'utf8')).toContain('/b');
  // Who may write above a folder is not always who works in it. Only root can give a folder away.
  if (process.getuid?.() === 0) {
    const planted = makeHalf('planted');
    const stage = readdirSync(planted).find((name) => name.startsWith('.'))!;
    chownSync(join(planted, stage), 65_534, 65_534);
    mkdirSync(join(planted, 'own'));
    writeFileSync(join(planted, 'own', 'c.http'), 'GET http://127.0.0.1:9/c\n');
    const { stderr } = await runOnce(['send', join(planted, 'own', 'c.http'), '--dry-run']);
    expect(stderr).not.toContain('interrupted');
    expect(existsSync(join(planted, 'GET b.http'))).toBe(false);
  }
  const orders = {
    send: (file: string) => ['send', file, '--dry-run'],
    run: (_file: string, root: string) => ['run', root, '--base-url', 'http://127.0.0.1:9'],
    export: (_file: string, root: string) => ['export', root, '--format', 'har'],
    'export of one': (file: string) => ['export', file, '--format', 'har'],
    'export of a part': (_file: string, root: string) => ['export', join(root, 'own'), '--format', 'har'],
    'an agent that sends': () => ['mcp', '--base-url', 'http://127.0.0.1:9', '--allow-send'],
    'an agent that runs': () => ['mcp', '--base-url', 'http://127.0.0.1:9', '--allow-send'],
  };
  const askAgent = (name: string, given: object): string =>
    [
      {
        method: 'initialize',
        id: 0,
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'test', version: '1' },
        },
      },
      { method: 'notifications/initialized' },
      { method: 'tools/call', id: 1, params: { name, arguments: given } },
    ]
      .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
      .join('');
  for (const [name, order] of Object.entries(orders)) {
    const root = makeHalf(name.replaceAll(' ', '-'));
    mkdirSync(join(root, 'own'));
    writeFileSync(join(root, 'own', 'c.http'), 'GET http://127.0.0.1:9/c\n');
    expect(existsSync(join(root, 'GET b.http'))).toBe(false);
    const file = join(root, 'GET b.http');
    const asked: Record<string, string> = {
      'an agent that sends': askAgent('send_request', { file }),
      'an agent that runs': askAgent('run_collection', { path: root }),
    };
    const { stderr } = await runOnce(order(file, root), { input: asked[name] ?? '' });
    expect(stderr, name).toContain(
      'An import into this folder was interrupted, and has been brought to its end',
    );
    expect(readFileSync(file, 'utf8')).toContain('/b');
    expect(readdirSync(root).filter((name) => name.startsWith('.'))).toEqual([]);
  }
}, 120_000);
