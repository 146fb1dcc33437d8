import type { MouseEventHandler, ReactNode } from 'react';
import { cx } from './cx';
import { cutDrawn, ForeignText } from './foreign-text';
import styles from './pane-header.module.css';

/** The 36 px line on top of a pane: its title, and quiet actions at the right end. */
export function PaneHeader({
  title,
  name,
  children,
  isSubject = false,
  className,
  onContextMenu,
}: {
  title: ReactNode;
  /** What the heading is called, where its title is a button. */
  name?: string;
  children?: ReactNode;
  /** It names what is on show, not the pane: larger, over a line. */
  isSubject?: boolean;
  className?: string;
  onContextMenu?: MouseEventHandler;
}) {
  const drawn = typeof title === 'string' ? cutDrawn(title) : title;
  return (
    <header
      className={cx(styles.header, isSubject && styles.subject, className)}
      onContextMenu={onContextMenu}
    >
      <h2 className={styles.title} title={typeof drawn === 'string' ? drawn : undefined} aria-label={name}>
        {drawn}
      </h2>
      {children ? <div className={styles.actions}>{children}</div> : null}
    </header>
  );
}

/** Facts in columns: a quiet label over each value. */
export function FactList({ facts }: { facts: readonly { label: string; value: ReactNode }[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map((fact) => (
        <div key={fact.label} data-key={fact.label} className={styles.fact}>
          <dt>{fact.label}</dt>
          <dd>{typeof fact.value === 'string' ? <ForeignText text={fact.value} /> : fact.value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What a pane has to say, under its header: a sentence first, its mark beside it, quieter words below. */
export function PaneSummary({
  title,
  mark,
  children,
  className,
}: {
  title: ReactNode;
  mark?: ReactNode;
  children?: ReactNode;
  className?: string;
}) {
  return (
    <div className={cx(styles.summary, className)}>
      <h3 className={styles.sentence}>
        <span>{typeof title === 'string' ? cutDrawn(title) : title}</span> {mark}
      </h3>
      {children}
    </div>
  );
}
