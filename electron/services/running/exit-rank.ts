import type { RunSummary } from '@shared/run/run-result';

type Rank = RunSummary['worstError'];

/** Codes of requests that nobody answered, or not in time. */
const unreachable: ReadonlySet<string> = new Set([
  'sending.unreachable',
  'sending.timeout',
  'sending.tls',
  'sending.dns',
  'sending.closed',
  'sending.bad_answer',
  'running.stopped',
]);
const refused: ReadonlySet<string> = new Set([
  'tokens.refused',
  'tokens.bad_answer',
  'tokens.unavailable',
  'app.internal',
  'running.sent_before',
]);

/** Gives the exit code that an error stands for, or the one before where that weighs more: 3 over 2 over 1. */
export function exitRank(before: Rank, code: string | null): Rank {
  const own: Rank = code !== null && unreachable.has(code) ? 3 : code !== null && refused.has(code) ? 1 : 2;
  return own > before ? own : before;
}
