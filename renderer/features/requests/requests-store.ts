import type { Journey } from '@shared/contract/journey';
import type { MethodOutput } from '@shared/contract/contract';
import type { OpenCollection, TreeNode } from '@shared/contract/collections';
import type { SignedFieldName } from '@shared/contract/common';
import type { KeySummary } from '@shared/contract/vault';
import type { SnippetLanguage } from '@shared/signing/snippets/signing-snippets';
import type { BlockMark } from '@shared/http-file/follow-block';
import type { HttpFileFault } from '@shared/http-file/http-file';
import type { Exchange } from '@shared/contract/sending';
import { create } from 'zustand';
import type { HunkChoice } from './conflict/merge-texts';
import type { ClientError } from '../../transport/client-error';
import type { PaymentFacts } from '@shared/payments/read-payment';

export type SubTab = 'body' | 'query' | 'headers' | 'code' | 'expect' | 'notes' | 'file';
export type Signed = MethodOutput<'signing.sign'>;

/** A key chosen for a request instead of the environment's own; it holds in that environment alone. */
export interface KeyChoice {
  environment: string;
  keyId: string;
  /** The environment's name, typed by the user, for a key that belongs to another one. */
  overrideConfirmation: string | null;
}

/** The user's word for production. */
export interface Allowance {
  /** What it holds for: this very request where it moves money, else the host. */
  subject: string;
  /** Id of the environment that was named. */
  production: string;
}

/** What the user has said about a request that is to be sent. */
export interface SendWord {
  /** Null: production was not asked about. */
  allowance: Allowance | null;
  /** Sent without a signature, as told. */
  isUnsigned: boolean;
  /** The request that was sent before, once more. */
  isAgain?: boolean;
  /** Where an answer points. */
  isFollowing?: boolean;
  /** Another body may go under a reference that was sent before. */
  isReuse?: boolean;
}

/** A request to a production host that waits for the user's word. */
export interface ProductionSend {
  /** What it is called. */
  environment: string;
  host: string;
  /** What it pays; null where it moves no money. */
  payment: PaymentFacts | null;
  /** With the word that an answer of yes gives. */
  how: SendWord;
}

/** Something that has to be asked before a request can be signed or sent. */
export type Question =
  | { kind: 'override'; tabId: string; environment: string; keyId: string; keyName: string }
  | ({ kind: 'production'; tabId: string } & ProductionSend)
  | { kind: 'host'; tabId: string; environment: string; host: string; home: string; target: string }
  | { kind: 'reference'; tabId: string; reference: string; how: SendWord }
  | { kind: 'unlock' };

/** What the Code tab shows. */
export type CodeLanguage = 'curl' | SnippetLanguage;

/** A request that is open in a tab. `text` is the whole file as edited. */
export interface OpenTab {
  /** Stays the same through a rename: undo history hangs on it. */
  id: string;
  collectionId: string;
  /** Of the file, in its collection. */
  path: string;
  title: string;
  state: 'loading' | 'ready' | 'failed';
  text: string;
  /** What the file held when it was read; equal to `text`: nothing to save. */
  savedText: string;
  /** False: a draft of an earlier version came back, and what it was typed over is not known. */
  isBaseKnown: boolean;
  version: string | null;
  /** The file has changed on disk since the draft was begun. */
  isStale: boolean;
  /** The file that was read is not there any more; `movedTo`: where one with the same bytes is. */
  gone: { movedTo: string | null; isGuess?: true } | null;
  /** -1: it is not in the file any more, and `lost` says which it was. */
  requestIndex: number;
  /** What the request on show was known by where no text of its file had it. */
  lost: BlockMark | null;
  subTab: SubTab;
  /** The body stands there as a form, and not as text. */
  isFormShown: boolean;
  /** Counts renewals of `{{$…}}` values: one after each send. */
  dynamicRound: number;
  /** What another client would read otherwise, found when the file was saved. */
  otherReadings: readonly HttpFileFault[];
  /** Reading or saving failed. */
  error: ClientError | null;
  /** What stands on disk where that is neither what was read nor what is here. */
  conflict: { text: string; version: string } | null;
  /** What was chosen for each stretch of a merge that is not settled yet, by the stretch. */
  mergeChoices?: ReadonlyMap<string, HunkChoice> | undefined;
  /** The call under way, and which request of the file it is: another one may be on show meanwhile, and asked for. */
  run: { sendId: string; requestIndex: number; isAskedAgain?: true } | null;
  /** Send was pressed while variables had no value; it needs a second word. */
  isSendDoubted: boolean;
  keyChoice: KeyChoice | null;
  exchange: Exchange | null;
  sendError: ClientError | null;
  journey: Journey | null;
}

