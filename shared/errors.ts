/** What an error tells beyond its message: plain data, safe to show and to send. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** An error as it crosses a host boundary: these four fields and nothing else. */
export interface ErrorReply {
  code: string;
  message: string;
  details: ErrorDetails;
  retryable: boolean;
}

/**
 * The one error class of the product.
 *
 * Codes are stable and read `area.reason`; the message says what failed and what to do next. Whatever
 * crosses to a client is taken field by field with {@link toErrorReply}: `cause` and `stack` never do.
 */
export class AppError extends Error {
  readonly code: string;
  readonly details: ErrorDetails;
  readonly retryable: boolean;

  constructor(
    code: string,
    message: string,
    options: { details?: ErrorDetails; retryable?: boolean; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = options.details ?? {};
    this.retryable = options.retryable ?? false;
  }
}

/**
 * Takes the four public fields of an error.
 *
 * Anything that is not an {@link AppError} becomes `app.internal`: what it says may name files or secrets,
 * so none of it is repeated.
 */
export function toErrorReply(error: unknown): ErrorReply {
  if (error instanceof AppError) {
    return { code: error.code, message: error.message, details: error.details, retryable: error.retryable };
  }
  return {
    code: 'app.internal',
    message: 'Something failed inside Countersign. Try again; the log in the data directory has the details.',
    details: {},
    retryable: true,
  };
}

/** Fails to compile where a union has a case that nothing handles. */
export function assertNever(value: never): never {
  throw new AppError('app.internal', `A case that nothing handles: ${JSON.stringify(value)}`);
}
