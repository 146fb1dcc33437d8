import type { Exchange } from '@shared/contract/sending';
import { cx } from '../../../ui/cx';
import { layOutTimings } from './lay-out-timings';
import styles from './timing-waterfall.module.css';

/** Where the time went, phase by phase, one under the other. */
export function TimingWaterfall({
  timings,
  isFailed,
}: {
  timings: NonNullable<Exchange['timings']>;
  isFailed: boolean;
}) {
  const bars = layOutTimings(timings, isFailed);
  return (
    <dl className={styles.waterfall} aria-label="Timings">
      {bars.map((bar) => (
        <div key={bar.label} className={styles.row}>
          <dt>{bar.label}</dt>
          <dd className={styles.track}>
            <span
              className={cx(styles.bar, bar.isLongest && styles.longest)}
              style={{ left: `${bar.startPercent}%`, width: `${bar.widthPercent}%` }}
            />
          </dd>
          <dd className={styles.value}>{bar.durationMs.toFixed(1)} ms</dd>
        </div>
      ))}
    </dl>
  );
}
