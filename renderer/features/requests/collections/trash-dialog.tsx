import type { MethodOutput } from '@shared/contract/contract';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '../../../transport/client';
import { toClientError, type ClientError } from '../../../transport/client-error';
import { Button, TextButton } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { EmptyState } from '../../../ui/empty-state';
import { ErrorLine } from '../../../ui/error-line';
import { RelativeTime } from '../../../ui/relative-time';
import { restoreDeleted } from '../tree/node-actions';
import styles from './trash-dialog.module.css';

type Entries = MethodOutput<'collections.trash'>['entries'];

/** What was deleted in the last 30 days, each to be put back. */
export function TrashDialog({ onClose }: { onClose: () => void }) {
  const [entries, setEntries] = useState<Entries | null>(null);
  const [error, setError] = useState<ClientError | null>(null);
  const load = useCallback(
    () =>
      call('collections.trash').then(
        (found) => setEntries(found.entries),
        (caught: unknown) => setError(toClientError(caught)),
      ),
    [],
  );
  useEffect(() => void load(), [load]);
  const actions = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const restore = async (trashId: string, index: number): Promise<void> => {
    try {
      await restoreDeleted(trashId);
      setError(null);
      await load();
      // The button that was pressed is gone: the next one has the focus, the last time what closes.
      const left = [...(box.current?.querySelectorAll('button') ?? [])];
      (left[Math.min(index, left.length - 1)] ?? actions.current?.querySelector('button'))?.focus();
    } catch (caught) {
      setError(toClientError(caught));
    }
  };
  return (
    <Dialog title="Deleted in the last 30 days" onClose={onClose}>
      <div className={styles.entries} ref={box}>
        {error ? <ErrorLine error={error} /> : null}
        {entries?.length === 0 ? <EmptyState title="Nothing">What is deleted stands here.</EmptyState> : null}
        <ul>
          {(entries ?? []).map(({ trashId, path, collectionName, deletedAt }, index) => (
            <li key={trashId} className={styles.entry}>
              <span className={styles.path}>
                {path}
                <span className={styles.where}>
                  {collectionName} · <RelativeTime at={deletedAt} />
                </span>
              </span>
              <TextButton aria-label={`Put ${path} back`} onPress={() => void restore(trashId, index)}>
                Put back
              </TextButton>
            </li>
          ))}
        </ul>
      </div>
      <div className={styles.actions} ref={actions}>
        <Button autoFocus onPress={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}
