import type { MethodOutput } from '@shared/contract/contract';
import type { ListenerStatus, WebhookSummary } from '@shared/contract/inbox';
import type { Exchange } from '@shared/contract/sending';
import { create } from 'zustand';
import type { ClientError } from '../../transport/client-error';
import { createDetailActions, type DetailActions } from './inbox-detail-actions';
import { createListActions, type ListActions } from './inbox-list-actions';
import { createListenerActions, type ListenerActions } from './inbox-listener-actions';
import type { InboxFilter } from '@shared/contract/inbox';

export type WebhookDetail = MethodOutput<'inbox.get'>;
export type Phase = 'idle' | 'loading' | 'ready' | 'failed';

export interface InboxState extends ListActions, DetailActions, ListenerActions {
  rows: WebhookSummary[];
  nextBefore: string | null;
  totalCount: number;
  unreadCount: number;
  search: string;
  filter: InboxFilter;
  phase: Phase;
  error: ClientError | null;
  isLoadingMore: boolean;

  selectedId: string | null;
  detail: WebhookDetail | null;
  detailPhase: Phase;
  detailError: ClientError | null;
  /** Other webhooks with the same webhook-id, newest first; null: not asked for yet. */
  attempts: WebhookSummary[] | null;
  /** The request it answers, to compare with; null: none, or not kept any more. */
  exchange: Exchange | null;

  listener: ListenerStatus | null;
  listenerError: ClientError | null;
  isListenerBusy: boolean;
}

/** The inbox: rows loaded so far, the webhook on show, and the listener that takes them in. */
export const useInboxStore = create<InboxState>()((set, get) => ({
  rows: [],
  nextBefore: null,
  totalCount: 0,
  unreadCount: 0,
  search: '',
  filter: 'all',
  phase: 'idle',
  error: null,
  isLoadingMore: false,
  selectedId: null,
  detail: null,
  detailPhase: 'idle',
  detailError: null,
  attempts: null,
  exchange: null,
  listener: null,
  listenerError: null,
  isListenerBusy: false,
  ...createListActions(set, get),
  ...createDetailActions(set, get),
  ...createListenerActions(set),
}));

export type SetInbox = (change: Partial<InboxState> | ((state: InboxState) => Partial<InboxState>)) => void;
export type GetInbox = () => InboxState;
