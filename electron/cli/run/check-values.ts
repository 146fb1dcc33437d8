import type { DynamicValues } from '@shared/http-file/dynamic-values';
import { prepareRequest } from '@shared/http-file/prepare-request';
import type { RunPlan } from '@shared/run/plan-run';
import type { RunFault } from '@shared/run/read-directives';

/** Any dynamic value that there is will do: none is sent. */
const anyDynamic: DynamicValues = { get: () => '0', renew: () => undefined, renewTimes: () => undefined };

/**
 * Finds variables that nobody gives, before anything is sent.
 *
 * What an earlier request captures, and the reference that was sent last, come with the run.
 */
export function findMissingValues(
  { requests }: RunPlan,
  variables: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
): RunFault[] {
  const coming = requests.flatMap(({ request }) => request.directives.captures.map(({ name }) => name));
  const later = Object.fromEntries([...coming, 'last_reference'].map((name) => [name, '0']));
  return requests.flatMap(({ request }) => {
    if (request.directives.skip !== null) return [];
    const { unresolved } = prepareRequest(request.block, {
      variables: { ...later, ...variables },
      given: { ...later, ...given },
      dynamic: anyDynamic,
    });
    // `$` values of other clients are told by the request itself.
    const names = [...new Set(unresolved.map(({ name }) => name))].filter((name) => !name.startsWith('$'));
    if (names.length === 0) return [];
    const message = `Nobody gives ${names.map((name) => `{{${name}}}`).join(', ')}: set it in the environment, in the file, or with --var ${names[0]}=VALUE.`;
    return [{ file: request.file, line: request.block.line, message }];
  });
}
