import type { ReactNode } from 'react';
import { cx } from './cx';
import { ForeignText } from './foreign-text';
import styles from './tag.module.css';

export type Tone = 'good' | 'bad' | 'warn' | 'quiet';

/** A state in one word. Colour is never alone: the word says it too. It may be a stranger's: the status of a webhook. */
export function Tag({
  children,
  tone = 'quiet',
  className,
  title,
}: {
  children: ReactNode;
  tone?: Tone;
  className?: string;
  /** What the pointer shows. */
  title?: string;
}) {
  return (
    <span className={cx(styles.tag, styles[tone], className)} title={title}>
      {typeof children === 'string' ? <ForeignText text={children} /> : children}
    </span>
  );
}

/** A dot before a word: running, waiting, failed. */
export function Dot({ tone = 'quiet', isHollow }: { tone?: Tone; isHollow?: boolean }) {
  return (
    <span
      className={cx(styles.dot, styles[`dot_${tone}`], isHollow && styles.hollow)}
      data-tone={tone}
      aria-hidden="true"
    />
  );
}

/** The HTTP method, in the width of four letters. */
export function Verb({ method, className }: { method: string; className?: string }) {
  return (
    <span className={cx(styles.verb, method === 'GET' && styles.get, className)}>{method.slice(0, 6)}</span>
  );
}
