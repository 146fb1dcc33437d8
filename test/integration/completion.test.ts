import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { commandList } from '../../electron/cli/command-list';
import { writeManPage } from '../../electron/cli/completion/man-page';
import { describeCommands } from '../../electron/cli/completion/describe-commands';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

const folder = makeTemporaryFolder('completion');
const scriptOf = (shell: string): string => join(folder, `completion.${shell}`);
const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    writeFileSync(scriptOf(shell), (await runOnce(['completion', shell])).stdout);
  }
});

/** What bash offers after these words; the last one is being written. */
const place = join(folder, 'place');
mkdirSync(join(place, 'payments'), { recursive: true });
writeFileSync(
  join(place, 'http-client.env.json'),
  '{\n  "$shared": {},\n  "staging": {\n    "nested": {}\n  }\n}\n',
);
writeFileSync(join(place, 'payments', 'http-client.private.env.json'), '{\n  "own": {}\n}\n');
const ENVIRONMENTS = ['local', 'staging', 'own'];

/** A folder of somebody who wants a shell to run, to wait for or to hold something where it offers names. */
const hostile = join(folder, 'hostile');
mkdirSync(join(hostile, 'below'), { recursive: true });
const traps = [
  '`id>ran`',
  '$(id>ran)',
  ';id>ran;',
  '&id>ran',
  "'",
  '*',
  '{a,b}',
  '~',
  '-x',
  '\\u0060',
  'a\tb',
];
writeFileSync(
  join(hostile, 'http-client.env.json'),
  `{\n${traps.map((name) => `  "${name}": {},\n`).join('')}  "dev.v1_x-2": {}\n}\n`,
);
symlinkSync('/dev/zero', join(hostile, 'http-client.private.env.json'));
spawnSync('mkfifo', [join(hostile, 'below', 'http-client.env.json')]);
const SOUND = ['local', 'dev.v1_x-2'];
const bare = join(folder, 'bare');
mkdirSync(bare);

function completeInBash(...words: string[]): string[] {
  return completeInBashAt(place, ...words);
}

function completeInBashAt(cwd: string, ...words: string[]): string[] {
  const program = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _countersign; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync(
    'bash',
    ['-c', program, 'bash', scriptOf('bash'), 'countersign', ...words],
    { encoding: 'utf8', cwd, timeout: 10_000 },
  );
  expect(stderr).toBe('');
  return stdout.split('\n').filter(Boolean);
}

