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

type Declare<Effect extends MethodDefinition['effect'], AreaErrors extends ErrorPattern> = <
  I extends z.ZodType,
  O extends z.ZodType,
  const E extends ErrorPattern = AreaErrors,
>(
  definition: Omit<MethodDefinition<I, O, E>, 'effect' | 'errors'> & { readonly errors?: readonly E[] },
) => MethodDefinition<I, O, E> & { readonly effect: Effect };

/**
 * Gives what declares the methods of an area, by their effect.
 *
 * @param areaErrors - codes that a method may answer with which names none of its own
 */
export function methodsOf<const AreaErrors extends ErrorPattern = never>(
  ...areaErrors: readonly AreaErrors[]
): { read: Declare<'read', AreaErrors>; write: Declare<'write', AreaErrors> } {
  return {
    read: (definition) => ({ errors: areaErrors as never, ...definition, effect: 'read' }),
    write: (definition) => ({ errors: areaErrors as never, ...definition, effect: 'write' }),
  };
}
