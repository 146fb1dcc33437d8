import { toClientError } from '../../transport/client-error';
import { nothingListed, type GetInbox, type SetInbox, type StoreActions } from './inbox-state';
import { LOCAL, useTeamStore } from './team/team-store';

/** Puts another inbox on show: nothing of the one before stays on the screen. */
export function createStoreActions(set: SetInbox, get: GetInbox): StoreActions {
  return {
    showStore: async (store, password) => {
      if (store !== get().store) {
        get().clearSelection();
        set({ store, ...nothingListed });
      }
      set({ storeError: null, error: null, phase: 'loading' });
      try {
        if (store !== LOCAL) await useTeamStore.getState().open(store, password);
      } catch (error) {
        // Why stands at the inbox itself; the list has nothing to say.
        if (get().store === store) set({ storeError: toClientError(error), phase: 'ready' });
        return;
      }
      if (get().store === store) await get().load();
    },
  };
}
