/**
 * The other tools of `npm run bench -- peers`: mocks of a service and a runner of collections. They are large (350 MB), so they are
 * no dependencies: they are installed beside the bench's cache, when its module is asked for by name.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installerEnvironment } from './clean-environment.mjs';

const PEERS = {
  mockoon: { package: '@mockoon/cli@9.9.0', entry: '@mockoon/cli/bin/run.js' },
  prism: { package: '@stoplight/prism-cli@5.12.0', entry: '@stoplight/prism-cli/dist/index.js' },
  bruno: { package: '@usebruno/cli@3.5.3', entry: '@usebruno/cli/bin/bru.js' },
};

/** Gives the script of each tool that is there; `isAsked` installs what is missing, and says what could not be had. */
export function findPeers(cache, isAsked) {
  const folder = join(cache, 'bench-peers');
  const found = {};
  for (const [name, { package: wanted, entry }] of Object.entries(PEERS)) {
    const script = join(folder, 'node_modules', entry);
    if (!existsSync(script) && isAsked) install(folder, wanted);
    if (existsSync(script)) found[name] = script;
    else
      process.stderr.write(
        `peers: ${name} is left out, as it is not installed${isAsked ? '' : ' (npm run bench -- peers installs it)'}\n`,
      );
  }
  return found;
}

function install(folder, wanted) {
  mkdirSync(folder, { recursive: true });
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest)) writeFileSync(manifest, '{"private":true}\n');
  process.stderr.write(`peers: installing ${wanted} …\n`);
  spawnSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', wanted], {
    cwd: folder,
    env: installerEnvironment(),
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
}
