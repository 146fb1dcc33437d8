import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { npm } from '../support/npm';
import { projectRoot } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';

/** What comes with each Node 20. A release looks otherwise at peers that are optional than those after it: what one locks, another refuses. */
const OLDEST_NPM = '10.8.2';

it('npm ci takes the lock file by the npm that Node 20 brings', ({ skip }) => {
  const folder = makeTemporaryFolder('npm-releases');
  const fetched = npm(['install', '--ignore-scripts', '--prefix', folder, `npm@${OLDEST_NPM}`], folder);
  const program = join(folder, 'node_modules/npm/bin/npm-cli.js');
  skip(!existsSync(program), `npm could not fetch an older one here: ${fetched.stderr.slice(0, 300)}`);
  const project = makeTemporaryFolder('npm-releases-project');
  for (const name of ['package.json', 'package-lock.json'])
    copyFileSync(join(projectRoot, name), join(project, name));
  expect(npm(['--version'], project, program).stdout.trim()).toBe(OLDEST_NPM);
  const { status, stderr } = npm(['ci', '--dry-run', '--ignore-scripts'], project, program);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
}, 240_000);
