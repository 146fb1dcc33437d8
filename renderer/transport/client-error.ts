import type { ErrorCode } from '@shared/error-codes';
import { AppError, type ErrorDetails, type ErrorReply } from '@shared/errors';

/** An error reply of the back end, as an exception. `code` is stable; `message` says what to do next. */
export class ClientError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  readonly retryable: boolean;

  constructor(reply: ErrorReply) {
    super(reply.message);
    this.name = 'ClientError';
    this.code = reply.code;
    this.details = reply.details;
    this.retryable = reply.retryable;
  }
}

/** Tells whether an error is over by itself once the back end answers, or the data folder is there again. */
export const isPassing = (error: Pick<ClientError, 'code'> | null): boolean =>
  error?.code === 'app.unreachable' || error?.code === 'platform.folder_gone';

/** Gives any thrown value the shape of a {@link ClientError}, so that views show one kind of error. */
export function toClientError(error: unknown): ClientError {
  if (error instanceof ClientError) return error;
  const isApp = error instanceof AppError;
  return new ClientError({
    code: isApp ? error.code : 'app.renderer',
    message:
      error instanceof Error ? error.message : 'Something failed in this window. Reload it and try again.',
    details: isApp ? error.details : {},
    retryable: false,
  });
}
