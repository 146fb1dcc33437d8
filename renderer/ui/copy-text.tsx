import { useEffect, useState, type ReactNode } from 'react';
import { Button as AriaButton, type PressEvent } from 'react-aria-components/Button';
import { copyToClipboard } from './clipboard';
import styles from './copy-text.module.css';
import { cx } from './cx';
import { tell } from './say';
import { nameWhiteSpace, showControls } from '@shared/show-controls';
import { ForeignText } from './foreign-text';
import { Tooltip } from './tooltip';

const saidForMs = 1200;
/** Characters that fit wherever a text stands, and as many as a tooltip says. */
const [surelyWhole, mostSaid] = [16, 300];

/**
 * Text that copies itself on click: ids, references, addresses, codes.
 * `children` is what is shown where that is shorter than what is copied.
 */
export function CopyText({
  text,
  children,
  label,
  isCode = true,
  isInRow = false,
  className,
}: {
  text: string;
  children?: ReactNode;
  /** What the text is, for the accessible name: 'payment UUID'. */
  label?: string;
  isCode?: boolean;
  /** In a row that is chosen by a press: it is chosen by this one, too. It is named by the text alone, as the row is. */
  isInRow?: boolean;
  className?: string;
}) {
  const { state, copy } = useCopy();
  const passOn = isInRow ? (event: PressEvent) => event.continuePropagation() : undefined;
  const said = nameState[state];
  return (
    <Tooltip text={said ?? describeCopy(label, text)}>
      <AriaButton
        data-copies={isCode ? 'id' : 'text'}
        className={cx(styles.copy, isCode && styles.code, className)}
        aria-label={isInRow ? undefined : `Copy ${label ? `${label} ` : ''}${text}`}
        onPressStart={passOn}
        onPressEnd={passOn}
        onPress={(event) => {
          passOn?.(event);
          void copy(text);
        }}
      >
        <span className={styles.text}>{children ?? <ForeignText text={nameWhiteSpace(text)} />}</span>
        {said ? <span className={styles.said}>{said}</span> : null}
      </AriaButton>
    </Tooltip>
  );
}

/** Names what is copied; what may be cut where it stands is said whole. */
function describeCopy(label: string | undefined, text: string): string {
  const what = label === undefined ? 'Copy' : `Copy ${label}`;
  return text.length <= surelyWhole ? what : `${what}: ${showControls(text.slice(0, mostSaid))}`;
}

/** A 'Copy' word that says 'Copied' for a moment. `text` is made when pressed. */
export function CopyButton({
  text,
  label = 'Copy',
  name,
  className,
}: {
  text: string | (() => string | Promise<string>);
  label?: string;
  /** Accessible name where the label alone says too little. */
  name?: string;
  className?: string;
}) {
  const { state, copy } = useCopy();
  return (
    <AriaButton className={cx(styles.button, className)} aria-label={name} onPress={() => void copy(text)}>
      {nameState[state] ?? label}
    </AriaButton>
  );
}

const nameState = { idle: null, copied: 'Copied', failed: 'Could not copy' } as const;

function useCopy() {
  const [state, setState] = useState<keyof typeof nameState>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), saidForMs);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async (text: string | (() => string | Promise<string>)): Promise<void> => {
    let isCopied = false;
    try {
      isCopied = await copyToClipboard(typeof text === 'string' ? text : await text());
    } catch {
      // What was to be copied could not be read.
    }
    setState(isCopied ? 'copied' : 'failed');
    tell(isCopied ? nameState.copied : nameState.failed);
  };
  return { state, copy };
}
