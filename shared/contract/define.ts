import type { z } from 'zod';
import type { ErrorReply } from '../errors';

/** What runs the services: decides which capabilities exist, never how a method behaves. */
export type HostKind = 'electron' | 'web' | 'cli';

/** One method of the contract. */
export interface MethodDefinition<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  /** What a caller sends; validated before anything runs. */
  readonly input: I;
  /** What comes back; fields that the schema does not name are cut off. */
  readonly output: O;
  /** Codes that this method may answer with, apart from `app.*`. A trailing `*` stands for an area. */
  readonly errors: readonly string[];
  readonly effect: 'read' | 'write';
  /** Hosts that offer it; all, where left out. */
  readonly hosts?: readonly HostKind[];
}

export type Reply<T> = { ok: true; value: T } | { ok: false; error: ErrorReply };

/** Declares one method; exists for inference alone. */
export function defineMethod<I extends z.ZodType, O extends z.ZodType>(
  definition: MethodDefinition<I, O>,
): MethodDefinition<I, O> {
  return definition;
}
