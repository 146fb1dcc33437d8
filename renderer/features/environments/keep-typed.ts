import { localEnvironmentId } from '@shared/contract/environment-id';
import type { Environment } from '@shared/contract/environments';
import { loadEnvironments, useEnvironments } from '../../session/environments';
import { replaceRoute, useRoute } from '../../session/routes';
import { listChanged, noteUnsaved, readUnsaved } from '../../session/unsaved';
import { formOf, toDraft, type EnvironmentDraft } from './environment-draft';
import { followSaved, type TypedEnvironment } from './follow-saved';

/** Environments that this window deletes: what was typed for them goes with them. */
const deletedHere = new Set<string>();

/** Deletes an environment, and what was typed for it. */
export async function deleteHere(id: string, remove: () => Promise<unknown>): Promise<void> {
  deletedHere.add(id);
  try {
    await remove();
    noteUnsaved(formOf({ id }), null);
  } finally {
    deletedHere.delete(id);
  }
}

/**
 * Has what was typed for an environment that another window or a command deleted go on as a new one, with all that its form held.
 *
 * Where a new one is being typed already, that stays, and what was typed waits for an environment of the former name.
 */
export function keepTyped(before: readonly Environment[], now: readonly Environment[]): void {
  const gone = before.filter(
    ({ id, source }) => source === 'data' && !deletedHere.has(id) && !now.some((one) => one.id === id),
  );
  for (const environment of gone) {
    const typed = readUnsaved<TypedEnvironment>(formOf(environment));
    if (typed === null || readUnsaved(formOf(null)) !== null) continue;
    const was = toDraft(environment, findFollowed(before));
    const held = { ...followSaved(typed, was), deleted: environment.label };
    noteUnsaved(formOf(null), listChanged<EnvironmentDraft>(held, toDraft(null, null)));
    noteUnsaved(formOf(environment), null);
    const { view, rest } = useRoute.getState();
    if (view === 'environments' && rest === `show/${environment.id}`) replaceRoute('environments', 'new');
  }
}

/**
 * Reads an environment anew, and puts what was typed over it: no event tells of what a command has saved.
 *
 * @returns null where it is not there any more
 */
export async function bringUpToDate(
  environment: Environment | null,
  typed: TypedEnvironment,
): Promise<{ environment: Environment | null; draft: EnvironmentDraft } | null> {
  await loadEnvironments();
  const { environments } = useEnvironments.getState();
  const now = environment && environments.find(({ id }) => id === environment.id);
  if (now === undefined) return null;
  return { environment: now, draft: followSaved(typed, toDraft(now, findFollowed(environments))) };
}

/** The listener's address, which an empty callback address follows. */
export const findFollowed = (environments: readonly Environment[]): string | null =>
  environments.find(({ id }) => id === localEnvironmentId)?.variables['callback_url'] ?? null;
