import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { payoutBlock, startCountingService, type CountingService } from '../support/counting-service';
import { cliEntry } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

let service: CountingService;
let folder: string;
const env = { COUNTERSIGN_TOKEN: 'opaque+token/of-the-run=' };

beforeEach(async () => {
  service = await startCountingService();
  folder = makeTemporaryFolder('run-folders');
});
afterEach(() => service.close());

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const paidCount = (): number => service.references.length;

async function waitUntil(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('run', () => {
  it('loads three files before its first request where it keeps nothing', async () => {
    write('a.http', '### a\n# @expect status 200\nGET {{base_url}}/a\n');
    const { exitCode, stderr } = await runOnce(['run', '.', '--base-url', service.url], {
      cwd: folder,
      env: { ...env, NODE_DEBUG: 'esm' },
    });
    // To find, read and link one more costs more than a request.
    const loaded = [...stderr.matchAll(/Translating \S+ \S+\/out\/chunks\/([a-z-]+)-[\w-]{8}\.js/g)];
    expect([...new Set(loaded.map(([, name]) => name))].toSorted()).toEqual([
      'rolldown-runtime',
      'send',
      'start',
    ]);
    expect(exitCode).toBe(0);
  });

  it('says of a request without an answer that none came, and not that nothing is expected of it', async () => {
    write('a.http', '### gone\n# @expect status 200\nGET http://127.0.0.1:9/a\n');
    const { stdout, exitCode } = await runOnce(['run', '.', '--base-url', 'http://127.0.0.1:9'], {
      cwd: folder,
      env,
    });
    expect(stdout).toContain('gone');
    expect(stdout).not.toContain('no expectations');
    expect(exitCode).toBe(3);
  });

  it('names --out where its folder cannot be written', async () => {
    write('a.http', '### a\nGET {{base_url}}/a\n');
    const { stderr, exitCode } = await runOnce(
      ['run', '.', '--base-url', service.url, '--out', 'x'.repeat(300)],
      { cwd: folder, env },
    );
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/x{300} cannot be written .*--out/)]);
    expect(service.requests).toEqual([]);
  });

  it('leaves no temporary file behind when it is killed', async () => {
    const temporary = makeTemporaryFolder('run-spool');
    service.answer = () => ({ webhookAfterMs: null });
    write('a.http', payoutBlock('pay', ['expect webhook within 20s']));
    const child = spawn(
      process.execPath,
      [cliEntry, 'run', 'a.http', '--base-url', service.url, '--reporter', 'junit', '--out', 'out'],
      { cwd: folder, env: { ...process.env, ...env, TMPDIR: temporary }, stdio: 'ignore' },
    );
    await waitUntil(() => paidCount() >= 1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(readdirSync(temporary).filter((name) => name.startsWith('countersign-run-'))).toEqual([]);
  });

  it('leaves the reports before it as they were when it is killed, and its own whole in their place', async () => {
    service.answer = () => ({ webhookAfterMs: null });
    write('a.http', payoutBlock('pay', ['expect status 201']));
    write('z.http', payoutBlock('wait', ['expect webhook within 20s']));
    const reporters = ['json', 'junit', 'html', 'tap'].flatMap((name) => ['--reporter', name]);
    const args = ['run', 'a.http', '--base-url', service.url, ...reporters, '--out', 'out'];
    expect((await runOnce(args, { cwd: folder, env })).exitCode).toBe(0);
    const list = (): string[] => readdirSync(join(folder, 'out')).toSorted();
    const read = (): string[] => list().map((name) => readFileSync(join(folder, 'out', name), 'utf8'));
    const [names, before] = [list(), read()];
    chmodSync(join(folder, 'out', 'junit.xml'), 0o664);
    const killed = spawn(process.execPath, [cliEntry, ...args, 'z.http'], {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: 'ignore',
    });
    await waitUntil(() => paidCount() >= 3);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    expect(names.map((name) => readFileSync(join(folder, 'out', name), 'utf8'))).toEqual(before);
    const again = await runOnce(args, { cwd: folder, env });
    expect([again.exitCode, list()]).toEqual([0, names]);
    expect(read()).not.toEqual(before);
    expect(statSync(join(folder, 'out', 'junit.xml')).mode & 0o777).toBe(0o664);
  });

  it('empties no report, and leaves nothing beside them, where it ends before its first request', async () => {
    write('a.http', payoutBlock('pay', []));
    mkdirSync(join(folder, 'out', 'junit.xml'), { recursive: true });
    write('out/report.json', 'of the run before');
    const reporters = ['--reporter', 'json', '--reporter', 'junit', '--out', 'out'];
    const end = await runOnce(['run', 'a.http', '--base-url', service.url, ...reporters], {
      cwd: folder,
      env,
    });
    expect([end.exitCode, end.stderr]).toEqual([2, expect.stringContaining('junit.xml is a folder')]);
    expect(readFileSync(join(folder, 'out', 'report.json'), 'utf8')).toBe('of the run before');
    expect(readdirSync(join(folder, 'out')).toSorted()).toEqual(['junit.xml', 'report.json']);
  });
});

