import type { ReactNode } from 'react';
import { cx } from './cx';
import styles from './pane-header.module.css';

/** The 36 px line on top of a pane: its title, and quiet actions at the right end. */
export function PaneHeader({
  title,
  children,
  className,
}: {
  title: ReactNode;
  children?: ReactNode;
  className?: string;
}) {
  return (
    <header className={cx(styles.header, className)}>
      <h2 className={styles.title} title={typeof title === 'string' ? title : undefined}>
        {title}
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
        <div key={fact.label} className={styles.fact}>
          <dt>{fact.label}</dt>
          <dd>{fact.value}</dd>
        </div>
      ))}
    </dl>
  );
}
