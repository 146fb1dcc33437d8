import type { ErrorCode } from './error-codes';

/** What an error tells beyond its message: plain data, safe to show and to send. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** An error as it crosses a host boundary: these four fields and nothing else. */
export interface ErrorReply {
  code: ErrorCode;
  message: string;
  details: ErrorDetails;
  retryable: boolean;
}

/** What may stand beside code and message. */
export interface ErrorOptions {
  details?: ErrorDetails;
  retryable?: boolean;
  cause?: unknown;
}

/**
 * The one error class of the product.
 *
 * Codes are stable, read `area.reason` and stand in one table, `error-codes.ts`; the message says what failed and what to do next. Whatever
 * crosses to a client is taken field by field with {@link toErrorReply}: `cause` and `stack` never do.
 */
export class AppError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C;
  readonly details: ErrorDetails;
  readonly retryable: boolean;

  constructor(code: C, message: string, options: ErrorOptions = {}) {
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
  if (isCrowded(error)) {
    return { code: 'app.crowded', message: crowdedMessage, details: {}, retryable: true };
  }
  if (isMissingPart(error)) {
    return {
      code: 'app.replaced',
      message:
        'A part of the program is missing. Where another version took its place while this one runs, close Countersign and start it again; else install it again.',
      details: {},
      retryable: false,
    };
  }
  return {
    code: 'app.internal',
    message: 'Something failed inside Countersign. Try again; the log in the data directory has the details.',
    details: {},
    retryable: true,
  };
}

export const crowdedMessage =
  'Too many files are open. Raise the limit (ulimit -n), or close other programs, and try again.';

/** Tells whether the system opens no more files, as it says itself, or a library in its words. */
export function isCrowded(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return code === 'EMFILE' || code === 'ENFILE' || /\btoo many open files\b/i.test(error.message);
}

/** A part of the program that loads when it is first asked for: an update or a build took it away meanwhile, or it never came. */
const isMissingPart = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';

/** Fails to compile where a union has a case that nothing handles. */
export function assertNever(value: never): never {
  throw new AppError('app.internal', `A case that nothing handles: ${JSON.stringify(value)}`);
}