describe('two runs that write to one folder', () => {
  it('refuses the second, in one line, before it sends or replaces anything', async () => {
    service.answer = () => ({ webhookAfterMs: 7000 });
    write('a.http', payoutBlock('pay', ['expect status 201', 'expect webhook within 20s']));
    const args = ['run', 'a.http', '--base-url', service.url, '--reporter', 'json', '--reporter', 'junit'];
    const into = [...args, '--out', 'out'];
    const first = runOnce(into, { cwd: folder, env });
    await waitUntil(() => paidCount() >= 1);
    const second = await runOnce([...into, '--reporter', 'tap'], { cwd: folder, env });
    expect(second.exitCode).toBe(2);
    expect(second.stderr).toMatch(
      /Another run \(process \d+\) writes to .*\/out\. Nothing was sent\..*--out/,
    );
    expect(second.stderr.trimEnd().split('\n')).toHaveLength(1);
    // Another folder is free.
    const third = await runOnce([...args, '--out', 'other'], { cwd: folder, env });
    expect([third.exitCode, (await first).exitCode]).toEqual([0, 0]);
    expect(paidCount()).toBe(2);
    expect(readdirSync(join(folder, 'out')).toSorted()).toEqual(['junit.xml', 'report.json']);
    const lines = readFileSync(join(folder, 'out', 'report.json'), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual([
      'request',
      'summary',
    ]);
    // Once it is over, the folder is free.
    service.answer = () => ({});
    expect((await runOnce(into, { cwd: folder, env })).exitCode).toBe(0);
  });

  it('lets one alone go on with a resume.json, and pays nobody twice', async () => {
    const count = 20;
    write('rows.csv', `reference\n${Array.from({ length: count }, (_, index) => `R-${index}`).join('\n')}\n`);
    write(
      'a.http',
      payoutBlock('pay', ['expect status 201', 'expect webhook within 20s'], '{{row.reference}}'),
    );
    const args = ['run', 'a.http', '--base-url', service.url];
    const killed = spawn(process.execPath, [cliEntry, ...args, '--data', 'rows.csv', '--out', 'out'], {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: 'ignore',
    });
    await waitUntil(() => paidCount() >= 3);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    service.answer = () => ({ webhookAfterMs: 1500 });
    const goOn = () => runOnce([...args, '--resume', join('out', 'resume.json')], { cwd: folder, env });
    const ended = await Promise.all([goOn(), goOn()]);
    expect(ended.map(({ exitCode }) => exitCode).toSorted()).toEqual([0, 2]);
    expect(new Set(service.references).size).toBe(count);
    expect(service.references).toHaveLength(count);
  });
});
