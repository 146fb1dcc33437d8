import { decodeText } from '@shared/csv/decode-text';
import { MAX_LOOKUP_TEXT } from '@shared/lookups/lookup-list';
import { useRef } from 'react';
import { Button } from '../../ui/button';
import { Switch } from '../../ui/switch';
import { TextField } from '../../ui/text-field';
import { ErrorLine } from '../../ui/error-line';
import { useChosenFile } from '../../ui/use-chosen-file';
import { useBulkStore } from './bulk-store';
import styles from './lookups.module.css';

/** No character takes more than four: of a list that is too long more is read than is taken, so that it is said. */
const MOST_BYTES = 4 * (MAX_LOOKUP_TEXT + 1);

/** A list of payments, pasted or from a file, and how they are asked for. */
export function BulkForm() {
  const { text, perSecond, isWatching, change } = useBulkStore();
  const file = useRef<HTMLInputElement>(null);
  // Of a longer one the beginning is read.
  const { fault, take: read } = useChosenFile(Infinity);
  const take = (chosen: File | undefined): void => {
    void read(chosen, (one) => one.slice(0, MOST_BYTES).arrayBuffer()).then((bytes) => {
      if (bytes !== null) change({ text: decodeText(new Uint8Array(bytes)).slice(0, MAX_LOOKUP_TEXT + 1) });
    });
  };
  return (
    <>
      <TextField
        label="Payments, one a line or CSV"
        isCode
        rows={8}
        value={text}
        onChange={(next) => change({ text: next })}
        help="Headings that are known: reference, payment_uuid, request_uuid, product."
      />
      <div className={styles.fileAndRate}>
        <Button onPress={() => file.current?.click()}>Open a file…</Button>
        <input
          ref={file}
          type="file"
          hidden
          aria-label="File of payments"
          accept=".csv,.txt,.tsv,text/csv,text/plain"
          onChange={(event) => {
            take(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
        <TextField
          label="Queries a second"
          className={styles.rate}
          value={String(perSecond)}
          onChange={(next) => {
            const rate = Math.min(50, Math.max(1, Number(next.replace(/\D/g, ''))));
            change({ perSecond: rate });
          }}
        />
      </div>
      {fault === null ? null : <ErrorLine error={{ message: fault }} />}
      <Switch isSelected={isWatching} onChange={(next) => change({ isWatching: next })}>
        Ask again until each is final
      </Switch>
    </>
  );
}

/** Begins with the list, and ends it. */
export function BulkActions() {
  const { text, isRunning, askAll, stop } = useBulkStore();
  return (
    <div className={styles.actions}>
      {isRunning ? (
        <Button isOnce variant="danger" onPress={stop}>
          Stop
        </Button>
      ) : (
        <Button
          isOnce
          variant="primary"
          obstacle={text.trim() === '' && 'The list is empty'}
          onPress={() => void askAll()}
        >
          Query all
        </Button>
      )}
    </div>
  );
}
