import type { ActionEntry } from '@shared/actions/action-list';
import {
  findKeyConflict,
  isRebound,
  keysOf,
  normalizeKeys,
  type KeyBindings,
} from '@shared/actions/key-bindings';
import { useEffect, useState } from 'react';
import { recordKeys } from '../../session/key-recording';
import { Button, TextButton } from '../../ui/button';
import { readKeys, showKeys } from '../../ui/keys';
import styles from './help.module.css';

/** One action and its keys. A press of the button waits for new ones; what is taken is said, and not kept. */
export function ShortcutRow({
  action: { id, title },
  bindings,
  onChange,
}: {
  action: ActionEntry;
  bindings: KeyBindings;
  /** `''`: no keys; null: the usual ones again. */
  onChange: (keys: string | null) => void;
}) {
  const [isRecording, setRecording] = useState(false);
  const [conflict, setConflict] = useState<string | null>(null);
  const keys = keysOf(id, bindings);
  const shown = keys.map(showKeys).join(', ');
  const begin = (): void => {
    setConflict(null);
    setRecording(true);
  };
  const offer = (wanted: string): void => {
    const refusal = findKeyConflict(id, wanted, bindings);
    setConflict(refusal && `${showKeys(wanted)}: ${refusal}`);
    if (refusal !== null) return;
    setRecording(false);
    onChange(normalizeKeys(wanted));
  };
  useRecorded(isRecording, offer, () => setRecording(false));
  return (
    <div className={styles.row} data-action={id}>
      <span>{title}</span>
      <span className={styles.keys}>
        {isRebound(id, bindings) ? (
          <TextButton
            aria-label={`Reset the keys of ${title}`}
            onPress={() => {
              const usual = keysOf(id, {})[0];
              const refusal = usual === undefined ? null : findKeyConflict(id, usual, bindings);
              setConflict(refusal && `${showKeys(usual ?? '')}: ${refusal}`);
              if (refusal === null) onChange(null);
            }}
          >
            Reset
          </TextButton>
        ) : null}
        {keys.length > 0 ? (
          <TextButton
            className={styles.away}
            aria-label={`Take the keys of ${title} away`}
            onPress={() => onChange('')}
          >
            Remove
          </TextButton>
        ) : null}
        <Button
          variant="quiet"
          className={styles.key}
          aria-label={isRecording ? `Press the keys for ${title}` : `Keys of ${title}: ${shown || 'none'}`}
          onPress={begin}
          onBlur={() => setRecording(false)}
        >
          {isRecording ? 'Press keys…' : keys.length > 0 ? <KeyCaps keys={keys} /> : 'none'}
        </Button>
      </span>
      {conflict === null ? null : (
        <p role="alert" className={styles.conflict}>
          {conflict}
        </p>
      )}
    </div>
  );
}

/** Keys as they stand on a keyboard, one cap for each way. */
export function KeyCaps({ keys }: { keys: readonly string[] }) {
  return keys.map((one) => (
    <kbd key={one} className={styles.cap}>
      {showKeys(one)}
    </kbd>
  ));
}

/** While it waits, every key goes here; Escape gives up, and Tab goes on as ever. */
function useRecorded(isRecording: boolean, offer: (keys: string) => void, giveUp: () => void): void {
  useEffect(() => {
    if (!isRecording) return undefined;
    return recordKeys((event) => {
      const isBare = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (isBare && event.key === 'Tab') return giveUp();
      event.preventDefault();
      event.stopPropagation();
      const pressed = readKeys(event);
      if (isBare && event.key === 'Escape') giveUp();
      else if (pressed !== null && !event.repeat) offer(pressed);
    });
  });
}
