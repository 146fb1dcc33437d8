import { navigate, useRoute } from '../../session/routes';
import { later } from '../../ui/later';
import { Skeleton } from '../../ui/spinner';
import { Tabs } from '../../ui/tabs';
import { ShortcutList } from './shortcut-list';
import { Welcome } from './welcome';
import column from '../../ui/column.module.css';

// The texts are the largest part of it, and seldom asked for.
const seldom = { instead: () => <Skeleton lines={8} />, isSeldom: true };
const DocsPage = later(async () => (await import('./docs-page')).DocsPage, seldom);
const News = later(async () => (await import('./news')).News, seldom);

const parts = [
  { id: 'welcome', label: 'Welcome' },
  { id: 'shortcuts', label: 'Keyboard shortcuts' },
  { id: 'docs', label: 'Documentation' },
  { id: 'new', label: 'What is new' },
] as const;

/** Where to begin, which keys do what, the documentation, and what is new: `#/help/docs/<page>/<heading>`. */
export function HelpView() {
  const rest = useRoute((route) => (route.view === 'help' ? route.rest : ''));
  const [part = '', page = '', anchor = ''] = rest.split('/', 3);
  return (
    <div className={column.rest} data-pane="help" data-ring="own" tabIndex={-1}>
      <Tabs
        label="Help"
        items={parts}
        selected={parts.find(({ id }) => id === part)?.id ?? 'welcome'}
        onSelect={(id) => navigate('help', id)}
        render={(id) => {
          if (id === 'shortcuts') return <ShortcutList />;
          if (id === 'welcome') return <Welcome />;
          return id === 'docs' ? <DocsPage page={page} anchor={anchor} /> : <News />;
        }}
      />
    </div>
  );
}
