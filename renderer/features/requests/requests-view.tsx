import { useEffect, useMemo } from 'react';
import { useRoute } from '../../session/routes';
import { useCommands, type AppCommand } from '../../session/commands';
import { SplitPane } from '../../ui/split-pane';
import { togglePane } from '../../ui/split-pane-registry';
import { openRequest, saveTab } from './tree/collection-actions';
import { CollectionPane } from './tree/collection-pane';
import { askForExample } from './examples/save-example';
import { EditorPane } from './editor/editor-pane';
import { selectActiveTab } from './requests-selectors';
import { useRequestsStore } from './requests-store';
import { QuestionDialog } from './sending/question-dialog';
import { ResponsePane } from './response/response-pane';
import { copyAsCurl, renewDynamicValues, sendRequest } from './sending/sending-actions';
import { startRequests } from './start-requests';

/** Collection │ editor with the string to sign │ answer with its journey. */
export function RequestsView() {
  const wanted = useRoute((route) => (route.view === 'requests' ? route.rest : ''));
  useEffect(() => {
    const started = startRequests();
    // `@<collection>/<path>`: of one that is open beside the collection on show.
    const [, collectionId, path = wanted] = /^@([^/]+)\/(.+)$/s.exec(wanted) ?? [];
    if (path) void started.then(() => openRequest(path, { collectionId }));
  }, [wanted]);
  useRequestCommands();
  return (
    <>
      <QuestionDialog />
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
            label: 'Request',
            content: <EditorPane />,
            defaultSize: '50%',
            minSize: 300,
          },
          {
            id: 'requests-response',
            label: 'Response',
            content: <ResponsePane />,
            defaultSize: '32%',
            minSize: 240,
            isCollapsible: true,
          },
        ]}
      />
    </>
  );
}

function useRequestCommands(): void {
  const activeId = useRequestsStore((state) => state.activeId);
  const isRunning = useRequestsStore((state) => selectActiveTab(state)?.run !== null);
  const hasAnswer = useRequestsStore((state) => Boolean(selectActiveTab(state)?.exchange?.response));
  const commands = useMemo((): AppCommand[] => {
    const hasTab = activeId !== null;
    const id = activeId ?? '';
    return [
      {
        id: 'send',
        title: 'Send',
        group: 'Request',
        keys: 'mod+Enter',
        isDisabled: !hasTab || isRunning,
        run: () => void sendRequest(id),
      },
      {
        id: 'save',
        title: 'Save',
        group: 'Request',
        keys: 'mod+s',
        isDisabled: !hasTab,
        run: () => void saveTab(id),
      },
      {
        id: 'renew',
        title: 'Draw new values for {{$…}}',
        group: 'Request',
        isDisabled: !hasTab,
        run: () => renewDynamicValues(id),
      },
      {
        id: 'copy-curl',
        title: 'Copy as cURL',
        group: 'Request',
        isDisabled: !hasTab,
        run: () => void copyAsCurl(id),
      },
      {
        id: 'save-example',
        title: 'Save the answer as an example…',
        group: 'Request',
        isDisabled: !hasAnswer,
        run: () => askForExample(id),
      },
      {
        id: 'toggle-tree',
        title: 'Show or hide the collection',
        group: 'Window',
        keys: 'mod+b',
        run: () => togglePane('requests-tree'),
      },
      {
        id: 'toggle-response',
        title: 'Show or hide the response',
        group: 'Window',
        keys: 'mod+j',
        run: () => togglePane('requests-response'),
      },
    ];
  }, [activeId, isRunning, hasAnswer]);
  useCommands('requests', commands);
}
