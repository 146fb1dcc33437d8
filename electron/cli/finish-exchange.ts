import type { Exchange, Reading } from '@shared/contract/sending';
import { isErrorCode } from '@shared/error-codes';
import { AppError } from '@shared/errors';

type Answered = Exchange & { response: NonNullable<Exchange['response']>; reading: Reading };

/**
 * Takes the answer of an exchange.
 *
 * @throws {AppError} as the exchange failed, where no answer came
 */
export function requireAnswer(exchange: Exchange): Answered {
  if (exchange.response !== null && exchange.reading !== null) return exchange as Answered;
  const { code, message } = exchange.error ?? { code: 'sending.unreachable', message: 'No answer came.' };
  throw new AppError(isErrorCode(code) ? code : 'app.internal', message);
}

/** Tells whether the service did what it was asked. */
export function isGood(reading: Reading): boolean {
  return reading.outcome === 'accepted' || reading.outcome === 'ok';
}
