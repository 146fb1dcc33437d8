import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
// @ts-expect-error -- a script without types
import * as script from '../../bin/known-nodes.mjs';

const { runsOn, buildsWith, explainOldNode, explainUnbuildable } = script as {
  runsOn: [string, string];
  buildsWith: [string, string];
  explainOldNode(version: string): string | null;
  explainUnbuildable(version: string): string | null;
};
const root = join(import.meta.dirname, '../..');
const enginesOf = (folder: string): string =>
  (JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as { engines: { node: string } })
    .engines.node;
const writeEngines = ([first, second]: [string, string]): string => `^${first}.0 || >=${second}.0`;

it('names the Node that the program runs on as package.json does', () => {
  expect(writeEngines(runsOn)).toBe(enginesOf('.'));
});

it.each(['vite', 'rolldown', 'electron-vite'])('names the Node that it is built with as %s does', (name) => {
  expect(writeEngines(buildsWith)).toBe(enginesOf(join('node_modules', name)));
});

it.each([
  ['16.20.2', false, false],
  ['20.17.0', false, false],
  ['20.18.0', true, false],
  ['20.19.0', true, true],
  ['20.20.2', true, true],
  ['21.7.3', false, false],
  ['22.2.0', false, false],
  ['22.3.0', true, false],
  ['22.12.0', true, true],
  ['23.0.0', true, true],
  ['26.1.0', true, true],
])('Node %s: runs it %s, builds it %s', (version, runs, builds) => {
  expect([explainOldNode(version) === null, explainUnbuildable(version) === null]).toEqual([runs, builds]);
});

it.each([
  [
    '18.20.8',
    'bin/countersign.mjs',
    /^countersign: it needs Node 20\.18 or newer .*, and this is Node 18\.20\.8\. .*\n$/,
  ],
  [
    '20.18.0',
    'scripts/test.mjs',
    /^countersign: to be built it needs Node 20\.19 or newer .*run npm ci again.*\n$/,
  ],
])('Node %s is told by %s in one line', (version, program, expected) => {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, join(root, program), 'no-such-step'],
    { encoding: 'utf8' },
  );
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(expected);
});

it.each(['README.md', 'docs/start.md'])('%s names the Node that it is built with', (page) => {
  const [first, second] = buildsWith;
  expect(readFileSync(join(root, page), 'utf8')).toContain(`Node ${first} or newer (of Node 22: ${second})`);
});
