import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

const directory = makeTemporaryFolder('settings-damage');

function damage(name: string, file = 'settings.json'): string {
  const data = join(directory, name);
  mkdirSync(data);
  writeFileSync(join(data, file), '{"environments": ');
  return data;
}

it('says of settings that cannot be read that the defaults apply, and where they were kept, before what comes of it', async () => {
  const data = damage('people');
  const { stderr, exitCode } = await runOnce(['status', '--reference', 'R', '--env', 'uat', '--data', data]);
  const kept = readdirSync(data).find((name) => name.startsWith('settings.json.unreadable-'))!;
  expect(readFileSync(join(data, kept), 'utf8')).toBe('{"environments": ');
  const [notice, error] = stderr.trim().split('\n');
  expect(notice).toContain(`The settings could not be read. They were kept as ${kept}`);
  expect(error).toContain("There is no environment 'uat'");
  expect(exitCode).toBe(2);
});

it('says it as a remark to a program', async () => {
  const { stderr } = await runOnce(['balances', '--json', '--env', 'uat', '--data', damage('programs')]);
  const [notice] = stderr.trim().split('\n');
  expect(JSON.parse(notice!)).toEqual({
    event: 'remark',
    message: expect.stringContaining('The settings could not be read.') as string,
  });
});

it.each([
  ['history.db', ['call', 'history.list']],
  ['inbox.db', ['inbox', 'mark', '1', '--pin']],
  ['inbox.db', ['inbox', 'list']],
  ['inbox.db', ['inbox', 'export']],
])('says once of a damaged %s that %j saved what could be read', async (file, args) => {
  const data = damage([file, ...args].join('-'), file);
  const { stderr } = await runOnce([...args, '--data', data], { input: '{"limit":1,"before":null}' });
  expect(stderr.split(`${file} was damaged.`)).toHaveLength(2);
  expect(stderr).toContain(`the damaged file is kept as ${file}.damaged`);
  expect(readFileSync(join(data, `${file}.damaged`), 'utf8')).toBe('{"environments": ');
});
