import type { ReactNode } from 'react';
import type { SettingId } from '../../session/setting-names';
import { SectionTitle, useIsFound } from './settings-search';
import styles from './settings.module.css';

/** A titled group of lines. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section} aria-label={title}>
      <h2 className={styles.sectionHead}>{title}</h2>
      <SectionTitle value={title}>{children}</SectionTitle>
    </section>
  );
}

/** A name on the left, its value on the right. `setting`: the one that it is, to be found by; `hint`: what to know of it. */
export function Line({
  label,
  setting,
  hint = '',
  children,
}: {
  label: string;
  setting?: SettingId;
  hint?: string;
  children: ReactNode;
}) {
  if (!useIsFound(label, hint)) return null;
  return (
    <div className={styles.line} data-setting={setting}>
      <span className={styles.label}>{label}</span>
      <div className={styles.value}>
        {children}
        {hint === '' ? null : <small>{hint}</small>}
      </div>
    </div>
  );
}
