import { AppError, type ErrorReply } from './errors';

type Told = Pick<ErrorReply, 'code' | 'message' | 'details'>;

/**
 * Makes one error of all that a request lacks: told one after the other, each would cost another try.
 *
 * The first gives its code, and what it tells beside its message.
 * @returns null: nothing is lacking
 */
export function joinErrors(errors: readonly AppError[]): AppError | null {
  const told = new Map<string, AppError>();
  for (const error of errors) if (!told.has(error.message)) told.set(error.message, error);
  const [first, ...more] = told.values();
  if (first === undefined || more.length === 0) return first ?? null;
  const joined = [...told.values()].map(({ code, message, details }) => ({ code, message, details }));
  return new AppError(first.code, [...told.keys()].join(' '), {
    details: { ...first.details, joined },
    cause: first,
  });
}

/** The errors that one was made of; of any other, itself. */
export function listJoined<T extends Told>(error: T): readonly (T | Told)[] {
  const { joined } = error.details;
  return Array.isArray(joined) ? (joined as readonly Told[]) : [error];
}
