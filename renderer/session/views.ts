import {
  Activity,
  FlaskConical,
  Inbox,
  KeyRound,
  Package,
  ScanSearch,
  Settings,
  Text,
  Wallet,
} from 'lucide-react';

/**
 * Every view, in the order of the rail: the one list from which addresses, rail, keys and loading follow.
 *
 * The view itself is what `features/<id>/<id>-view.tsx` exports. `name` is its label where that is too long for the rail.
 */
export const views = [
  { id: 'requests', label: 'Requests', icon: Text, keys: 'mod+1' },
  { id: 'inbox', label: 'Inbox', icon: Inbox, keys: 'mod+2' },
  { id: 'payments', label: 'Payments', icon: Activity, keys: 'mod+3' },
  { id: 'lookups', label: 'Lookups', icon: ScanSearch, keys: 'mod+4' },
  { id: 'balances', label: 'Balances', icon: Wallet, keys: 'mod+5' },
  { id: 'lab', label: 'Signature lab', name: 'Lab', icon: FlaskConical, keys: 'mod+6' },
  { id: 'sandbox', label: 'Sandbox', icon: Package, keys: 'mod+7' },
  { id: 'keys', label: 'Keys and tokens', name: 'Keys', icon: KeyRound, keys: 'mod+8' },
  { id: 'settings', label: 'Settings', icon: Settings, keys: 'mod+,' },
] as const;

export type View = (typeof views)[number];
export type ViewId = View['id'];
