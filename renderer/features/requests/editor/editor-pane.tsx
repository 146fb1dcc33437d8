import type { HttpFileFault } from '@shared/http-file/http-file';
import { isExamplePath } from '@shared/http-file/example-file';
import { useCallback, useMemo, useState, type KeyboardEvent } from 'react';
import { useAppStatus } from '../../../session/app-status';
import type { CodeEditorHandle } from '../../../ui/code-editor/editor-props';
import { isKeyPress } from '../../../ui/keys';
import { EmptyState } from '../../../ui/empty-state';
import { ErrorLine } from '../../../ui/error-line';
import { later } from '../../../ui/later';
import { Skeleton } from '../../../ui/spinner';
import { Button, TextButton } from '../../../ui/button';
import { readTab, showConflict } from '../tree/collection-actions';
import { goOnAt, saveAgain } from '../tree/gone-file';
import styles from './editor-pane.module.css';
import { NoRequest } from './no-request';
import { RequestChoice, RequestLine } from './request-line';
import { RequestParts } from './request-parts';
import { RequestTabs } from '../tabs/request-tabs';
import { readInsight, selectActiveTab } from '../requests-selectors';
import { updateTab, useRequestsStore, type OpenTab } from '../requests-store';
import { SigningStrip } from '../signing/signing-strip';
import { redoEdit, undoEdit } from '../undo/undo-edits';
import { useBodyLink } from './body-link';
import { listAnswerProblems } from './answer-problems';
import { useBodyProblems } from './use-body-problems';

const ConflictDialog = later(async () => (await import('../conflict/conflict-dialog')).ConflictDialog, {
  useIsAsked: ({ tab }) => tab.conflict !== null,
});
const ExampleView = later(async () => (await import('../examples/example-view')).ExampleView);

/** Tabs of open requests, and the one on top. */
export function EditorPane() {
  const tab = useRequestsStore(selectActiveTab);
  const treeState = useRequestsStore((state) => state.treeState);
  return (
    <div className={styles.pane}>
      <RequestTabs />
      {tab ? (
        <OpenRequest key={tab.id} tab={tab} />
      ) : treeState === 'loading' ? (
        <Skeleton lines={8} />
      ) : (
        <NoRequest />
      )}
    </div>
  );
}

function OpenRequest({ tab }: { tab: OpenTab }) {
  if (tab.state === 'loading') return <Skeleton lines={8} />;
  if (tab.state === 'failed') {
    return (
      <EmptyState
        title="This file could not be read"
        action={<Button onPress={() => void readTab(tab.id)}>Try again</Button>}
      >
        {tab.error ? (
          <ErrorLine error={tab.gone?.movedTo ? { message: describeGone(tab) } : tab.error}>
            <MovedLink tab={tab} />
          </ErrorLine>
        ) : null}
      </EmptyState>
    );
  }
  return isExamplePath(tab.path) ? <ExampleView tab={tab} /> : <ReadyRequest tab={tab} />;
}

