import { X } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../../ui/button';
import { cx } from '../../../ui/cx';
import { ConfirmDialog } from '../../../ui/dialog';
import { Verb } from '../../../ui/tag';
import { closeTab } from '../tree/collection-actions';
import { isDirty } from '../requests-selectors';
import { useRequestsStore, type OpenTab } from '../requests-store';
import styles from './request-tabs.module.css';

/** The requests that are open; a dot where something is not saved. */
export function RequestTabs() {
  const tabs = useRequestsStore((state) => state.tabs);
  const activeId = useRequestsStore((state) => state.activeId);
  const [closing, setClosing] = useState<OpenTab | null>(null);
  return (
    <nav className={styles.tabs} aria-label="Open requests">
      {tabs.map((tab) => (
        <div key={tab.id} className={cx(styles.tab, tab.id === activeId && styles.active)}>
          <button
            type="button"
            className={styles.open}
            aria-current={tab.id === activeId ? 'true' : undefined}
            title={tab.path}
            onClick={() => useRequestsStore.setState({ activeId: tab.id })}
            onAuxClick={(event) => {
              if (event.button === 1) requestClose(tab, setClosing);
            }}
          >
            <TabVerb path={tab.path} />
            <span className={styles.title}>{tab.title}</span>
            {isDirty(tab) ? <span className={styles.dot} role="img" aria-label="not saved" /> : null}
          </button>
          <IconButton label={`Close ${tab.title}`} onPress={() => requestClose(tab, setClosing)}>
            <X size={12} />
          </IconButton>
        </div>
      ))}
      <ConfirmDialog
        title={`Close “${closing?.title ?? ''}” without saving?`}
        isOpen={closing !== null}
        onClose={() => setClosing(null)}
        onConfirm={() => {
          if (closing) closeTab(closing.id);
        }}
        confirmLabel="Close without saving"
      >
        What you typed since the last save goes. Save it first with Ctrl+S to keep it.
      </ConfirmDialog>
    </nav>
  );
}

function requestClose(tab: OpenTab, ask: (tab: OpenTab) => void): void {
  if (isDirty(tab)) ask(tab);
  else closeTab(tab.id);
}

function TabVerb({ path }: { path: string }) {
  const method = useRequestsStore((state) => state.nodes.find((node) => node.path === path)?.method);
  return method ? <Verb method={method} /> : null;
}