describe.skipIf(!has('bash'))('bash (skipped where there is none)', () => {
  it('offers each command by its first word', () => {
    const firstWords = new Set(Object.keys(commandList).map((name) => name.split(' ')[0]));
    expect(completeInBash('').sort()).toEqual([...firstWords, 'help'].sort());
    expect(completeInBash('hel')).toEqual(['help']);
    expect(completeInBash('--')).toEqual(['--help', '--version']);
    expect(completeInBash('sa')).toEqual(['sandbox']);
  });

  it('offers second words, and options of the whole name', () => {
    expect(completeInBash('key', '')).toEqual(['generate', 'inspect', 'convert', 'public']);
    expect(completeInBash('inbox', 'wait', '--wi')).toEqual(['--within']);
    expect(completeInBash('proxy', '--to')).toEqual(['--to']);
    expect(completeInBash('proxy', 'export', '--to')).toEqual([]);
  });

  it('offers the values of a closed list, and leaves names of files to the shell', () => {
    expect(completeInBash('report', '--format', '')).toEqual(['md', 'html', 'json']);
    expect(completeInBash('run', '--reporter', 'j')).toEqual(['json', 'junit']);
    expect(completeInBash('check-receiver', 'x', '--scenario', 'old')).toEqual(['old-signature']);
    expect(completeInBash('completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(completeInBash('import', 'po')).toEqual(['postman']);
    expect(completeInBash('import', 'postman', '')).toEqual([]);
    expect(completeInBash('sandbox', 'snapshot', '')).toEqual(['save', 'load']);
    expect(completeInBash('sign', '--key', '')).toEqual([]);
    expect(completeInBash('send', '--env', '')).toEqual(ENVIRONMENTS);
    expect(completeInBash('send', '--timeout-ms', '')).toEqual([]);
    expect(completeInBash('help', 'sand')).toEqual(['sandbox']);
    expect(completeInBash('help', 'key', 'g')).toEqual(['generate']);
  });

  it('runs nothing that a file of the folder says, waits for none, and offers names alone', () => {
    expect(completeInBashAt(hostile, 'run', '--env', '')).toEqual(SOUND);
    expect(completeInBashAt(bare, 'run', '--env', '')).toEqual(['local']);
    expect(existsSync(join(hostile, 'ran'))).toBe(false);
  });
});

describe.skipIf(!has('fish'))('fish (skipped where there is none)', () => {
  const complete = (line: string, cwd = place): string[] =>
    spawnSync('fish', ['-c', `source ${scriptOf('fish')}; complete -C '${line}'`], {
      encoding: 'utf8',
      cwd,
      timeout: 10_000,
    })
      .stdout.split('\n')
      .map((offered) => offered.split('\t')[0]!)
      .filter(Boolean);

  it('offers commands, second words, options and values', () => {
    expect(complete('countersign sand')).toEqual(['sandbox']);
    expect(complete('countersign hel')).toEqual(['help']);
    expect(complete('countersign --')).toEqual(['--help', '--version']);
    expect(complete('countersign key ').sort()).toEqual(['convert', 'generate', 'inspect', 'public']);
    expect(complete('countersign inbox wait --wi')).toEqual(['--within']);
    expect(complete('countersign report --format ').sort()).toEqual(['html', 'json', 'md']);
    expect(complete('countersign run --reporter ju')).toEqual(['junit']);
    expect(complete('countersign import po')).toEqual(['postman']);
    expect(complete('countersign sandbox snapshot ').sort()).toEqual(['load', 'save']);
    expect(complete('countersign send --env ').sort()).toEqual([...ENVIRONMENTS].sort());
    expect(complete('countersign send --timeout-ms ')).toEqual([]);
    expect(complete('countersign help sand')).toEqual(['sandbox']);
    expect(complete('countersign help key gen')).toEqual(['generate']);
  });

  it('offers names alone of a folder of somebody else', () => {
    expect(complete('countersign run --env ', hostile).sort()).toEqual([...SOUND].sort());
    expect(complete('countersign run --env ', bare)).toEqual(['local']);
    expect(existsSync(join(hostile, 'ran'))).toBe(false);
  });
});

describe.skipIf(!has('zsh'))('zsh (skipped where there is none)', () => {
  it('takes the script for well formed, and knows what it completes', () => {
    const program = `autoload -U compinit; compinit -u -d ${join(folder, 'dump')}; source ${scriptOf('zsh')}; print $_comps[countersign]`;
    const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', program], { encoding: 'utf8' });
    expect([stdout.trim(), stderr]).toEqual(['_countersign', '']);
  });

  it.each([
    ['of somebody else', hostile, SOUND],
    ['without any', bare, ['local']],
  ])('lists names alone of a folder %s', (_whose, cwd, expected) => {
    const program = `compdef() { :; }; compadd() { print -l -- "\${(@P)2}"; }; source ${scriptOf('zsh')}; _countersign_environments`;
    const { stdout } = spawnSync('zsh', ['-f', '-c', program], {
      encoding: 'utf8',
      cwd,
      input: '  "stdin": {}\n',
      timeout: 10_000,
    });
    expect(stdout.trim().split('\n')).toEqual(expected);
    expect(existsSync(join(hostile, 'ran'))).toBe(false);
  });
});

it('takes help for a word like those that it tells of', async () => {
  const overview = await runOnce(['help']);
  expect(await runOnce(['help', 'help'])).toEqual(overview);
  expect((await runOnce(['help', 'nothing'])).exitCode).toBe(2);
});

it('names the shells that it knows', async () => {
  const { stderr, exitCode } = await runOnce(['completion', 'csh']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("bash, zsh, fish, not 'csh'");
});

it('has every command and option in the manual, in plain ASCII', async () => {
  const commands = await describeCommands();
  const page = writeManPage(commands, '1.2.3');
  expect(page).toMatch(/^[\n -~]+$/);
  const lines = new Set(page.split('\n'));
  for (const { name, options } of commands) {
    expect(lines).toContain(`.SS ${name.replaceAll('-', '\\-')}`);
    for (const [option] of options) expect(page).toContain(`\\fB\\-\\-${option.replaceAll('-', '\\-')}\\fR`);
  }
});
