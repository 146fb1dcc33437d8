import type { Journey, JourneySummary } from '@shared/contract/journey';
import { cx } from '../../ui/cx';
import { formatExact } from '../../ui/format-time';
import { readSteps, readTrack } from './payments-selectors';
import styles from './payments.module.css';

/** Four steps from left to right: filled when done, hollow while waiting, crossed when failed. */
export function Track({ journey }: { journey: JourneySummary }) {
  const steps = readTrack(journey);
  return (
    <span className={styles.track} role="img" aria-label={steps.map((step) => step.label).join(', ')}>
      {steps.map(({ name, step, label }) => (
        <i key={name} className={cx(styles.step, styles[step])} title={label} />
      ))}
    </span>
  );
}

/** The same steps across the pane: each with its name, and when it was reached or what it waits for. */
export function NamedTrack({ journey }: { journey: Journey }) {
  return (
    <ol className={styles.steps} aria-label="Track">
      {readSteps(journey).map(({ name, title, step, label, word, at }) => (
        <li key={name} className={styles.stage} data-step={step}>
          <i className={cx(styles.step, styles[step])} aria-hidden="true" />
          <b>{title}</b>
          <span title={at === null ? label : formatExact(at)}>{word}</span>
        </li>
      ))}
    </ol>
  );
}