function ReadyRequest({ tab }: { tab: OpenTab }) {
  const environment = useAppStatus((state) => state.status?.environment ?? null);
  const insight = readInsight(tab, environment);
  const problems = useBodyProblems(insight);
  const { exchange } = tab;
  const marked = useMemo(
    () => [...problems, ...listAnswerProblems({ exchange }, insight)],
    [problems, exchange, insight],
  );
  const [editor, setEditor] = useState<CodeEditorHandle | null>(null);
  const jump = useCallback(
    (start: number, end: number) => {
      // The editor stands only while its sub-tab does; then the jump waits for it.
      useBodyLink.setState({ pending: { tabId: tab.id, start, end } });
      updateTab(tab.id, { subTab: 'body', isFormShown: false });
    },
    [tab.id],
  );
  const hasFault = insight.block === null;
  return (
    // One undo for all parts: it takes the keys before an editor or a field undoes what is its own.
    <div
      className={styles.request}
      data-edit="request"
      tabIndex={-1}
      onKeyDownCapture={(event) => takeUndoKey(event, tab.id)}
    >
      {hasFault ? null : <RequestLine tab={tab} insight={insight} />}
      {tab.error ? <ErrorLine error={tab.error} className={styles.notice} /> : null}
      {tab.gone ? (
        <ErrorLine
          tone="warn"
          error={{ message: `${describeGone(tab)} What you typed is kept here.` }}
          className={styles.notice}
        >
          <MovedLink tab={tab} />
          <TextButton onPress={() => void saveAgain(tab.id)}>Save it again</TextButton>
        </ErrorLine>
      ) : null}
      {tab.requestIndex === -1 ? (
        <ErrorLine tone="warn" error={{ message: describeLost(tab) }} className={styles.notice}>
          {insight.file.requests.length > 0 ? <RequestChoice tab={tab} insight={insight} /> : null}
        </ErrorLine>
      ) : null}
      {tab.isStale && tab.gone === null ? (
        <ErrorLine tone="warn" error={stale} className={styles.notice}>
          <TextButton onPress={() => void showConflict(tab)}>Show the differences</TextButton>
        </ErrorLine>
      ) : null}
      {insight.file.faults.length > 0 && tab.subTab !== 'file' ? (
        <FileFault tabId={tab.id} faults={insight.file.faults} />
      ) : null}
      <div className={styles.parts}>
        <RequestParts tab={tab} insight={insight} problems={marked} editor={editor} onEditor={setEditor} />
      </div>
      {hasFault ? null : (
        <SigningStrip
          tab={tab}
          insight={insight}
          environment={environment}
          problems={problems}
          onJump={jump}
        />
      )}
      <ConflictDialog tab={tab} />
    </div>
  );
}

function takeUndoKey(event: KeyboardEvent, id: string): void {
  const isRedo = isKeyPress(event, 'mod+shift+z') || isKeyPress(event, 'mod+y');
  if (!isRedo && !isKeyPress(event, 'mod+z')) return;
  // What is asked in a dialog, and what the editor searches for, are texts of their own.
  if ((event.target as HTMLElement).closest('[role="dialog"], .find-widget') !== null) return;
  event.preventDefault();
  event.stopPropagation();
  if (isRedo) redoEdit(id);
  else undoEdit(id);
}

/** Leads on to where the file of a tab is now, if that is known. */
function MovedLink({ tab: { id, gone } }: { tab: OpenTab }) {
  if (gone === null || gone.movedTo === null) return null;
  const { movedTo } = gone;
  return <TextButton onPress={() => void goOnAt(id, movedTo)}>Go on there</TextButton>;
}

function describeGone({ path, gone }: OpenTab): string {
  return gone === null || gone.movedTo === null
    ? `“${path}” is not there any more: it was moved, renamed or deleted.`
    : gone.isGuess
      ? `“${path}” is not there any more. Most like it is “${gone.movedTo}”, which came in its place.`
      : `“${path}” is now “${gone.movedTo}”.`;
}

const describeLost = ({ lost }: OpenTab): string =>
  lost?.isNamed
    ? `“${lost.identity}” is not in this file any more: it was renamed or deleted.`
    : 'The request that stood here is not in this file any more: it was changed or deleted.';

const stale = { message: 'This file has changed on disk since you began to type. Yours is kept.' };

/** A file that stands in red in the tree says why where it is open, too. */
function FileFault({ tabId, faults }: { tabId: string; faults: readonly HttpFileFault[] }) {
  const [{ line, message }] = faults as [HttpFileFault];
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  return (
    <ErrorLine error={{ message: `Line ${line}: ${message}${more}` }} className={styles.notice}>
      <TextButton onPress={() => updateTab(tabId, { subTab: 'file' })}>Show the file</TextButton>
    </ErrorLine>
  );
}
