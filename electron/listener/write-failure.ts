import type { ErrorCode } from '@shared/error-codes';
import { AppError } from '@shared/errors';

/** Rows that were written cannot be found again. */
export class NotReadBack extends Error {}

/** Tells whether an error means that the file is damaged. */
export function isInboxDamage(error: unknown): boolean {
  return (
    error instanceof NotReadBack || (error instanceof AppError && error.code === 'platform.database_damaged')
  );
}

/** What became of the file, where somebody changed it. */
function changeOf(error: unknown): string {
  return error instanceof AppError && 'saved' in error.details ? `${error.message} ` : '';
}

/** Says why webhooks are not stored, and what becomes of them. */
export function describeWriteFailure(error: unknown): AppError {
  if (isInboxDamage(error)) {
    return new AppError(
      'listener.damaged',
      `${changeOf(error)}inbox.db is damaged: nothing more is stored in it, and webhooks are answered 503, so that the sender tries again. ` +
        'The app mends it by itself; where `listen` runs, end it and start it again: what can be read is saved into a new file.',
      { retryable: true, cause: error },
    );
  }
  const cause = error instanceof AppError ? error.code : null;
  const [code, why]: [ErrorCode<'listener'>, string] =
    cause === 'platform.disk_full'
      ? ['listener.disk_full', 'the disk is full. Free some space']
      : cause === 'platform.unwritable'
        ? ['listener.unwritable', 'the data directory cannot be written. Check its permissions']
        : cause === 'platform.folder_gone'
          ? [
              'listener.unwritable',
              'the data directory was moved, removed or unmounted. Put it back, in the place of any other that stands there now, or end Countersign and start it with --data where that is now',
            ]
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
