import { create } from 'zustand';
import { createDetailActions } from './inbox-detail-actions';
import { createListActions } from './inbox-list-actions';
import { createListenerActions } from './inbox-listener-actions';
import type { InboxState } from './inbox-state';
import { createStoreActions } from './inbox-store-actions';
import { NO_CHOICE } from './row-choice';
import { LOCAL } from './team/team-store';

/** The inbox: rows loaded so far, the webhook on show, and the listener that takes them in. */
export const useInboxStore = create<InboxState>()((set, get) => ({
  store: LOCAL,
  storeError: null,
  rows: [],
  nextBefore: null,
  far: null,
  totalCount: 0,
  isTotalCut: false,
  unreadCount: 0,
  query: 0,
  search: '',
  filter: 'all',
  expression: '',
  expressionFault: null,
  phase: 'idle',
  answered: { search: '', filter: 'all' },
  error: null,
  notice: null,
  isLoadingMore: false,
  choice: NO_CHOICE,
  selectedId: null,
  detail: null,
  detailPhase: 'idle',
  detailError: null,
  attempts: null,
  replays: null,
  replayed: 0,
  compared: null,
  explained: null,
  exchange: null,
  listener: null,
  listenerError: null,
  isListenerBusy: false,
  ...createStoreActions(set, get),
  ...createListActions(set, get),
  ...createDetailActions(set, get),
  ...createListenerActions(set),
}));
