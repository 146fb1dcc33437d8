import { keysOf } from '@shared/actions/key-bindings';
import { useSettings } from './settings-store';

/** The keys of an action as they are now; an action without keys has none. */
export const readKeysOf = (id: string): readonly string[] => keysOf(id, useSettings.getState().settings.keys);
