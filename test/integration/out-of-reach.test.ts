import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { projectRoot } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

const directory = makeTemporaryFolder('out-of-reach');
const at = (name: string): string => join(directory, name);
const starter = join(projectRoot, 'resources', 'starter');
symlinkSync('loop', at('loop'));
mkdirSync(at('data'));
mkdirSync(at('closed'));
writeFileSync(at('closed/a.http'), '### a\nGET https://example.test/\n');
chmodSync(at('closed'), 0);
afterAll(() => chmodSync(at('closed'), 0o700));

const commands: Readonly<Record<string, (path: string) => readonly string[]>> = {
  run: (path) => ['run', path, '--sandbox'],
  'run --data': (path) => ['run', starter, '--sandbox', '--data', path],
  'run --resume': (path) => ['run', starter, '--sandbox', '--data', at('none.csv'), '--resume', path],
  export: (path) => ['export', path, '--format', 'har'],
  'data restore': (path) => ['data', 'restore', path, '--data', at('data')],
  'inbox list --data': (path) => ['inbox', 'list', '--data', path],
  'mcp --data': (path) => ['mcp', '--data', path],
  'listen --rules': (path) => ['listen', '--port', '0', '--data', at('data'), '--rules', path],
};

it.each(Object.keys(commands))(
  '%s does not say that nothing is there of what cannot be reached',
  async (name) => {
    const { stderr, exitCode } = await runOnce(commands[name]!(at('loop')));
    expect(exitCode).toBe(2);
    expect(stderr).not.toMatch(/there is no|is not there|ELOOP/i);
    expect(stderr).toMatch(/links that lead in a circle|is no file/);
  },
);

it('says of a folder that may not be entered that it may not', async ({ skip }) => {
  skip(process.getuid?.() === 0, 'root may enter any folder');
  const { stderr } = await runOnce(['run', at('closed/a.http'), '--sandbox']);
  expect(stderr).toContain('you may not read it; look at its permissions');
});

it('says of a path below a file, and of one that is not there, that nothing is there', async () => {
  writeFileSync(at('file'), '');
  for (const path of [at('file/a.http'), at('a.http')]) {
    expect((await runOnce(['run', path, '--sandbox'])).stderr).toContain(
      `There is no file or folder ${path}`,
    );
  }
});

it('names the folder of temporary files that is not there, before a run sends anything', async () => {
  const args = ['run', starter, '--sandbox', '--reporter', 'html'];
  const { stdout, stderr, exitCode } = await runOnce(args, { env: { TMPDIR: at('gone') } });
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toBe(
    `countersign: Cannot write in ${at('gone')}: there is no such folder. Make it, or choose another with TMPDIR. (platform.unwritable)\n`,
  );
});
