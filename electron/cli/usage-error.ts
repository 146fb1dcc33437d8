import { AppError, toErrorReply } from '@shared/errors';

/** Wrong usage: one line that names the flag. */
export function usageError(message: string): AppError {
  return new AppError('cli.usage', message);
}

/** What was asked for is not there: the answer is no, and the exit code 1. */
export function notThere(message: string): AppError {
  return new AppError('cli.not_found', message);
}

/** Codes that mean 'not reachable or timed out', exit code 3. */
const unreachable = new Set([
  'sending.unreachable',
  'sending.timeout',
  'sending.tls',
  'sending.dns',
  'sending.proxy',
  'sending.closed',
  'sending.bad_answer',
  'cli.timed_out',
  'store.unreachable',
  'updates.unreachable',
  'store.busy',
  'store.failed',
]);
/** Codes that mean 'no', exit code 1. */
const refused = new Set([
  'tokens.refused',
  'tokens.bad_answer',
  'tokens.unavailable',
  'store.refused',
  'updates.bad_file',
  'updates.bad_notice',
  'updates.bad_signature',
  'cli.not_found',
  'app.internal',
]);

/** Gives the exit code of an error (design 4.1): 1 refused, 2 wrong usage or bad input, 3 not reachable. */
export function exitCodeOf(error: unknown): 1 | 2 | 3 {
  const { code } = toErrorReply(error);
  if (refused.has(code)) return 1;
  return unreachable.has(code) ? 3 : 2;
}
