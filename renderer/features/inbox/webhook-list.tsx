import { useMenuCommands } from '../../session/commands';
import { useState } from 'react';
import { Choice } from '../../ui/choice';
import { ConfirmDialog } from '../../ui/form-dialog';
import { MoreMenu } from '../../ui/more-menu';
import { ViewSearch } from '../../ui/text-field';
import { FilterBar } from './filter-bar';
import { ChoiceStrip } from './choice-strip';
import { AnswerStrip } from './answer-strip';
import { useInboxStore } from './inbox-store';
import styles from './inbox.module.css';
import { StoreStrip } from './team/store-strip';
import { TeamDialog } from './team/team-dialog';
import { LOCAL, useMayMark } from './team/team-store';
import { WaysStrip } from './ways/ways-strip';
import { WebhookRows } from './webhook-rows';

const filters = [
  { id: 'all', label: 'All' },
  { id: 'unread', label: 'Unread' },
  { id: 'failed', label: 'Failed' },
] as const satisfies readonly { id: string; label: string }[];

/** The left half: search, the rule in force, the rows. */
export function WebhookList({ onSelect }: { onSelect: (id: string) => void }) {
  // The listener's answers are those of this machine.
  const isLocal = useInboxStore((state) => state.store === LOCAL);
  return (
    <>
      <StoreStrip />
      <ListBar />
      <FilterBar />
      {isLocal ? <AnswerStrip /> : null}
      {isLocal ? <WaysStrip /> : null}
      <ChoiceStrip onSelect={onSelect} />
      <WebhookRows onSelect={onSelect} />
    </>
  );
}

function ListBar() {
  const totalCount = useInboxStore((state) => state.totalCount);
  const search = useInboxStore((state) => state.search);
  const filter = useInboxStore((state) => state.filter);
  const setSearch = useInboxStore((state) => state.setSearch);
  const setFilter = useInboxStore((state) => state.setFilter);
  const count = totalCount.toLocaleString('en');
  const everything = totalCount === 1 ? '1 webhook' : `${count} webhooks`;
  return (
    <div className={styles.bar}>
      <ViewSearch
        label="Search webhooks"
        isBare
        className={styles.search}
        placeholder={totalCount === 0 ? 'Search webhooks' : `Search ${everything}`}
        value={search}
        onChange={setSearch}
      />
      <Choice label="Which webhooks" options={filters} selected={filter} onSelect={setFilter} />
      <ListMenu />
    </div>
  );
}

function ListMenu() {
  const unreadCount = useInboxStore((state) => state.unreadCount);
  const hasRows = useInboxStore((state) => state.rows.length > 0);
  const isRunning = useInboxStore((state) => state.listener?.state === 'running');
  const markAllRead = useInboxStore((state) => state.markAllRead);
  const removeAll = useInboxStore((state) => state.removeAll);
  const stopListener = useInboxStore((state) => state.stopListener);
  const isLocal = useInboxStore((state) => state.store === LOCAL);
  const canMark = useMayMark(useInboxStore((state) => state.store));
  const [isAsking, setAsking] = useState(false);
  const [isAdding, setAdding] = useState(false);
  const actions = [
    {
      id: 'read',
      label: 'Mark all read',
      obstacle: canMark ? unreadCount === 0 && 'All are read' : 'You may only read this team’s inbox',
      onAction: () => void markAllRead(),
    },
    {
      id: 'stop',
      label: 'Stop the listener',
      obstacle: isLocal ? !isRunning && 'It does not run' : 'It belongs to the inbox of this machine',
      onAction: () => void stopListener(),
    },
    { id: 'add', label: 'Add a team inbox…', hasLineAbove: true, onAction: () => setAdding(true) },
    {
      id: 'delete',
      label: 'Delete all webhooks…',
      obstacle: isLocal ? !hasRows && 'There is none' : 'What a team has received stays',
      isDanger: true,
      hasLineAbove: true,
      onAction: () => setAsking(true),
    },
  ];
  useMenuCommands('Inbox', actions);
  return (
    <>
      <MoreMenu label="Inbox" actions={actions} />
      {isAdding ? <TeamDialog inbox={null} onClose={() => setAdding(false)} /> : null}
      <ConfirmDialog
        title="Delete every webhook?"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={removeAll}
        confirmLabel="Delete all"
      >
        All webhooks are removed from this machine, those that search or filter hide included. This cannot be
        taken back.
      </ConfirmDialog>
    </>
  );
}
