import { useMemo } from 'react';
import { commandOf, useCommands, type AppCommand } from '../../session/commands';
import { togglePane } from '../../ui/split-pane-registry';
import { saveTab } from './tree/collection-actions';
import { askForExample } from './examples/example-task';
import { findNode, selectActiveTab } from './requests-selectors';
import { findTab, useRequestsStore } from './requests-store';
import { cancelRun, rerunFailed, showRun } from './run/run-actions';
import { useRunStore } from './run/run-store';
import { runActiveCollection, runActiveRequest } from './run/run-wishes';
import { cancelSending, renewDynamicValues, sendRequest } from './sending/sending-actions';
import { showTabHistory } from './history-ways';
import { listFileActions } from './tree/row-menu';

/** What the menu of a row of the tree does, too. */
const fileActions = [
  ['rename-request', 'rename'],
  ['duplicate-request', 'duplicate'],
  ['export-request', 'export'],
  ['delete-request', 'delete'],
] as const;

/** Where it cannot be loaded, the back end is gone, and the page says that. */
const copyAsCurl = (tabId: string): void =>
  void import('./sending/copy-as-curl').then((part) => part.copyAsCurl(tabId)).catch(() => undefined);

function doWithFile(tabId: string, row: string): void {
  const tab = findTab(tabId);
  if (tab === undefined) return;
  listFileActions(tab.collectionId, tab.path)
    .find(({ id }) => id === row)
    ?.onAction();
}

/** Offers what can be done with the request on top; behind a run nobody sees what would be sent or changed. */
export function useRequestCommands(): void {
  const isBehindRun = useRunStore((state) => state.isShown);
  const activeId = useRequestsStore((state) => (isBehindRun ? null : state.activeId));
  const isRunning = useRequestsStore((state) => Boolean(selectActiveTab(state)?.run));
  const hasAnswer = useRequestsStore((state) => Boolean(selectActiveTab(state)?.exchange?.response));
  // A draft that was never saved has none, and one that is gone from the tree.
  const hasFile = useRequestsStore((state) => {
    const tab = selectActiveTab(state);
    return tab !== null && findNode(state, tab.collectionId, tab.path) !== undefined;
  });
  const commands = useMemo((): AppCommand[] => {
    const hasTab = activeId !== null;
    const id = activeId ?? '';
    return [
      commandOf('send', { isDisabled: !hasTab, run: () => void sendRequest(id) }),
      commandOf('send-cancel', { isDisabled: !hasTab || !isRunning, run: () => void cancelSending(id) }),
      commandOf('save', { isDisabled: !hasTab, run: () => void saveTab(id) }),
      commandOf('renew', { isDisabled: !hasTab, run: () => renewDynamicValues(id) }),
      commandOf('request-history', { isDisabled: !hasTab, run: () => showTabHistory(id) }),
      commandOf('copy-curl', { isDisabled: !hasTab, run: () => copyAsCurl(id) }),
      commandOf('save-example', { isDisabled: !hasTab || !hasAnswer, run: () => askForExample(id) }),
      ...fileActions.map(([action, row]) =>
        commandOf(action, { isDisabled: !hasTab || !hasFile, run: () => doWithFile(id, row) }),
      ),
      commandOf('toggle-tree', { run: () => togglePane('requests-tree') }),
      commandOf('toggle-response', { run: () => togglePane('requests-response') }),
    ];
  }, [activeId, isRunning, hasAnswer, hasFile]);
  useCommands('requests', commands);
}

/** Offers runs, and what can be done with the last one. */
export function useRunCommands(): void {
  const activeId = useRequestsStore((state) => state.activeId);
  const hasCollection = useRequestsStore((state) => state.collectionId !== null);
  const state = useRunStore(({ run }) => run?.state ?? null);
  const hasFailed = useRunStore(({ marks }) => [...marks.values()].some((one) => one !== 'passed'));
  const isShown = useRunStore((store) => store.isShown);
  const commands = useMemo(
    (): AppCommand[] => [
      commandOf('run-collection', { isDisabled: !hasCollection, run: () => void runActiveCollection() }),
      commandOf('run-request', { isDisabled: activeId === null, run: () => void runActiveRequest() }),
      commandOf('run-failed', { isDisabled: state !== 'over' || !hasFailed, run: () => void rerunFailed() }),
      commandOf('run-cancel', { isDisabled: state !== 'running', run: () => void cancelRun() }),
      commandOf('run-show', {
        title: isShown ? 'Back to the request' : 'Show the last run',
        isDisabled: state === null && !isShown,
        run: () => showRun(!isShown),
      }),
    ],
    [activeId, hasCollection, state, hasFailed, isShown],
  );
  useCommands('requests-run', commands);
}
