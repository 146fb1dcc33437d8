import { fork, type ChildProcess } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import type { Sandbox, SandboxOptions } from '../../../electron/sandbox/create-sandbox';

const root = resolve(import.meta.dirname, '../../..');

export type Addresses = Pick<Sandbox, 'baseUrl' | 'consumerKey' | 'consumerSecret' | 'adminToken'>;

/** Bundles the sandbox from source, so that it can be run, and killed, as a process of its own. */
export async function bundleSandbox() {
  // Below the project, so that the native database module is found.
  const folder = join(root, 'node_modules/.cache', `conformance-${process.pid}`);
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    resolve: { alias: { '@shared': join(root, 'shared') } },
    ssr: { noExternal: true, external: ['libsql'] },
    build: {
      ssr: join(root, 'electron/sandbox/create-sandbox.ts'),
      outDir: folder,
      target: 'node20',
      rollupOptions: { external: ['libsql'], output: { entryFileNames: 'sandbox.mjs' } },
    },
  });
  mkdirSync(folder, { recursive: true });
  const entry = join(folder, 'run.mjs');
  writeFileSync(
    entry,
    `import { createSandbox } from './sandbox.mjs';
process.on('disconnect', () => process.exit(0));
const { baseUrl, consumerKey, consumerSecret, adminToken } = await createSandbox(JSON.parse(process.argv[2]));
process.send({ baseUrl, consumerKey, consumerSecret, adminToken });`,
  );
  return {
    /** Starts one process; it ends with this one at the latest. */
    async start(options: SandboxOptions): Promise<{ child: ChildProcess; addresses: Addresses }> {
      const child = fork(entry, [JSON.stringify(options)], { execArgv: [] });
      const addresses = await new Promise<Addresses>((done, fail) => {
        child.once('message', (message) => done(message as Addresses));
        child.once('exit', (code) => fail(new Error(`The sandbox ended with ${code} before it was ready`)));
      });
      return { child, addresses };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Ends a process at once, as `kill -9` does, and waits until it is gone. */
export async function killAtOnce(child: ChildProcess): Promise<void> {
  const gone = new Promise((done) => child.once('exit', done));
  child.kill('SIGKILL');
  await gone;
}
