import { AppError } from '@shared/errors';
import { joinErrors } from '@shared/joined-errors';
import { listSome } from '@shared/list-some';
import type { RunFault } from '@shared/run/read-directives';

/** So many different faults are told in full. */
const mostTold = 6;

/**
 * Says in one line what is wrong in the files, and what else is lacking; nothing was sent.
 *
 * @param lacking - of the vault
 * @throws {AppError} `running.bad_file` where a file has a fault, else that of what is lacking
 */
export function refuseFaults(faults: readonly RunFault[], lacking: readonly AppError[] = []): void {
  const inFiles = faults.length === 0 ? [] : [new AppError('running.bad_file', describeFaults(faults))];
  const refusal = joinErrors([...inFiles, ...lacking]);
  if (refusal !== null) throw refusal;
}

/** Each fault once, with all places that it stands at. */
function describeFaults(faults: readonly RunFault[]): string {
  const places = new Map<string, string[]>();
  for (const { file, line, message } of faults) {
    const at = places.get(message) ?? [];
    places.set(message, at);
    at.push(`${file}:${line}`);
  }
  const told = [...places].slice(0, mostTold).map(([message, at]) => `${listSome(at)}: ${message}`);
  const left = [...places.values()].slice(mostTold).flat();
  const others = left.length === 0 ? '' : ` (and ${left.length} more: ${listSome(left)})`;
  return `${told.join(' ')} Nothing was sent.${others}`;
}
