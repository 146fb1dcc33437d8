import type { RunSummary } from '@shared/run/run-result';

type Rank = RunSummary['worstError'];

/** Codes of requests that nobody answered, or not in time. */
const unreachable: ReadonlySet<string> = new Set([
  'sending.unreachable',
  'sending.timeout',
  'sending.tls',
  'sending.dns',
  'sending.proxy',
  'sending.closed',
  'sending.bad_answer',
  'running.stopped',
]);
/** Codes of what the run was set up with: keys, credentials, the environment, the disk. The rest is of the request alone, as a failure is. */
const setUp =
  /^(?:keys\.|vault\.|platform\.|environments\.|tokens\.no_credentials$|sending\.(?:foreign_host|not_confirmed|secret_field)$)/;

/** Gives the exit code that an error stands for, or the one before where that weighs more: 3 over 2 over 1. */
export function exitRank(before: Rank, code: string): Rank {
  const own: Rank = unreachable.has(code) ? 3 : setUp.test(code) ? 2 : 1;
  return own > before ? own : before;
}
