import type { ReactNode } from 'react';
import type { SettingId } from '../../session/setting-names';
import styles from './settings.module.css';

/** A titled group of lines. */
export function Section({
  title,
  action,
  children,
}: {
  title: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className={styles.section} aria-label={title}>
      <header className={styles.sectionHead}>
        <h2>{title}</h2>
        {action}
      </header>
      {children}
    </section>
  );
}

/** A name on the left, its value on the right. `setting`: the one that it is, to be found by. */
export function Line({
  label,
  setting,
  children,
}: {
  label: string;
  setting?: SettingId;
  children: ReactNode;
}) {
  return (
    <div className={styles.line} data-setting={setting}>
      <span className={styles.label}>{label}</span>
      <div className={styles.value}>{children}</div>
    </div>
  );
}
