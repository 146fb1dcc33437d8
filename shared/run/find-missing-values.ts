import type { DynamicValues } from '../http-file/dynamic-values';
import { adviseOnMissing, type VariableAdvice } from '../http-file/foreign-variables';
import { describeEntangled, prepareRequest, type PreparedRequest } from '../http-file/prepare-request';
import { createScriptAdvice } from '../http-file/script-values';
import { fillVariables } from '../http-file/resolve-request';
import type { RunPlan, RunRequest } from './plan-run';
import type { RunFault } from './read-directives';
import { listSome } from '../list-some';

/** What the values of a run come from, before it begins. */
interface KnownValues {
  readonly variables: Readonly<Record<string, string>>;
  readonly given: Readonly<Record<string, string>>;
}

/** Any dynamic value that there is will do: none is sent. */
const anyDynamic = (value: string): DynamicValues => ({
  get: () => value,
  renew: () => undefined,
  renewTimes: () => undefined,
});

/** A request as it would be sent, as far as that is known before the run. */
export interface ForeseenRequest {
  readonly request: RunRequest;
  readonly prepared: PreparedRequest;
  readonly known: KnownValues;
}

/**
 * Prepares all that is not skipped.
 *
 * @param comes - stands for each value that comes with the run; what differs for another one is not known yet
 */
export const foresee = (...of: Parameters<typeof foreseeEach>): ForeseenRequest[] => [...foreseeEach(...of)];

/** `foresee`, one after the other: of tens of thousands it takes seconds. */
export function* foreseeEach(
  { requests }: RunPlan,
  { variables, given }: KnownValues,
  comes = '0',
): Generator<ForeseenRequest> {
  // What an earlier request captures, and the reference that was sent last, come with the run.
  const coming = requests.flatMap(({ request }) => request.directives.captures.map(({ name }) => name));
  const later = Object.fromEntries([...coming, 'last_reference'].map((name) => [name, comes]));
  const isText = (name: string): boolean =>
    name.startsWith('row.') || (Object.hasOwn(later, name) && !Object.hasOwn(given, name));
  const known = { variables: { ...later, ...variables }, given: { ...later, ...given } };
  for (const { request } of requests) {
    if (request.directives.skip !== null) continue;
    const prepared = prepareRequest(request.block, { ...known, isText, dynamic: anyDynamic(comes) });
    yield { request, prepared, known };
  }
}

/** Services have their tokens at other paths, too: `/oauth2/token`, `/access_token/`. */
function asksForToken(url: string): boolean {
  const last = url.split(/[?#]/, 1)[0]!.replace(/\/$/, '').split('/').at(-1)!;
  return /token/i.test(last) && !last.includes('{{');
}

/** Finds variables that nobody gives, before anything is sent. */
export function findMissingValues(
  foreseen: readonly ForeseenRequest[],
  { adviseOn, isElsewhere }: VariableAdvice,
): RunFault[] {
  const adviseBesideScripts = createScriptAdvice(
    foreseen.map(({ request: { name, text } }) => ({ name, text })),
  );
  const adviseOnOther = (name: string): string => adviseBesideScripts(name, adviseOn(name));
  return foreseen.flatMap(({ request, prepared, known }) => {
    const given = new Set(prepared.entangled.map(({ name }) => name));
    // `$` values of other clients are told by the request itself.
    const names = [...new Set(prepared.unresolved.map(({ name }) => name))].filter(
      (name) => !name.startsWith('$') && !given.has(name),
    );
    // As a collection of another client has it in front, for all others to use.
    const aside = asksForToken(prepared.url)
      ? ' Or leave the request out, with # @skip REASON in it, where the others use {{token.payout}} and the like.'
      : '';
    const describe = (missing: readonly string[], line: number): RunFault[] => {
      if (missing.length === 0) return [];
      const shown = listSome(missing.map((name) => `{{${name}}}`));
      const advice = adviseOnMissing(missing, prepared.foreign, adviseOnOther, isElsewhere);
      return [{ file: request.file, line, message: `Nobody gives ${shown}: ${advice}${aside}` }];
    };
    const { block, directives } = request;
    const { entangled } = prepared;
    const knots =
      entangled.length === 0
        ? []
        : [{ file: request.file, line: block.line, message: describeEntangled(entangled) }];
    return [
      ...knots,
      ...describe(names, block.line),
      ...directives.expectations.flatMap(({ text, line }) =>
        describe(fillVariables(text, block.fileVariables, known).unresolved, line),
      ),
    ];
  });
}