/** The signature of the string to sign that is shown, from the back end. */
export interface SignaturePreview {
  /** What it was asked for: a preview for another string is not shown. */
  key: string;
  signed: Signed | null;
  error: ClientError | null;
}

/** An open collection with its files as they stand on disk. */
export interface ShownCollection extends OpenCollection {
  nodes: readonly TreeNode[];
  state: 'loading' | 'ready' | 'failed';
  error: ClientError | null;
  /** Why its `collection.json` cannot be read; null: it can, or there is none. */
  orderFault: string | null;
}

/** What was done to files of the tree, or could not be; the tree says it in a line. */
export interface TreeNotice {
  message: string;
  error: ClientError | null;
  /** Whether Ctrl+Z takes it back. */
  canUndo: boolean;
}

export interface RequestsState {
  collections: readonly ShownCollection[];
  /** The collection that was worked in last: where new requests go. Null: none is open. */
  collectionId: string | null;
  /** Not opened, because the last start did not get through them. */
  heldBack: readonly OpenCollection[];
  /** What was done to folders without being asked for, and what of it was dismissed. */
  folderNotes: readonly { collectionId: string; message: string }[];
  dismissedNotes: ReadonlySet<string>;
  /** Were open once, the latest first. */
  recent: readonly OpenCollection[];
  treeState: 'loading' | 'ready' | 'failed';
  treeError: ClientError | null;
  treeNotice: TreeNotice | null;
  /** The row that what was done last led to, by {@link formatItemId}: the keyboard goes on from there. */
  ledTo: { readonly id: string } | null;
  /** Folders that are shut, by {@link formatItemId}. New folders are open. */
  collapsed: ReadonlySet<string>;
  tabs: readonly OpenTab[];
  activeId: string | null;
  preview: SignaturePreview | null;
  /** The signed field hovered in the body or in the strip. */
  lit: SignedFieldName | null;
  isBytesShown: boolean;
  /** The vault's keys, public halves; empty while they cannot be listed. */
  keys: readonly KeySummary[];
  question: Question | null;
  /** Environments of production by what the user has let go to them (see `Allowance`), while this window is open. */
  allowedHosts: ReadonlyMap<string, string>;
  /** Hosts beside the environment's own that may have its token or signature; the same way. */
  trustedHosts: readonly { environment: string; host: string }[];
  codeLanguage: CodeLanguage;
}

/** State of the Requests view; the actions beside it change it. */
export const useRequestsStore = create<RequestsState>(() => ({
  collections: [],
  collectionId: null,
  heldBack: [],
  folderNotes: [],
  dismissedNotes: new Set(),
  recent: [],
  treeState: 'loading',
  treeError: null,
  treeNotice: null,
  ledTo: null,
  collapsed: new Set(),
  tabs: [],
  activeId: null,
  preview: null,
  lit: null,
  isBytesShown: false,
  keys: [],
  question: null,
  allowedHosts: new Map(),
  trustedHosts: [],
  codeLanguage: 'node',
}));

/** Names a file or folder among those of all open collections; an empty path is the collection itself. */
export function formatItemId(collectionId: string, path: string): string {
  return `@${collectionId}/${path}`;
}

/** Changes one open tab; nothing happens where it has been closed meanwhile. */
export function updateTab(id: string, change: Partial<OpenTab>): void {
  useRequestsStore.setState(({ tabs }) => ({
    tabs: tabs.map((tab) => (tab.id === id ? { ...tab, ...change } : tab)),
  }));
}

export function findTab(id: string): OpenTab | undefined {
  return useRequestsStore.getState().tabs.find((tab) => tab.id === id);
}
