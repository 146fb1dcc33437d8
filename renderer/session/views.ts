import { viewList, type ViewId } from '@shared/actions/view-list';
import {
  Activity,
  CircleQuestionMark,
  FlaskConical,
  History,
  Globe,
  Inbox,
  KeyRound,
  Package,
  ScanSearch,
  Server,
  Settings,
  Text,
  Wallet,
  type LucideIcon,
} from 'lucide-react';

const icons: Readonly<Record<ViewId, LucideIcon>> = {
  requests: Text,
  inbox: Inbox,
  payments: Activity,
  lookups: ScanSearch,
  balances: Wallet,
  lab: FlaskConical,
  sandbox: Package,
  backend: Server,
  keys: KeyRound,
  history: History,
  environments: Globe,
  settings: Settings,
  help: CircleQuestionMark,
};

export interface View {
  id: ViewId;
  label: string;
  /** Under its icon. */
  name: string;
  icon: LucideIcon;
}

/** Every view as the window shows it. A view itself is what `features/<id>/<id>-view.tsx` exports. */
export const views: readonly View[] = viewList.map((view) => ({
  id: view.id,
  label: view.label,
  name: 'name' in view ? view.name : view.label,
  icon: icons[view.id],
}));
