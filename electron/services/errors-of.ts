import type { DeclaredCode, MethodName } from '@shared/contract/contract';
import type { ErrorCode } from '@shared/error-codes';
import { AppError, type ErrorOptions } from '@shared/errors';

/** A method, or the first word of several: `inbox.get`, `inbox`. */
type MethodsOf<P extends string> = Extract<MethodName, P | `${P}.${string}`>;

type ErrorConstructorOf<C extends ErrorCode> = new (
  code: C,
  message: string,
  options?: ErrorOptions,
) => AppError<C>;

/**
 * Gives the error class as the methods named may use it: with the codes that the contract declares for them.
 *
 * A service throws with this one alone (a lint rule), so that a code that its methods do not declare does not compile.
 */
export function errorsOf<P extends MethodName | (MethodName extends `${infer A}.${string}` ? A : never)>() {
  return AppError as ErrorConstructorOf<DeclaredCode<MethodsOf<P>>>;
}
