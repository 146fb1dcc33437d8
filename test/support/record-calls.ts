import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { remittance } from './bodies';

const driver = join(import.meta.dirname, 'main-job.mjs');

/** Tells whether there can be a namespace with the loopback interface alone, and a record of every call to the network. */
export const canRecordCalls = (): boolean =>
  ['unshare -rn true', 'unshare -rn ip link set lo up', 'strace -V'].every(
    (command) => spawnSync('sh', ['-c', command], { stdio: 'ignore' }).status === 0,
  );

export interface RecordedJob {
  httpStatus: number;
  webhooks: number;
  verdict: string;
  /** Every address that anything of the app spoke to, or tried to, as the system was told it. */
  calls: string[];
  /** Ports that it may: of the app, its sandbox, its listener. */
  asked: number[];
}

/** Does the main job in such a namespace: start, payout, webhook, doctor. */
export function recordMainJob(
  folder: string,
  host: 'web' | 'electron',
  program: string,
  args: readonly string[],
): RecordedJob {
  const trace = join(folder, 'trace');
  const body = JSON.stringify(
    remittance({ 'transaction.reference': 'own-calls-1', callback_url: 'CALLBACK' }),
  );
  const record =
    'ip link set lo up && exec strace -f -qq -e trace=connect,sendto,sendmsg,sendmmsg -o "$0" "$@"';
  const job = [process.execPath, driver, body, host, program, ...args];
  // Whoever outlives the time goes with it.
  const run = spawnSync('unshare', ['-rn', '--fork', '--kill-child', 'sh', '-c', record, trace, ...job], {
    encoding: 'utf8',
    timeout: 200_000,
  });
  if (!run.stdout.startsWith('{')) throw new Error(`The job came to no end: ${run.stdout}${run.stderr}`);
  const calls = readFileSync(trace, 'utf8').match(/sa_family=AF_INET6?, .*?\}/g) ?? [];
  return { ...(JSON.parse(run.stdout) as Omit<RecordedJob, 'calls'>), calls };
}

/** Those of the calls that went elsewhere: to another machine, or to a port that nobody asked for. */
export function findForeignCalls({ calls, asked }: RecordedJob): string[] {
  return calls.filter((call) => {
    const port = Number(/_port=htons\((\d+)\)/.exec(call)?.[1]);
    return !/inet_addr\("127\.0\.0\.1"\)|"::1"/.test(call) || !asked.includes(port);
  });
}
