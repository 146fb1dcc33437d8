import { readEnvironmentName } from '@shared/contract/environment-id';
import type { EnvironmentRecord } from '@shared/contract/environments';

/**
 * Calls an environment what the app calls it everywhere: two sources may give theirs the same name.
 *
 * @returns of one that is gone, the name in its id
 */
export function labelEnvironment(
  id: string,
  known: readonly Pick<EnvironmentRecord, 'id' | 'label'>[],
): string {
  return known.find((one) => one.id === id)?.label ?? readEnvironmentName(id);
}
