import type { ChartColumns } from './balances-selectors';
import styles from './balances.module.css';

const [width, height, edge] = [150, 26, 3];

/** The available amount as a small stepped line; `label` says the same in words. */
export function StepLine({ columns, label }: { columns: ChartColumns; label: string }) {
  const { times, lines } = columns;
  const values = lines[0]!.map((value) => value ?? 0);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const [from, to] = [times[0] ?? 0, times.at(-1) ?? 0];
  const x = (at: number): number => (to === from ? 0 : ((at - from) / (to - from)) * width);
  const y = (value: number): number =>
    high === low ? height - edge : edge + (1 - (value - low) / (high - low)) * (height - 2 * edge);
  const path = values.map((value, index) =>
    index === 0 ? `M0 ${y(value)}` : `H${x(times[index]!).toFixed(1)}V${y(value).toFixed(1)}`,
  );
  return (
    <svg
      className={styles.stepLine}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path d={`${path.join('')}H${width}`} />
    </svg>
  );
}
