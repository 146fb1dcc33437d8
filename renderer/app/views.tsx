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
import { viewIds, type ViewId } from '../transport/routes';

export interface View {
  id: ViewId;
  label: string;
  icon: LucideIcon;
  component: LazyExoticComponent<ComponentType>;
}

const modules = import.meta.glob<Record<string, ComponentType>>('../features/*/*-view.tsx');

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

/** A view is `features/<id>/<id>-view.tsx`, which exports `<Id>View`; each is loaded when first shown. */
function loadView(id: ViewId): LazyExoticComponent<ComponentType> {
  return lazy(async () => {
    const load = modules[`../features/${id}/${id}-view.tsx`];
    const component = (await load?.())?.[`${id[0]?.toUpperCase()}${id.slice(1)}View`];
    if (!component) throw new Error(`The view “${looks[id][0]}” is missing from this build.`);
    return { default: component };
  });
}

/** Every view, in the order of the rail. */
export const views: readonly View[] = viewIds.map((id) => ({
  id,
  label: looks[id][0],
  icon: looks[id][1],
  component: loadView(id),
}));
