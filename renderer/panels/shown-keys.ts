import type { ActionId } from '@shared/actions/action-list';
import { keysOf } from '@shared/actions/key-bindings';
import { showKeys } from '../ui/keys';
import { useSettings } from '../session/settings-store';

/** The keys of an action as the user's keyboard has them, to be shown; undefined: none. Follows what the user sets. */
export function useShownKeys(id: string): string | undefined {
  const keys = useSettings((state) => keysOf(id, state.settings.keys)[0]);
  return keys === undefined ? undefined : showKeys(keys);
}

/** A text with the keys of an action behind it: `Requests (Ctrl+1)`. */
export function useLabelWithKeys(label: string, id: ActionId): string {
  const keys = useShownKeys(id);
  return keys === undefined ? label : `${label} (${keys})`;
}
