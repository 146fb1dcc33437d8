import { useState } from 'react';
import { TextButton } from '../../ui/button';
import { AskedDialog, useChosen, type Asked } from './chosen-rows';
import { useInboxStore } from './inbox-store';
import styles from './inbox.module.css';
import { LOCAL, useMayMark } from './team/team-store';

/** What can be done with the rows that are chosen; there while there are some. */
export function ChoiceStrip({ onSelect }: { onSelect: (id: string) => void }) {
  const { ids, count, isAll, isLoaded } = useChosen();
  const choose = useInboxStore((state) => state.choose);
  const markRead = useInboxStore((state) => state.markRead);
  const compareWith = useInboxStore((state) => state.compareWith);
  const select = useInboxStore((state) => state.select);
  const [asked, setAsked] = useState<Asked | null>(null);
  const isLocal = useInboxStore((state) => state.store === LOCAL);
  const canMark = useMayMark(useInboxStore((state) => state.store));
  if (count < 2) return null;
  const ask = (what: Asked['what']): void => setAsked({ what, ids, isAll });
  const compareBoth = async (): Promise<void> => {
    const [other, shown] = ids as [string, string];
    onSelect(shown);
    await select(shown);
    if (useInboxStore.getState().selectedId === shown) await compareWith(other);
  };
  return (
    <div className={styles.chosen} role="group" aria-label="Chosen webhooks">
      <b>{`${count.toLocaleString('en')} chosen`}</b>
      <TextButton onPress={() => ask('export')}>Export…</TextButton>
      {isLoaded ? <TextButton onPress={() => ask('replay')}>Replay…</TextButton> : null}
      {ids.length === 2 && isLoaded ? (
        <TextButton onPress={() => void compareBoth()}>Compare both</TextButton>
      ) : null}
      {isLoaded && canMark ? (
        <TextButton onPress={() => void markRead(ids, true)}>Mark read</TextButton>
      ) : null}
      {isLoaded && isLocal ? <TextButton onPress={() => ask('delete')}>Delete…</TextButton> : null}
      {isLoaded ? null : <span>Only Export takes those that the list has not loaded.</span>}
      <TextButton className={styles.change} onPress={() => choose({ kind: 'none' })}>
        Choose none
      </TextButton>
      {asked === null ? null : <AskedDialog asked={asked} onClose={() => setAsked(null)} />}
    </div>
  );
}
