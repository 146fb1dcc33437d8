import type { ReactNode } from 'react';
import { cutDrawn } from './foreign-text';
import styles from './empty-state.module.css';

/** What stands where there is nothing yet: one sentence, one way on. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{cutDrawn(title)}</p>
      {children ? <p className={styles.text}>{children}</p> : null}
      {action ? <div className={styles.action}>{action}</div> : null}
    </div>
  );
}
