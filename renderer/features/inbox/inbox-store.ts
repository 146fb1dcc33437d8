import { create } from 'zustand';
import { createDetailActions } from './inbox-detail-actions';
import { createListActions } from './inbox-list-actions';
import { createListenerActions } from './inbox-listener-actions';
import { nothingListed, nothingSelected, type InboxState } from './inbox-state';
import { createStoreActions } from './inbox-store-actions';
import { LOCAL } from './team/team-store';

/** The inbox: rows loaded so far, the webhook on show, and the listener that takes them in. */
export const useInboxStore = create<InboxState>()((set, get) => ({
  store: LOCAL,
  storeError: null,
  ...nothingListed,
  query: 0,
  search: '',
  filter: 'all',
  expression: '',
  expressionFault: null,
  phase: 'idle',
  answered: { search: '', filter: 'all' },
  error: null,
  isLoadingMore: false,
  ...nothingSelected,
  replayed: 0,
  listener: null,
  listenerError: null,
  isListenerBusy: false,
  ...createStoreActions(set, get),
  ...createListActions(set, get),
  ...createDetailActions(set, get),
  ...createListenerActions(set),
}));
