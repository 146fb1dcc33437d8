import { viewList, type ViewId } from './view-list';

/** The menus of the window, in their order; the system's own entries (copy, zoom, quit) stand in them, too. */
export type MenuName = 'file' | 'edit' | 'view' | 'go' | 'request' | 'window' | 'help';

interface Action {
  id: string;
  title: string;
  /** Group in the palette and in the list of shortcuts. */
  group: string;
  /** The usual keys (`mod`: Ctrl, or Cmd on a Mac); a second where a browser keeps the first for itself. */
  keys?: readonly string[];
  menu?: MenuName;
  hasLineAbove?: true;
  /** The view that does it, from wherever it is asked for. */
  begins?: ViewId;
  /** It asks for a text first, in a field of a dialog. */
  asks?: true;
  /** The view on which alone it can be done. */
  on?: ViewId;
}

/** What entries have in common. */
const ofRequest = { group: 'Request', menu: 'request', on: 'requests' } as const;
const ofRun = { group: 'Run', menu: 'request', on: 'requests' } as const;
const ofTab = { group: 'Request', on: 'requests' } as const;
const ofCollection = { group: 'Collection', begins: 'requests' } as const;
const ofLayout = { group: 'Window', on: 'requests' } as const;

const table = [
  {
    id: 'newRequest',
    asks: true,
    title: 'New request…',
    group: 'Request',
    // A browser keeps the first for a window of its own.
    keys: ['mod+n', 'alt+n'],
    menu: 'file',
    begins: 'requests',
  },
  {
    ...ofCollection,
    id: 'newCollection',
    asks: true,
    title: 'New collection…',
    menu: 'file',
  },
  {
    ...ofCollection,
    id: 'openFolder',
    asks: true,
    title: 'Open a folder…',
    keys: ['mod+o'],
    menu: 'file',
  },
  {
    ...ofCollection,
    id: 'importRequests',
    asks: true,
    title: 'Import…',
    menu: 'file',
    hasLineAbove: true,
  },
  { id: 'export-collection', title: 'Export the collection…', group: 'Collection', menu: 'file' },
  {
    ...ofTab,
    id: 'save',
    title: 'Save',
    keys: ['mod+s'],
    menu: 'file',
    hasLineAbove: true,
  },
  {
    ...ofTab,
    id: 'close-tab',
    title: 'Close the request',
    keys: ['mod+w'],
    menu: 'file',
  },
  {
    ...ofCollection,
    id: 'searchRequests',
    asks: true,
    title: 'Find text in requests…',
    keys: ['mod+shift+f'],
    menu: 'edit',
    hasLineAbove: true,
  },
  {
    ...ofCollection,
    id: 'deletedRequests',
    title: 'Deleted requests…',
    menu: 'edit',
  },
  {
    id: 'palette',
    asks: true,
    title: 'Show all commands',
    group: 'Window',
    keys: ['mod+k', 'F1'],
    menu: 'view',
  },
  {
    ...ofLayout,
    id: 'toggle-tree',
    title: 'Show or hide the collection',
    keys: ['mod+b'],
    menu: 'view',
    hasLineAbove: true,
  },
  {
    ...ofLayout,
    id: 'toggle-response',
    title: 'Show or hide the response',
    keys: ['mod+j'],
    menu: 'view',
  },
  { id: 'toggle-rail-names', title: 'Show or hide the names of the views', group: 'Window', menu: 'view' },
  { id: 'quick-open', asks: true, title: 'Open a request…', group: 'Request', keys: ['mod+p'], menu: 'go' },
  {
    ...ofRequest,
    id: 'send',
    title: 'Send',
    keys: ['mod+Enter'],
  },
  {
    ...ofRequest,
    id: 'send-cancel',
    title: 'Cancel what is being sent',
  },
  {
    ...ofRequest,
    id: 'copy-curl',
    title: 'Copy as cURL, with token and signature',
  },
  {
    ...ofRequest,
    id: 'renew',
    title: 'Draw new values for {{$…}}',
  },
  {
    ...ofRequest,
    id: 'save-example',
    asks: true,
    title: 'Save the answer as an example…',
  },
  {
    ...ofRequest,
    id: 'request-history',
    title: 'History of this request',
  },
  {
    ...ofRequest,
    id: 'rename-request',
    asks: true,
    title: 'Rename this request…',
    hasLineAbove: true,
  },
  {
    ...ofRequest,
    id: 'duplicate-request',
    title: 'Duplicate this request',
  },
  { ...ofRequest, id: 'export-request', title: 'Export this request…' },
  { ...ofRequest, id: 'delete-request', title: 'Delete this request' },
  {
    ...ofRun,
    id: 'run-collection',
    title: 'Run the collection',
    keys: ['mod+shift+Enter'],
    hasLineAbove: true,
  },
  {
    ...ofRun,
    id: 'run-request',
    title: 'Run this request with its expectations',
  },
  { ...ofRun, id: 'run-failed', title: 'Rerun failed' },
  { ...ofRun, id: 'run-cancel', title: 'Cancel the run' },
  { ...ofRun, id: 'run-show', title: 'Show the last run' },
  {
    ...ofTab,
    id: 'next-tab',
    title: 'Next open request',
    // A browser keeps the first for its own tabs.
    keys: ['ctrl+Tab', 'alt+PageDown'],
    menu: 'window',
    hasLineAbove: true,
  },
  {
    ...ofTab,
    id: 'previous-tab',
    title: 'Previous open request',
    keys: ['ctrl+shift+Tab', 'alt+PageUp'],
    menu: 'window',
  },
  {
    id: 'sendTestWebhook',
    title: 'Send a test webhook…',
    group: 'Inbox',
    begins: 'inbox',
  },
  { id: 'forwardWebhooks', asks: true, title: 'Forward webhooks…', group: 'Inbox', begins: 'inbox' },
  {
    id: 'openTunnel',
    asks: true,
    title: 'Open a tunnel…',
    group: 'Inbox',
    begins: 'inbox',
  },
  {
    id: 'generateKey',
    asks: true,
    title: 'Generate a key…',
    group: 'Key',
    begins: 'keys',
  },
  { id: 'importKey', asks: true, title: 'Import a key…', group: 'Key', begins: 'keys' },
  {
    id: 'inspectKey',
    title: 'Inspect any key',
    group: 'Key',
    begins: 'keys',
  },
  {
    id: 'showVault',
    title: 'Vault: lock, unlock, passphrase',
    group: 'Key',
    begins: 'keys',
  },
  {
    id: 'addEnvironment',
    title: 'Add an environment…',
    group: 'Environment',
    begins: 'environments',
  },
  { id: 'moveClock', asks: true, title: 'Move the test clock forward…', group: 'Sandbox', begins: 'sandbox' },
  { id: 'pointBackend', title: 'Point your backend at the sandbox', group: 'Sandbox', begins: 'sandbox' },
  {
    id: 'webhookSecret',
    title: 'Webhook secret and signing',
    group: 'Sandbox',
    begins: 'sandbox',
  },
  { id: 'resetSandbox', title: 'Reset sandbox…', group: 'Sandbox', begins: 'sandbox' },
  { id: 'setUpProxy', asks: true, title: 'Set up the proxy…', group: 'Backend', begins: 'backend' },
  { id: 'readBalances', title: 'Read the balances now', group: 'Balances', begins: 'balances' },
  { id: 'explainExample', title: 'Explain an example signature', group: 'Lab', begins: 'lab' },
  {
    id: 'history-resend',
    title: 'Send it again as it was',
    group: 'History',
    keys: ['mod+Enter'],
    on: 'history',
  },
  { id: 'history-draft', title: 'Open it as a draft', group: 'History', on: 'history' },
  { id: 'history-pin', title: 'Pin it', group: 'History', on: 'history' },
  {
    id: 'keepHistory',
    asks: true,
    title: 'What the history keeps…',
    group: 'History',
    begins: 'history',
  },
  { id: 'sendFirst', title: 'Send a first payout to the sandbox', group: 'Help', begins: 'requests' },
  { id: 'help-welcome', title: 'Welcome', group: 'Help', menu: 'help' },
  { id: 'help-shortcuts', title: 'Keyboard shortcuts', group: 'Help', keys: ['mod+/'], menu: 'help' },
  { id: 'help-docs', title: 'Documentation', group: 'Help', menu: 'help' },
  { id: 'help-new', title: 'What is new', group: 'Help', menu: 'help' },
] as const satisfies readonly Action[];

