import type { z } from 'zod';
import type { ErrorPattern } from '../error-codes';
import type { ErrorReply } from '../errors';

/** What runs the services: decides which capabilities exist, never how a method behaves. */
export type HostKind = 'electron' | 'web' | 'cli';

/** One method of the contract. */
export interface MethodDefinition<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  E extends ErrorPattern = ErrorPattern,
> {
  /** What a caller sends; validated before anything runs. */
  readonly input: I;
  /** What comes back; fields that the schema does not name are cut off. */
  readonly output: O;
  /** Codes that this method may answer with, apart from those of {@link HostArea}. A trailing `*` stands for an area. */
  readonly errors: readonly E[];
  readonly effect: 'read' | 'write';
  /** Hosts that offer it; all, where left out. */
  readonly hosts?: readonly HostKind[];
}

/** Areas that any method may answer with: the host's own, and the machine's (a full disk, a worker that stopped). */
export type HostArea = 'app' | 'platform' | 'worker';

export type Reply<T> = { ok: true; value: T } | { ok: false; error: ErrorReply };

/** Declares one method; exists for inference alone. */
export function defineMethod<I extends z.ZodType, O extends z.ZodType, const E extends ErrorPattern = never>(
  definition: MethodDefinition<I, O, E>,
): MethodDefinition<I, O, E> {
  return definition;
}
