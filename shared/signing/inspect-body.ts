import { AppError } from '../errors';
import { lintFound, type Lint } from './lints';
import { findSignedFields, type SignedFieldFinder } from './signed-fields';
import { joinSignedFields, type StringToSign } from './string-to-sign';

/** All that an editor shows about a body, from one scan. */
export interface BodyInspection {
  /** Null when the body cannot be signed; `error` says why. */
  readonly toSign: StringToSign | null;
  readonly error: AppError | null;
  /** Warnings; empty where the body is not JSON. */
  readonly lints: Lint[];
}

/**
 * Reads string to sign, spans and warnings in one scan; never throws for what the body holds.
 *
 * This is what runs on each key stroke: a body of 1 MB stays within a frame.
 */
export function inspectBody(body: string): BodyInspection {
  let finder: SignedFieldFinder;
  try {
    finder = findSignedFields(body);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { toSign: null, error, lints: [] };
  }
  const lints = lintFound(body, finder);
  try {
    return { toSign: joinSignedFields(finder), error: null, lints };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { toSign: null, error, lints };
  }
}
