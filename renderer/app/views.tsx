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
  type LucideIcon,
} from 'lucide-react';
import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { viewIds, type ViewId } from '../session/routes';

export interface View {
  id: ViewId;
  label: string;
  icon: LucideIcon;
  component: LazyExoticComponent<ComponentType>;
}

/** Each view is loaded when first shown. */
const components: Record<ViewId, LazyExoticComponent<ComponentType>> = {
  requests: lazy(async () => ({
    default: (await import('../features/requests/requests-view')).RequestsView,
  })),
  inbox: lazy(async () => ({ default: (await import('../features/inbox/inbox-view')).InboxView })),
  payments: lazy(async () => ({
    default: (await import('../features/payments/payments-view')).PaymentsView,
  })),
  lookups: lazy(async () => ({ default: (await import('../features/lookups/lookups-view')).LookupsView })),
  balances: lazy(async () => ({
    default: (await import('../features/balances/balances-view')).BalancesView,
  })),
  lab: lazy(async () => ({ default: (await import('../features/lab/lab-view')).LabView })),
  sandbox: lazy(async () => ({ default: (await import('../features/sandbox/sandbox-view')).SandboxView })),
  keys: lazy(async () => ({ default: (await import('../features/keys/keys-view')).KeysView })),
  settings: lazy(async () => ({
    default: (await import('../features/settings/settings-view')).SettingsView,
  })),
};

const looks: Record<ViewId, [label: string, icon: LucideIcon]> = {
  requests: ['Requests', Text],
  inbox: ['Inbox', Inbox],
  payments: ['Payments', Activity],
  lookups: ['Lookups', ScanSearch],
  balances: ['Balances', Wallet],
  lab: ['Signature lab', FlaskConical],
  sandbox: ['Sandbox', Package],
  keys: ['Keys and tokens', KeyRound],
  settings: ['Settings', Settings],
};

/** Every view, in the order of the rail. */
export const views: readonly View[] = viewIds.map((id) => ({
  id,
  label: looks[id][0],
  icon: looks[id][1],
  component: components[id],
}));
