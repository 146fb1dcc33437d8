import type { ErrorCode } from '@shared/error-codes';
import { AppError } from '@shared/errors';

const FULL = 13;
const READ_ONLY = 8;

/** Says why webhooks are not stored, and what becomes of them. */
export function describeWriteFailure(error: unknown): AppError {
  const raw = (error as { rawCode?: unknown }).rawCode;
  const primary = typeof raw === 'number' ? raw & 0xff : -1;
  const [code, why]: [ErrorCode<'listener'>, string] =
    primary === FULL
      ? ['listener.disk_full', 'the disk is full. Free some space']
      : primary === READ_ONLY
        ? ['listener.unwritable', 'the data directory cannot be written. Check its permissions']
        : ['listener.not_stored', 'writing to the inbox failed. Check the disk and the data directory'];
  return new AppError(
    code,
    `Webhooks are not stored: ${why}; until then they are answered 503 and the sender should try again.`,
    {
      retryable: true,
      cause: error,
    },
  );
}
