import { spawnSync, type SpawnSyncReturns } from 'node:child_process';

/** A registry may be behind the machine's own certificates, which `npm test` gives to nothing else. */
const certificates = process.env['COUNTERSIGN_TEST_MACHINE_CERTIFICATES'];

/** Runs npm, or another release of it: `program` is its file, run by this Node. */
export function npm(args: readonly string[], cwd: string, program?: string): SpawnSyncReturns<string> {
  const all = [...args, '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  const [command, given] = program === undefined ? ['npm', all] : [process.execPath, [program, ...all]];
  return spawnSync(command, given, {
    cwd,
    env: { ...process.env, ...(certificates && { NODE_EXTRA_CA_CERTS: certificates }) },
    encoding: 'utf8',
    timeout: 120_000,
  });
}
