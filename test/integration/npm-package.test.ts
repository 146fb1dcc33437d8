import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { npm } from '../support/npm';
import { makeTemporaryFolder } from '../support/temporary';
import { endWithTests, projectRoot, readReadyLine } from '../support/run-cli';
import { openWebClient } from '../support/web-client';

const MOST_BYTES = 40 * 1024 * 1024;
const folder = makeTemporaryFolder('npm-package');
const installed = join(folder, 'node_modules', 'countersign');
const program = join(folder, 'node_modules', '.bin', 'countersign');
let reason = '';
const started: ChildProcess[] = [];

beforeAll(() => {
  // What is built stands already; the manual is made as `prepack` makes it.
  const manual = spawnSync(process.execPath, [join(projectRoot, 'scripts/make-man-page.mjs')], {
    encoding: 'utf8',
  });
  expect(manual.stderr).toBe('');
  const packed = npm(['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], projectRoot);
  expect(packed.status, packed.stderr).toBe(0);
  mkdirSync(join(folder, 'node_modules'));
  const [archive] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  const result = npm(['install', '--ignore-scripts', `./${archive}`], folder);
  if (result.status !== 0) reason = `npm could not install the package here: ${result.stderr.slice(0, 300)}`;
}, 240_000);

afterAll(async () => {
  for (const child of started) {
    if (child.exitCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

function run(...args: string[]) {
  const env = { PATH: process.env['PATH'], HOME: folder };
  return spawnSync(program, args, { cwd: folder, encoding: 'utf8', env });
}

async function start(...args: string[]): Promise<Record<string, string>> {
  const child = endWithTests(spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] }));
  started.push(child);
  return readReadyLine(child.stdout);
}

function measure(path: string): number {
  const stat = lstatSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((bytes, name) => bytes + measure(join(path, name)), 0);
}

describe('the package, installed into an empty folder', () => {
  it('has what it needs to run and nothing else', ({ skip }) => {
    skip(reason !== '', reason);
    const names = readdirSync(installed).sort();
    expect(names).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'THIRD-PARTY.md',
      'bin',
      'out',
      'package.json',
      'resources',
      'sbom.cdx.json',
    ]);
    const others = readdirSync(join(folder, 'node_modules'))
      .filter((name) => !name.startsWith('.'))
      .sort();
    expect(others).toEqual(['@libsql', '@neon-rs', 'countersign', 'detect-libc', 'libsql']);
    expect(measure(join(folder, 'node_modules'))).toBeLessThan(MOST_BYTES);
    expect(readFileSync(join(installed, 'out/man/countersign.1'), 'utf8')).toMatch(/^\.TH COUNTERSIGN 1 /);
  });

  it.skipIf(process.platform === 'win32')(
    'brings its manual where man looks for it',
    ({ skip }) => {
      skip(reason !== '', reason);
      const [archive] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
      const prefix = join(folder, 'prefix');
      const result = npm(
        ['install', '--global', '--ignore-scripts', '--prefix', prefix, `./${archive}`],
        folder,
      );
      expect(result.status, result.stderr).toBe(0);
      expect(readFileSync(join(prefix, 'share/man/man1/countersign.1'), 'utf8')).toMatch(
        /^\.TH COUNTERSIGN 1 /,
      );
    },
    120_000,
  );

  it('runs commands', ({ skip }) => {
    skip(reason !== '', reason);
    expect(run('--version').stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(run('key', 'generate', '--out', 'key.pem').status).toBe(0);
    expect(run('key', 'inspect', 'key.pem').stdout).toContain('Private RSA key');
    expect(run('completion', 'bash').stdout).toContain('complete -o default -F _countersign countersign');
  });

  it('serves the sandbox, the listener and the app', async ({ skip }) => {
    skip(reason !== '', reason);
    const sandbox = await start('sandbox', '--port', '0', '--json', '--data', 'sandbox');
    expect((await fetch(`${sandbox['base_url']}/tsq/v1/wallet-balances`)).status).toBe(401);
    const listener = await start('listen', '--port', '0', '--json', '--data', 'inbox');
    expect((await fetch(listener['url']!, { method: 'POST', body: '{}' })).status).toBe(200);
    const app = await start('app', '--no-open', '--port', '0', '--json', '--data', 'app');
    const client = await openWebClient(app['url']!);
    expect(await client.call('app.status')).toMatchObject({ ok: true, value: { host: 'web' } });
    expect(run('inbox', 'list', '--data', 'inbox', '--json').stdout).toContain('"method":"POST"');
  });
});

it('says in a clone without its packages what to do, instead of not being found', () => {
  const clone = join(folder, 'clone');
  for (const name of ['bin', 'scripts'])
    cpSync(join(projectRoot, name), join(clone, name), { recursive: true });
  const { status, stdout, stderr } = spawnSync(join(clone, 'bin/countersign.mjs'), ['sandbox'], {
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^countersign: its packages are not installed here yet\. Run npm ci.*\n$/);
});
