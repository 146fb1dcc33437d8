import { contract, type Handlers, type MethodName, type MethodOutput } from '@shared/contract/contract';
import type { HostKind, MethodDefinition, Reply } from '@shared/contract/define';
import { AppError, toErrorReply } from '@shared/errors';
import type { Logger } from '../platform/ports';
import { describeFailure } from '../platform/workers/worker-rpc';
import { describeBadInput } from './describe-bad-input';

/** Answers any call of the contract; never throws, never lets a stack or a cause through. */
export interface Router {
  dispatch(method: string, input: unknown): Promise<Reply<unknown>>;
  /** The same for callers in process who know the method: gives the value or throws {@link AppError}. */
  call<M extends MethodName>(method: M, input: unknown): Promise<MethodOutput<M>>;
}

/**
 * Builds the router of a host.
 *
 * Only names of the contract are looked up (own properties), what comes in is validated before a handler
 * sees it, and what goes out is cut to the fields of the output schema.
 */
export function createRouter(options: {
  /** Gives the handlers of the service that answers a method of the contract; may have to make it first. */
  findHandlers(method: MethodName): Promise<Partial<Handlers>>;
  host: HostKind;
  logger: Logger;
}): Router {
  const run = async (method: string, input: unknown): Promise<unknown> => {
    const { name, definition } = findMethod(method, options.host);
    const parsed = definition.input.safeParse(input ?? {});
    if (!parsed.success) throw describeBadInput(method, parsed.error.issues);
    const handlers = await options.findHandlers(name);
    const handler = handlers[name] as (value: unknown) => unknown;
    return definition.output.parse(await handler(parsed.data));
  };
  return {
    async dispatch(method, input) {
      try {
        return { ok: true, value: await run(method, input) };
      } catch (error) {
        // A worker's failure comes as its reply, with what happened as the cause.
        const failure = error instanceof AppError ? error.code === 'app.internal' && error.cause : error;
        if (failure)
          options.logger.log('error', 'router.failed', { method, error: describeFailure(failure) });
        return { ok: false, error: toErrorReply(error) };
      }
    },
    async call(method, input) {
      return (await run(method, input)) as MethodOutput<typeof method>;
    },
  };
}

function findMethod(method: string, host: HostKind): { name: MethodName; definition: MethodDefinition } {
  if (!Object.hasOwn(contract, method)) {
    throw new AppError('app.unknown_method', `There is no method '${method.slice(0, 80)}'.`);
  }
  const name = method as MethodName;
  const definition: MethodDefinition = contract[name];
  if (definition.hosts && !definition.hosts.includes(host)) {
    throw new AppError(
      'app.not_on_this_host',
      `'${method}' is not offered here. Use the desktop app or the command line.`,
    );
  }
  return { name, definition };
}
