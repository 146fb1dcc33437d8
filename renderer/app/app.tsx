import type { ErrorCode } from '@shared/error-codes';
import { useEffect, useMemo } from 'react';
import { ExportTask } from '../features/export/export-task';
import { refreshAppStatus, useAppStatus } from '../session/app-status';
import { useAskedLink } from '../session/asked-link';
import { useAskedImport } from '../session/asked-import';
import { useRoute } from '../session/routes';
import { useSettings } from '../session/settings-store';
import { views } from '../session/views';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { EmptyState } from '../ui/empty-state';
import { ErrorBoundary } from '../ui/error-boundary';
import { later } from '../ui/later';
import { Skeleton } from '../ui/spinner';
import tone from '../ui/tone.module.css';
import styles from './app.module.css';
import { CommandPalette } from './command-palette';
import { viewComponents } from './load-views';
import { keepFocus } from './keep-focus';
import { Rail } from './rail';
import { StatusBar } from './status-bar';

/** The window: rail, one view, status bar. */
export function App() {
  const kind = useAppStatus((state) => state.status?.environment.kind);
  return (
    <div className={styles.app} data-environment={kind}>
      <div className={styles.middle}>
        <Rail />
        <CurrentView />
      </div>
      <StatusBar />
      <ErrorBoundary name="A dialog" instead={<NotOpened />}>
        <CommandPalette />
        <ExportTask />
        <AskedImport />
        <AskedLink />
      </ErrorBoundary>
    </div>
  );
}

/** A dialog is loaded when it is asked for: the app may have been replaced since the window was opened. */
function NotOpened() {
  const reload = (): void => location.reload();
  return (
    <Dialog title="This could not be opened" onClose={reload}>
      <p>
        The app was replaced since this window was opened, or stopped. What you typed into requests is kept.
      </p>
      <Button autoFocus onPress={reload}>
        Reload the window
      </Button>
    </Dialog>
  );
}

const ImportDialog = later(async () => (await import('../features/import/import-dialog')).ImportDialog, {
  isSeldom: true,
});
const LinkQuestion = later(async () => (await import('./link-question')).LinkQuestion, { isSeldom: true });

function AskedLink() {
  const isAsked = useAskedLink((state) => state.asked !== null);
  return isAsked ? <LinkQuestion /> : null;
}

/** The question about an import, loaded when it is first asked. */
function AskedImport() {
  const isAsked = useAskedImport((state) => state.asked !== null);
  return isAsked ? <ImportDialog /> : null;
}

const errorTitles: Partial<Record<ErrorCode, string>> = {
  'web.no_session': 'Countersign does not know this window',
  'app.unreachable': 'The back end does not answer',
};

function CurrentView() {
  const viewId = useRoute((route) => route.view);
  const isLoaded = useSettings((state) => state.isLoaded);
  const isCounting = useSettings((state) => state.settings.notifications);
  const unread = useAppStatus((state) => (isCounting ? (state.status?.unreadCount ?? 0) : 0));
  const view = useMemo(() => views.find((one) => one.id === viewId), [viewId]);
  // Pane sizes are read once, when a pane is first drawn: the settings come before the first view.
  const isReady = useAppStatus((state) => state.status !== null) && isLoaded;
  const error = useAppStatus((state) => state.error);
  const live = useAppStatus(({ status }) =>
    status?.environment.kind === 'production' ? `Production: ${status.environment.label} · ` : '',
  );
  useEffect(() => {
    const name = view ? `${view.label} · Countersign` : 'Countersign';
    document.title = live + (unread === 0 ? name : `(${unread}) ${name}`);
  }, [live, view, unread]);
  useEffect(keepFocus, []);
  const ViewComponent = viewComponents[viewId];
  if (!view) return null;
  return (
    <main className={styles.main}>
      <h1 className={tone.unseen}>{view.label}</h1>
      {isReady ? (
        <ErrorBoundary key={view.id} name={view.label}>
          <ViewComponent />
        </ErrorBoundary>
      ) : error ? (
        <EmptyState
          title={errorTitles[error.code] ?? 'The back end answers with a fault'}
          action={<Button onPress={() => void refreshAppStatus()}>Try again</Button>}
        >
          {error.message}
        </EmptyState>
      ) : (
        <Skeleton lines={6} />
      )}
    </main>
  );
}
