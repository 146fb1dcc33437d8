import { useState } from 'react';
import { TextButton } from '../../ui/button';
import { DeleteDialog } from './delete-dialog';
import { ExportWebhooksDialog } from './export-webhooks-dialog';
import { listLoaded } from './inbox-rows';
import { useInboxStore } from './inbox-store';
import { ReplayDialog } from './replay-dialog';
import styles from './inbox.module.css';
import { countChosen, listChosen } from './row-choice';
import { LOCAL, useMayMark } from './team/team-store';

/** What can be done with the rows that are chosen; there while there are some. */
export function ChoiceStrip({ onSelect }: { onSelect: (id: string) => void }) {
  const choice = useInboxStore((state) => state.choice);
  const totalCount = useInboxStore((state) => state.totalCount);
  const choose = useInboxStore((state) => state.choose);
  const markRead = useInboxStore((state) => state.markRead);
  const compareWith = useInboxStore((state) => state.compareWith);
  const select = useInboxStore((state) => state.select);
  const rows = useInboxStore((state) => state.rows);
  const far = useInboxStore((state) => state.far);
  // What comes in while a question stands is not asked about.
  const [asked, setAsked] = useState<{ what: 'export' | 'replay' | 'delete'; ids: string[] } | null>(null);
  const isLocal = useInboxStore((state) => state.store === LOCAL);
  const canMark = useMayMark(useInboxStore((state) => state.store));
  const count = countChosen(choice, totalCount);
  if (count < 2) return null;
  const ids = listChosen(choice, listLoaded({ rows, far }));
  // What is not loaded is exported by its filter, and touched by nothing else.
  const isLoaded = !choice.isAll || totalCount === ids.length;
  const compareBoth = async (): Promise<void> => {
    const [other, shown] = ids as [string, string];
    onSelect(shown);
    await select(shown);
    await compareWith(other);
  };
  return (
    <div className={styles.chosen} role="group" aria-label="Chosen webhooks">
      <b>{`${count.toLocaleString('en')} chosen`}</b>
      <TextButton onPress={() => setAsked({ what: 'export', ids })}>Export…</TextButton>
      {isLoaded ? <TextButton onPress={() => setAsked({ what: 'replay', ids })}>Replay…</TextButton> : null}
      {ids.length === 2 && isLoaded ? (
        <TextButton onPress={() => void compareBoth()}>Compare both</TextButton>
      ) : null}
      {isLoaded && canMark ? (
        <TextButton onPress={() => void markRead(ids, true)}>Mark read</TextButton>
      ) : null}
      {isLoaded && isLocal ? (
        <TextButton onPress={() => setAsked({ what: 'delete', ids })}>Delete…</TextButton>
      ) : null}
      {isLoaded ? null : <span>Only Export takes those that the list has not loaded.</span>}
      <TextButton className={styles.change} onPress={() => choose({ kind: 'none' })}>
        Choose none
      </TextButton>
      {asked?.what === 'delete' ? <DeleteDialog ids={asked.ids} onClose={() => setAsked(null)} /> : null}
      {asked?.what === 'replay' ? <ReplayDialog webhooks={asked.ids} onClose={() => setAsked(null)} /> : null}
      {asked?.what === 'export' ? (
        <ExportWebhooksDialog
          ids={choice.isAll ? 'all' : asked.ids}
          count={count}
          onClose={() => setAsked(null)}
        />
      ) : null}
    </div>
  );
}
