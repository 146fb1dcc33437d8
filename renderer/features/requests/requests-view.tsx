import { useEffect } from 'react';
import { useAsked } from '../../session/routes';
import { useDraftHandover } from '../../session/draft-handover';
import { fetchLaterThan, later } from '../../ui/later';
import { SplitPane } from '../../ui/split-pane';
import { openRequest } from './tree/collection-actions';
import { CollectionPane } from './tree/collection-pane';
import { EditorPane } from './editor/editor-pane';
import { useRunStore } from './run/run-store';
import { ResponsePane } from './response/response-pane';
import { useRequestCommands, useRunCommands } from './requests-commands';
import { useRequestsStore } from './requests-store';
import { startRequests } from './start-requests';
import { takeHandedDraft } from './history-ways';

const QuestionDialog = later(async () => (await import('./sending/question-dialog')).QuestionDialog, {
  useIsAsked: () => useRequestsStore(({ question }) => question !== null),
});
const RunDialog = later(async () => (await import('./run/run-dialog')).RunDialog, {
  useIsAsked: () => useRunStore(({ question }) => question !== null),
});
const RunList = later(async () => (await import('./run/run-list')).RunList);
const RunDetail = later(async () => (await import('./run/run-detail')).RunDetail);

/** Opens `<path>`, or `@<collection>/<path>`: of one that is open beside the collection on show. */
function openAsked(wanted: string): void {
  const [, collectionId, path = wanted] = /^@([^/]+)\/(.+)$/s.exec(wanted) ?? [];
  void startRequests().then(() => openRequest(path, { collectionId }));
}

/** Collection │ editor with the string to sign │ answer with its journey. */
export function RequestsView() {
  useEffect(() => {
    fetchLaterThan(startRequests());
  }, []);
  useAsked('requests', openAsked);
  const draft = useDraftHandover((state) => state.draft);
  useEffect(() => {
    if (draft) void startRequests().then(takeHandedDraft);
  }, [draft]);
  useRequestCommands();
  useRunCommands();
  const isRunShown = useRunStore((state) => state.isShown);
  return (
    <>
      <QuestionDialog />
      <RunDialog />
      <SplitPane
        id="requests"
        panes={[
          {
            id: 'requests-tree',
            label: 'Collection',
            content: <CollectionPane />,
            defaultSize: 224,
            minSize: 140,
            isCollapsible: true,
            isFixed: true,
          },
          {
            id: 'requests-editor',
            label: isRunShown ? 'Run' : 'Request',
            content: isRunShown ? <RunList /> : <EditorPane />,
            defaultSize: '50%',
            minSize: 300,
          },
          {
            id: 'requests-response',
            label: isRunShown ? 'Result' : 'Response',
            content: isRunShown ? <RunDetail /> : <ResponsePane />,
            defaultSize: '32%',
            minSize: 240,
            isCollapsible: true,
          },
        ]}
      />
    </>
  );
}
