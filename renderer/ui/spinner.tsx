import styles from './spinner.module.css';

/** A turning ring for work that takes a moment; `label` is read out. */
export function Spinner({ label = 'Loading', size = 14 }: { label?: string; size?: number }) {
  return (
    <span
      className={styles.spinner}
      role="progressbar"
      aria-label={label}
      style={{ width: size, height: size }}
    />
  );
}

/** Grey lines where text will stand. Appears only after a moment, so that quick loads do not flicker. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div className={styles.skeleton} role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} style={{ width: `${88 - ((index * 23) % 47)}%` }} />
      ))}
    </div>
  );
}
