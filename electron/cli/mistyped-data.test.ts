import { generateKeyPairSync } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/temporary';
import type { Command, CommandContext } from './command';
import { commandList } from './command-list';
import { parseArguments } from './option-table';
import { readInput } from './read-input';

const folder = makeTemporaryFolder('mistyped-data');
const request = join(folder, 'pay.http');
writeFileSync(request, 'GET http://127.0.0.1:1/\n');
const key = join(folder, 'key.pem');
const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
writeFileSync(key, publicKey.export({ type: 'spki', format: 'pem' }));

/** Commands that read what a data folder holds, with what else they are given. */
const refusing: Readonly<Record<string, readonly string[]>> = {
  token: ['--product', 'payout'],
  send: [request],
  run: [request],
  trigger: ['--callback-url', 'http://127.0.0.1:1/'],
  status: ['--reference', 'R'],
  balances: ['--product', 'payout'],
  mcp: [],
  journey: ['R'],
  report: [],
  doctor: ['--public-key', key, '--body', request, '--signature', 'AA=='],
  'proxy export': ['--format', 'jsonl'],
  'inbox list': [],
  'inbox show': ['1'],
  'inbox export': ['--format', 'jsonl'],
  'inbox compare': ['1', '2'],
  'inbox mark': ['1', '--pin'],
  'inbox replay': ['1', '--to', 'http://127.0.0.1:1/'],
  data: ['backup', join(folder, 'backup.tar.gz')],
  settings: ['export', join(folder, 'settings.json')],
  update: ['check'],
  call: ['history.list'],
  'sandbox snapshot': ['save', join(folder, 'snapshot')],
};

/** Commands that begin a folder: what they keep, or bring to it, is the first that is there. */
const beginning = ['app', 'sandbox', 'listen', 'proxy', 'import'];

const context: CommandContext = {
  isJson: false,
  environment: {},
  print: () => undefined,
  printJson: () => undefined,
  printEach: () => Promise.resolve(),
  isRead: () => true,
  unreadBytes: () => 0,
  say: () => undefined,
  inWords: (text) => text,
  readInput: (file, flag) => readInput(file, flag),
  ask: () => Promise.resolve(null),
  waitForEnd: () => new Promise(() => undefined),
};

const findOption = ({ options }: Command): string | undefined =>
  ['data-directory', 'data'].find((name) => options[name]?.placeholder === 'DIR');

it('has a row for each command that takes a data folder', async () => {
  const taking: string[] = [];
  for (const [name, { load }] of Object.entries(commandList)) {
    if (findOption((await load()).command) !== undefined) taking.push(name);
  }
  expect([...Object.keys(refusing), ...beginning, 'inbox wait'].sort()).toEqual(taking.sort());
});

it.each(Object.entries(refusing))(
  '%s refuses a data folder that is not there, and makes none',
  async (name, args) => {
    const { command } = await commandList[name]!.load();
    const data = join(folder, `nope-${name.replace(' ', '-')}`);
    const { values, positionals } = parseArguments(
      [...args, `--${findOption(command)!}`, data],
      command.options,
      command.positionals,
    );
    const run = async () => command.run(context, values, positionals);
    await expect(run()).rejects.toMatchObject({ code: 'cli.no_data' });
    expect(existsSync(data)).toBe(false);
  },
);
