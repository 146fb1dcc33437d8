import type { MethodOutput } from '@shared/contract/contract';
import type { WebhookExportFormat } from '@shared/webhooks/export/webhook-export';
import type { ListenerStatus, Replay, WebhookSummary } from '@shared/contract/inbox';
import type { Exchange } from '@shared/contract/sending';
import type { ChoiceGesture } from '../../ui/row-list';
import type { FarRows } from './inbox-rows';
import type { ReplayOrder, ReplayTally } from './replay-run';
import { NO_CHOICE, type RowChoice } from './row-choice';
import type { ListPhase } from '../../session/list-phase';
import type { ClientError } from '../../transport/client-error';

export interface TypedMarks {
  isPinned?: boolean;
  note?: string;
  tags?: string[];
}

export type WebhookDetail = MethodOutput<'inbox.get'>;
export type Phase = ListPhase;
/** The signature of the webhook on show, looked into. */
export type Explained = MethodOutput<'inbox.explainSignature'> | 'looking' | { readonly error: ClientError };

export interface StoreActions {
  /** Puts another inbox on show, and opens it where it is a team's; why it did not open stands in `storeError`. */
  showStore(store: string, password?: string): Promise<void>;
}

export interface ListActions {
  /** Loads, then follows the events; the returned function stops following. */
  start(): () => void;
  load(): Promise<void>;
  loadMore(): Promise<void>;
  /** Loads the rows at places that come into view; asked for again before it is done, the last word counts. */
  loadAt(from: number, to: number): void;
  setSearch(search: string): void;
  setFilter(filter: string): void;
  /** Which webhooks, as an expression; one that cannot be read is kept, and what is wrong with it told. */
  setExpression(expression: string): void;
  markRead(ids: string[], isRead: boolean): Promise<void>;
  markAllRead(): Promise<void>;
  remove(ids: string[]): Promise<void>;
  /** Notes what the user wants to remember of one; what is left out stays. */
  /** @returns whether it is kept; why not stands in the store, or a note or tags became others meanwhile, which are shown now */
  mark(id: string, marks: TypedMarks): Promise<boolean>;
  removeAll(): Promise<void>;
  dismissNotice(): Promise<void>;
  /** Chooses rows beside the one on show, or none any more. */
  choose(gesture: ChoiceGesture): void;
  /** The webhooks that are chosen, or some, as one file; tells where it holds not all of them. */
  exportAs(
    format: WebhookExportFormat,
    ids: readonly string[] | 'all',
  ): Promise<MethodOutput<'inbox.export'>>;
}

export interface DetailActions {
  /** Shows one webhook and marks it read. */
  select(id: string): Promise<void>;
  /** The same webhook with all of its body; a screen shows the beginning of a long one. */
  readWhole(webhook: WebhookDetail): Promise<WebhookDetail>;
  clearSelection(): void;
  /** Sends webhooks again; of the one on show it reads what was answered. */
  replay(order: ReplayOrder, signal: AbortSignal, onTally: (tally: ReplayTally) => void): Promise<void>;
  loadReplays(): Promise<void>;
  /** Copies a webhook as a command that sends it to the listener. */
  copyAsCurl(id: string): Promise<void>;
  /** Puts another webhook beside the one on show; null: none. */
  compareWith(id: string | null): Promise<void>;
  /** Looks into the signature of the one on show; takes seconds. */
  explainSignature(): Promise<void>;
  /** Finds the other webhooks of the same webhook-id. */
  loadAttempts(): Promise<void>;
}

export interface ListenerActions {
  /** Reads its status and takes each change of it; gives what ends that. */
  followListener(): () => void;
  /** Changes what webhooks are answered with. True: the rule is in force. */
  setRule(rule: ListenerStatus['rule']): Promise<boolean>;
  /** Puts other answer rules in force; an empty text is none. @throws {ClientError} */
  setRules(text: string): Promise<void>;
  startListener(port?: number): Promise<void>;
  stopListener(): Promise<void>;
}

export interface InboxState extends StoreActions, ListActions, DetailActions, ListenerActions {
  /** The inbox on show: `local`, or the id of a team's. */
  store: string;
  storeError: ClientError | null;

  /** Newest first, from the newest down to `nextBefore`, without a gap. */
  rows: WebhookSummary[];
  nextBefore: string | null;
  /** Rows further down, where somebody has gone there; null: none but the first are loaded. */
  far: FarRows | null;
  totalCount: number;
  /** There are more than `totalCount`: nobody has counted so far, and rows have no place from the end. */
  isTotalCut: boolean;
  unreadCount: number;
  /** Another one for each search and filter: its list begins at the top. */
  query: number;
  search: string;
  filter: string;
  expression: string;
  /** Null: the expression is in force. */
  expressionFault: string | null;
  phase: Phase;
  /** What the rows are the answer to: while more is typed, they are not yet of that. */
  answered: { search: string; filter: string };
  error: ClientError | null;
  /** What was saved and lost of an inbox that was damaged; null: nothing that the user has not taken note of. */
  notice: string | null;
  isLoadingMore: boolean;
  choice: RowChoice;

  selectedId: string | null;
  detail: WebhookDetail | null;
  detailPhase: Phase;
  detailError: ClientError | null;
  /** Other webhooks with the same webhook-id, newest first; null: not asked for yet. */
  attempts: WebhookSummary[] | null;
  /** What was answered to its replays, newest first; null: not asked for yet. */
  replays: Replay[] | null;
  /** How many replays were sent from here: who sends one wants to see its answer. */
  replayed: number;
  /** The webhook to compare it with; null: none was chosen. */
  compared: WebhookDetail | null;
  /** What its sender did otherwise; null: not asked for. */
  explained: Explained | null;
  /** The request it answers, to compare with; null: none, or not kept any more. */
  exchange: Exchange | null;

  listener: ListenerStatus | null;
  listenerError: ClientError | null;
  isListenerBusy: boolean;
}

export type SetInbox = (change: Partial<InboxState> | ((state: InboxState) => Partial<InboxState>)) => void;
export type GetInbox = () => InboxState;

/** No row is known of the inbox on show. */
export const nothingListed = {
  rows: [],
  nextBefore: null,
  far: null,
  totalCount: 0,
  isTotalCut: false,
  unreadCount: 0,
  choice: NO_CHOICE,
  notice: null,
} satisfies Partial<InboxState>;

/** What is read beside the webhook on show. */
export const nothingBeside = {
  attempts: null,
  replays: null,
  compared: null,
  explained: null,
  exchange: null,
} satisfies Partial<InboxState>;

export const nothingSelected = {
  ...nothingBeside,
  selectedId: null,
  detail: null,
  detailPhase: 'idle',
  detailError: null,
} satisfies Partial<InboxState>;
