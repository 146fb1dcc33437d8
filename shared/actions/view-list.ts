/**
 * Every view, in the order of the rail: the one list from which addresses, rail, menus, keys, links and loading follow.
 *
 * `name` is its label where that is too long for the rail; `words`: what it holds, which the palette finds it by, too.
 */
export const viewList = [
  {
    id: 'requests',
    label: 'Requests',
    keys: 'mod+1',
    words: 'collection, send, expectations, variables',
  },
  {
    id: 'inbox',
    label: 'Inbox',
    keys: 'mod+2',
    words:
      'webhooks, callbacks, callback URL, listener port, answer rules, respond, replay, certificate, team, PostgreSQL',
  },
  { id: 'payments', label: 'Payments', keys: 'mod+3', words: 'journey, timeline, share' },
  { id: 'lookups', label: 'Lookups', keys: 'mod+4', words: 'status, query a payment, bulk, CSV' },
  { id: 'balances', label: 'Balances', keys: 'mod+5', words: 'wallets' },
  {
    id: 'lab',
    label: 'Signature lab',
    name: 'Lab',
    keys: 'mod+6',
    words: 'signature doctor, verify a signature, string to sign',
  },
  {
    id: 'sandbox',
    label: 'Sandbox',
    keys: 'mod+7',
    words:
      'local sandbox, start, stop, deliveries, redeliver, outcomes, test accounts, faults, latency, errors, rate limit, retries, go-live report',
  },
  {
    id: 'backend',
    label: 'Your backend',
    name: 'Backend',
    keys: 'mod+8',
    words: 'proxy, webhook receiver check, go-live report',
  },
  {
    id: 'keys',
    label: 'Keys and tokens',
    name: 'Keys',
    keys: 'mod+9',
    words: 'credentials, consumer key, bearer token, get a token, private key, export a key, passphrase',
  },
  { id: 'history', label: 'History', keys: 'mod+shift+h', words: 'sent requests, resend' },
  {
    id: 'environments',
    label: 'Environments',
    name: 'Envs',
    keys: 'mod+shift+e',
    words:
      'switch environment, change, delete, production, base URL, variables, secrets, client certificate, proxy',
  },
  {
    id: 'settings',
    label: 'Settings',
    keys: 'mod+,',
    words: 'zoom, data folder, backup, restore, logs, updates, version, about',
  },
  { id: 'help', label: 'Help', words: 'docs, guide, manual' },
] as const satisfies readonly { id: string; label: string; name?: string; keys?: string; words: string }[];

export type ViewId = (typeof viewList)[number]['id'];
