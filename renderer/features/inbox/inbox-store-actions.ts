import { toClientError } from '../../transport/client-error';
import type { GetInbox, SetInbox, StoreActions } from './inbox-state';
import { NO_CHOICE } from './row-choice';
import { LOCAL, useTeamStore } from './team/team-store';

/** Puts another inbox on show: nothing of the one before stays on the screen. */
export function createStoreActions(set: SetInbox, get: GetInbox): StoreActions {
  return {
    showStore: async (store, password) => {
      if (store !== get().store) {
        get().clearSelection();
        set({
          store,
          rows: [],
          nextBefore: null,
          far: null,
          totalCount: 0,
          isTotalCut: false,
          unreadCount: 0,
          choice: NO_CHOICE,
          notice: null,
        });
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