type TableAction = (typeof table)[number];
type ViewAction = `go-${ViewId}`;
export type ActionId = TableAction['id'] | ViewAction;
export type ActionEntry = Action & { id: ActionId };

/** What can be asked of a view from anywhere. */
export type ViewTask = Extract<TableAction, { begins: ViewId }>['id'];

/**
 * Everything that can be done by name, that the product itself names: the one table from which palette, native menus,
 * shortcuts and help follow. What comes of data (environments, requests, payments) is added to the palette alone.
 */
export const actionList: readonly ActionEntry[] = [
  ...table,
  ...viewList.map((view, index): ActionEntry => ({
    id: `go-${view.id}`,
    title: view.label,
    group: 'Go to',
    menu: 'go',
    ...('keys' in view && { keys: [view.keys] }),
    ...(index === 0 && { hasLineAbove: true }),
  })),
];

const byId = new Map<string, ActionEntry>(actionList.map((one) => [one.id, one]));

/** Gives what the table says of an action; undefined: it comes of data. */
export const findAction = (id: string): ActionEntry | undefined => byId.get(id);

/** Gives the title and group of an action. */
export function nameAction(id: ActionId): Pick<ActionEntry, 'id' | 'title' | 'group'> {
  const { title, group } = byId.get(id)!;
  return { id, title, group };
}
