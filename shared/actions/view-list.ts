/**
 * Every view, in the order of the rail: the one list from which addresses, rail, menus, keys, links and loading follow.
 *
 * `name` is its label where that is too long for the rail.
 */
export const viewList = [
  {
    id: 'requests',
    label: 'Requests',
    keys: 'mod+1',
  },
  {
    id: 'inbox',
    label: 'Inbox',
    keys: 'mod+2',
  },
  { id: 'payments', label: 'Payments', keys: 'mod+3' },
  { id: 'lookups', label: 'Lookups', keys: 'mod+4' },
  { id: 'balances', label: 'Balances', keys: 'mod+5' },
  {
    id: 'lab',
    label: 'Signature lab',
    name: 'Lab',
    keys: 'mod+6',
  },
  {
    id: 'sandbox',
    label: 'Sandbox',
    keys: 'mod+7',
  },
  {
    id: 'backend',
    label: 'Your backend',
    name: 'Backend',
    keys: 'mod+8',
  },
  {
    id: 'keys',
    label: 'Keys and tokens',
    name: 'Keys',
    keys: 'mod+9',
  },
  { id: 'history', label: 'History', keys: 'mod+shift+h' },
  {
    id: 'environments',
    label: 'Environments',
    name: 'Envs',
    keys: 'mod+shift+e',
  },
  {
    id: 'settings',
    label: 'Settings',
    keys: 'mod+,',
  },
  { id: 'help', label: 'Help' },
] as const satisfies readonly { id: string; label: string; name?: string; keys?: string }[];

export type ViewId = (typeof viewList)[number]['id'];
