import { lazy, Suspense } from 'react';
import { navigate, useRoute } from '../../session/routes';
import { Skeleton } from '../../ui/spinner';
import { Tabs } from '../../ui/tabs';
import styles from './help.module.css';
import { ShortcutList } from './shortcut-list';
import { Welcome } from './welcome';

// The texts are the largest part of it, and seldom asked for.
const DocsPage = lazy(async () => ({ default: (await import('./docs-page')).DocsPage }));
const News = lazy(async () => ({ default: (await import('./news')).News }));

const parts = [
  { id: 'welcome', label: 'Welcome' },
  { id: 'shortcuts', label: 'Keyboard shortcuts' },
  { id: 'docs', label: 'Documentation' },
  { id: 'new', label: 'What is new' },
] as const;

/** Where to begin, which keys do what, the documentation, and what is new: `#/help/docs/<page>`. */
export function HelpView() {
  const rest = useRoute((route) => (route.view === 'help' ? route.rest : ''));
  const [part = '', page = ''] = rest.split('/', 2);
  return (
    <div className={styles.view} data-pane="help" tabIndex={-1}>
      <Tabs
        label="Help"
        items={parts}
        selected={parts.find(({ id }) => id === part)?.id ?? 'welcome'}
        onSelect={(id) => navigate('help', id)}
        render={(id) => {
          if (id === 'shortcuts') return <ShortcutList />;
          if (id === 'welcome') return <Welcome />;
          return (
            <Suspense fallback={<Skeleton lines={8} />}>
              {id === 'docs' ? <DocsPage page={page} /> : <News />}
            </Suspense>
          );
        }}
      />
    </div>
  );
}
