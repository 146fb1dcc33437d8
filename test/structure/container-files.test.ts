import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { commandList } from '../../electron/cli/command-list';
import { parseArguments } from '../../electron/cli/option-table';
import { projectRoot } from '../support/run-cli';

const folder = join(projectRoot, 'resources', 'container');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const containerfile = read('Containerfile');

interface Service {
  command?: string[];
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  build?: { context: string; dockerfile: string };
  depends_on?: Record<string, unknown>;
  volumes?: string[];
  environment?: Record<string, string>;
}
const compose = parse(read('compose.yaml'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
};

/** Nothing here can build an image: what the files name is held against what there is. */
async function readCommand([name, ...args]: readonly string[]) {
  const { command } = await commandList[name!]!.load();
  return parseArguments(args, command.options, command.positionals).values;
}

/** The JSON form of an instruction. */
const listOf = (instruction: string): string[] =>
  JSON.parse(new RegExp(`^.*${instruction} (\\[.*\\])$`, 'm').exec(containerfile)![1]!) as string[];

it('runs commands and options that there are, open to the network with a token and a state', async () => {
  const own = await readCommand(listOf('^CMD'));
  expect(own).toMatchObject({
    host: '0.0.0.0',
    'allow-plain-http': true,
    'status-port': 9464,
    data: '/data',
  });
  const { sandbox, receiver } = compose.services;
  expect(await readCommand(sandbox!.command!)).toMatchObject({
    host: '0.0.0.0',
    port: 4010,
    'status-port': 9464,
  });
  expect(sandbox!.environment).toHaveProperty('COUNTERSIGN_ADMIN_TOKEN');
  const values = await readCommand(receiver!.command!);
  expect(values).toMatchObject({ host: '0.0.0.0', port: 4020, 'status-port': 9464 });
  const { readStoreAddress } = await import('../../electron/listener/postgres/store-address');
  const store = new URL(String(values['store']));
  expect(() => readStoreAddress(store.href, { PGPASSWORD: 'x' })).not.toThrow();
  expect(Object.keys(compose.services)).toContain(store.hostname);
  expect(Object.keys(receiver!.depends_on!)).toEqual([store.hostname]);
  expect(receiver!.environment).toHaveProperty('PGPASSWORD');
});

it('runs as nobody in particular, on a file system that it cannot write to', () => {
  for (const { user, read_only, cap_drop } of [compose.services['sandbox']!, compose.services['receiver']!]) {
    expect([user, read_only, cap_drop]).toEqual(['10001:10001', true, ['ALL']]);
  }
  expect(containerfile).toMatch(/^USER 10001:10001$/m);
  expect(containerfile.indexOf('USER ')).toBeLessThan(containerfile.indexOf('ENTRYPOINT'));
});

it('names paths that the package has, and volumes that are there', () => {
  const { bin, files } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    bin: { countersign: string };
    files: string[];
  };
  const inPackage = '/app/node_modules/countersign/';
  expect(listOf('^ENTRYPOINT')).toEqual(['node', inPackage + bin.countersign]);
  const check = listOf('HEALTHCHECK .*CMD')[1]!.slice(inPackage.length);
  expect(existsSync(join(projectRoot, check))).toBe(true);
  expect(files).toContain(check.split('/')[0]);
  for (const { build, volumes = [] } of Object.values(compose.services)) {
    if (build) expect(existsSync(join(folder, build.context, build.dockerfile))).toBe(true);
    for (const volume of volumes) expect(compose.volumes).toHaveProperty(volume.split(':')[0]!);
  }
  for (const copied of ['package.json', 'package-lock.json']) {
    expect(containerfile).toContain(copied);
    expect(existsSync(join(projectRoot, copied))).toBe(true);
  }
});

it('leaves in what is built from: settings, sources and scripts, and leaves out what a build makes', () => {
  const lines = read('Containerfile.dockerignore').split('\n');
  const rules = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const toPattern = (rule: string): RegExp =>
    new RegExp(`^${rule.replace(/^!/, '').replaceAll('.', '\\.').replaceAll('*', '[^/]*')}(?:/|$)`);
  const isLeftOut = (path: string): boolean =>
    rules.reduce((isOut, rule) => (toPattern(rule).test(path) ? !rule.startsWith('!') : isOut), false);
  for (const made of ['node_modules/x', 'out/cli/index.js', '.git/HEAD', 'test/e2e/x.spec.ts']) {
    expect(isLeftOut(made), made).toBe(true);
  }
  // The bundler reads the settings of every part before it builds one.
  const readReferences = (file: string): string[] =>
    (
      parse(readFileSync(join(projectRoot, file), 'utf8')) as { references?: { path: string }[] }
    ).references?.map(({ path }) => join(dirname(file), path, 'tsconfig.json')) ?? [];
  const settings = new Set(['tsconfig.json']);
  for (const file of settings) for (const next of readReferences(file)) settings.add(next);
  expect(settings.size).toBeGreaterThan(3);
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    scripts: { prepack: string };
  };
  const run = scripts.prepack.match(/scripts\/\S+/g)!;
  for (const path of [...settings, ...run, 'electron.vite.config.ts', 'package-lock.json']) {
    expect(existsSync(join(projectRoot, path)), path).toBe(true);
    expect(isLeftOut(path), path).toBe(false);
  }
});
