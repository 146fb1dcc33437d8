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
    id: 'newCollection',
    asks: true,
    title: 'New collection…',
    group: 'Collection',
    menu: 'file',
    begins: 'requests',
  },
  {
    id: 'openFolder',
    asks: true,
    title: 'Open a folder…',
    group: 'Collection',
    keys: ['mod+o'],
    menu: 'file',
    begins: 'requests',
  },
  {
    id: 'importRequests',
    asks: true,
    title: 'Import…',
    group: 'Collection',
    menu: 'file',
    hasLineAbove: true,
    begins: 'requests',
  },
  { id: 'export-collection', title: 'Export the collection…', group: 'Collection', menu: 'file' },
  {
    id: 'save',
    title: 'Save',
    group: 'Request',
    keys: ['mod+s'],
    menu: 'file',
    hasLineAbove: true,
    on: 'requests',
  },
  {
    id: 'close-tab',
    title: 'Close the request',
    group: 'Request',
    // A browser keeps the first for its own tabs.
    keys: ['mod+w', 'alt+w'],
    menu: 'file',
    on: 'requests',
  },
  {
    id: 'searchRequests',
    asks: true,
    title: 'Find text in requests…',
    group: 'Collection',
    keys: ['mod+shift+f'],
    menu: 'edit',
    hasLineAbove: true,
    begins: 'requests',
  },
  {
    id: 'deletedRequests',
    title: 'Deleted requests…',
    group: 'Collection',
    menu: 'edit',
    begins: 'requests',
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
    id: 'toggle-tree',
    title: 'Show or hide the collection',
    group: 'Window',
    keys: ['mod+b'],
    menu: 'view',
    hasLineAbove: true,
    on: 'requests',
  },
  {
    id: 'toggle-response',
    title: 'Show or hide the response',
    group: 'Window',
    keys: ['mod+j'],
    menu: 'view',
    on: 'requests',
  },
  { id: 'toggle-rail-names', title: 'Show or hide the names of the views', group: 'Window', menu: 'view' },
  { id: 'quick-open', asks: true, title: 'Open a request…', group: 'Request', keys: ['mod+p'], menu: 'go' },
  {
    id: 'send',
    title: 'Send',
    group: 'Request',
    keys: ['mod+Enter'],
    menu: 'request',
    on: 'requests',
  },
  {
    id: 'send-cancel',
    title: 'Cancel what is being sent',
    group: 'Request',
    menu: 'request',
    on: 'requests',
  },
  {
    id: 'copy-curl',
    title: 'Copy as cURL, with token and signature',
    group: 'Request',
    menu: 'request',
    on: 'requests',
  },
  {
    id: 'renew',
    title: 'Draw new values for {{$…}}',
    group: 'Request',
    menu: 'request',
    on: 'requests',
  },
  {
    id: 'save-example',
    asks: true,
    title: 'Save the answer as an example…',
    group: 'Request',
    menu: 'request',
    on: 'requests',
  },
  {
    id: 'request-history',
    title: 'History of this request',
    group: 'Request',
    menu: 'request',
    on: 'requests',
  },
  {
    id: 'rename-request',
    asks: true,
    title: 'Rename this request…',
    group: 'Request',
    menu: 'request',
    hasLineAbove: true,
    on: 'requests',
  },
  {
    id: 'duplicate-request',
    title: 'Duplicate this request',
    group: 'Request',
    menu: 'request',
    on: 'requests',
  },
  { id: 'export-request', title: 'Export this request…', group: 'Request', menu: 'request', on: 'requests' },
  { id: 'delete-request', title: 'Delete this request', group: 'Request', menu: 'request', on: 'requests' },
  {
    id: 'run-collection',
    title: 'Run the collection',
    group: 'Run',
    keys: ['mod+shift+Enter'],
    menu: 'request',
    hasLineAbove: true,
    on: 'requests',
  },
  {
    id: 'run-request',
    title: 'Run this request with its expectations',
    group: 'Run',
    menu: 'request',
    on: 'requests',
  },
  { id: 'run-failed', title: 'Rerun failed', group: 'Run', menu: 'request', on: 'requests' },
  { id: 'run-cancel', title: 'Cancel the run', group: 'Run', menu: 'request', on: 'requests' },
  { id: 'run-show', title: 'Show the last run', group: 'Run', menu: 'request', on: 'requests' },
  {
    id: 'next-tab',
    title: 'Next open request',
    group: 'Request',
    // A browser keeps the first for its own tabs.
    keys: ['ctrl+Tab', 'alt+PageDown'],
    menu: 'window',
    hasLineAbove: true,
    on: 'requests',
  },
  {
    id: 'previous-tab',
    title: 'Previous open request',
    group: 'Request',
    keys: ['ctrl+shift+Tab', 'alt+PageUp'],
    menu: 'window',
    on: 'requests',
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
