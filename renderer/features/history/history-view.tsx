import { useEffect, useMemo, useState } from 'react';
import { commandOf, useCommands, type AppCommand } from '../../session/commands';
import { takeHistoryRequest, useHistoryRequest } from '../../session/draft-handover';
import { followShown } from '../../session/follow-shown';
import { replaceRoute, useRoute } from '../../session/routes';
import { useViewTask } from '../../session/tasks';
import { SplitPane } from '../../ui/split-pane';
import { HistoryDetail } from './history-detail';
import { HistoryList } from './history-list';
import { KeepDialog } from './keep-dialog';
import { findLost, openAsDraft, resend } from './resend';
import { ResendDialog } from './resend-dialog';
import { noFilter, pin, select, setFilter, startHistory, useHistoryStore } from './history-store';

/** Everything that was sent, the newest first, and what one of them was and got. */
export function HistoryView() {
  const id = useRoute((route) => (route.view === 'history' ? route.rest : ''));
  const asked = useHistoryRequest((state) => state.request);
  const [isKeepShown, setKeepShown] = useState(false);
  useEffect(startHistory, []);
  useEffect(() => {
    if (id !== '') void select(id);
  }, [id]);
  useEffect(
    () =>
      useHistoryStore.subscribe(({ selectedId }, before) =>
        followShown('history', before.selectedId, selectedId, (next) => replaceRoute('history', next)),
      ),
    [],
  );
  useEffect(() => {
    const request = takeHistoryRequest();
    if (request) setFilter({ ...noFilter, request });
  }, [asked]);
  useHistoryCommands();
  useViewTask('keepHistory', () => setKeepShown(true));
  return (
    <>
      <ResendDialog />
      {isKeepShown ? <KeepDialog onClose={() => setKeepShown(false)} /> : null}
      <SplitPane
        id="history"
        panes={[
          {
            id: 'history-list',
            label: 'Exchanges',
            content: (
              <HistoryList
                onSelect={(one) => replaceRoute('history', one)}
                onKeep={() => setKeepShown(true)}
              />
            ),
            defaultSize: 440,
            minSize: 300,
            isFixed: true,
          },
          {
            id: 'history-detail',
            label: 'Exchange',
            content: <HistoryDetail />,
            defaultSize: '60%',
            minSize: 320,
          },
        ]}
      />
    </>
  );
}

function useHistoryCommands(): void {
  const exchange = useHistoryStore((state) => state.exchange);
  const isPinned = useHistoryStore(
    ({ rows, selectedId }) => rows.find(({ id }) => id === selectedId)?.isPinned ?? false,
  );
  const commands = useMemo(
    (): AppCommand[] => [
      commandOf('history-resend', {
        isDisabled: exchange === null || findLost(exchange) !== null,
        run: () => void (exchange && resend(exchange)),
      }),
      commandOf('history-draft', {
        isDisabled: exchange === null,
        run: () => void (exchange && openAsDraft(exchange)),
      }),
      commandOf('history-pin', {
        title: isPinned ? 'Unpin it' : 'Pin it',
        isDisabled: exchange === null,
        run: () => void (exchange && pin(exchange.id, !isPinned)),
      }),
    ],
    [exchange, isPinned],
  );
  useCommands('history', commands);
}
