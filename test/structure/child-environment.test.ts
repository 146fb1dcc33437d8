import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { cleanEnvironment, installerEnvironment } from '../../electron/platform/child-processes';

const root = resolve(import.meta.dirname, '..', '..');
const scriptSide = (await import(join(root, 'scripts', 'clean-environment.mjs'))) as {
  cleanEnvironment: typeof cleanEnvironment;
  installerEnvironment: typeof installerEnvironment;
};

/** Starts of other programs, each with what stands in its parentheses. */
const starts = ['electron', 'scripts']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
      `${folder}/${path}`.replaceAll('\\', '/'),
    ),
  )
  .filter((path) => /\.(?:ts|mjs)$/.test(path) && !path.endsWith('.test.ts'))
  .flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return [...text.matchAll(/(?:\bspawn|\bspawnSync|\bexecFileSync|promisify\(execFile\))\(/g)].map(
      ({ index }) => ({ path, call: cutCall(text.slice(index).replace('promisify(execFile)', 'execFile')) }),
    );
  });

function cutCall(text: string): string {
  let depth = 0;
  for (const [at, letter] of [...text].entries()) {
    if (letter === '(') depth += 1;
    if (letter === ')' && --depth === 0) return text.slice(0, at + 1);
  }
  return text;
}

/** The app itself is started with all that it was given. */
const OWN_START = [
  'electron/web/start-desktop.ts: spawn(executable',
  'scripts/start.mjs: spawn(process.execPath',
];

it('sees where programs are started', () => expect(starts.length).toBeGreaterThan(15));

it('has each start say which environment it gives: none inherits our secrets unasked', () => {
  const silent = starts
    .map(({ path, call }) => ({ name: `${path}: ${call.replace(/\s+/g, ' ').replace('( ', '(')}`, call }))
    .filter(
      ({ call }) => !/\benv\b|\boptions\b/.test(call) || /\.\.\.process\.env|env: process\.env/.test(call),
    )
    .filter(({ name }) => !OWN_START.some((own) => name.startsWith(own)));
  expect(silent.map(({ name }) => name)).toEqual([]);
});

const given = {
  PATH: '/bin',
  HOME: '/h',
  https_proxy: 'http://p',
  npm_config_electron_mirror: 'https://m',
  ELECTRON_CACHE: '/c',
  COUNTERSIGN_PASSPHRASE: 'ours',
  countersign_token: 'ours',
  PGPASSWORD: 'ours',
  AWS_SECRET_ACCESS_KEY: 'theirs',
  npm_config__authToken: 'theirs',
};

it.each([
  ['the product', installerEnvironment],
  ['scripts', scriptSide.installerEnvironment],
])('gives an installer what it needs, and no secret of ours or of others: %s', (_who, environment) => {
  expect(Object.keys(environment(given))).toEqual([
    'PATH',
    'HOME',
    'https_proxy',
    'npm_config_electron_mirror',
    'ELECTRON_CACHE',
  ]);
});

it.each([
  ['the product', cleanEnvironment],
  ['scripts', scriptSide.cleanEnvironment],
])('gives any other program no secret of ours: %s', (_who, environment) => {
  expect(Object.values(environment(given))).not.toContain('ours');
  expect(environment(given)).toMatchObject({ AWS_SECRET_ACCESS_KEY: 'theirs' });
});
