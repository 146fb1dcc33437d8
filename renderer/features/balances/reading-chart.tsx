import { lazy, Suspense, useState } from 'react';
import { Choice } from '../../ui/choice';
import { chartColumns, type BalanceReading } from './balances-selectors';
import styles from './balances.module.css';

const LineChart = lazy(async () => ({ default: (await import('./line-chart')).LineChart }));

/** What this session has read of one currency over time; nothing to draw before the second reading. */
export function ReadingChart({ readings }: { readings: readonly BalanceReading[] }) {
  const currencies = readings.at(-1)?.wallets.map((wallet) => wallet.currency) ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const currency = chosen !== null && currencies.includes(chosen) ? chosen : currencies[0];
  if (readings.length < 2 || currency === undefined) {
    return <p className={styles.hint}>A second reading draws a line here: what moved, and when.</p>;
  }
  return (
    <section className={styles.chart} aria-label="Readings of this session">
      <header className={styles.chartHead}>
        <h2>{`${readings.length} readings of this session`}</h2>
        <Choice
          label="Currency of the chart"
          options={[...new Set(currencies)].map((id) => ({ id, label: id }))}
          selected={currency}
          onSelect={setChosen}
        />
      </header>
      <Suspense fallback={null}>
        <LineChart columns={chartColumns(readings, currency)} label={`Balances in ${currency}`} />
      </Suspense>
    </section>
  );
}
