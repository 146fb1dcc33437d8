import { useEffect, useRef, useState } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatAmount } from '@shared/payments/format-amount';
import { formatReadingTime, type ChartColumns } from './balances-selectors';
import styles from './balances.module.css';
import { nameTicks } from './name-ticks';

/** The lines of the chart, in the order of its columns; legend and drawing take colour and pattern from here. */
const lines = [
  { label: 'Available', color: '--accent', width: 2, dash: [] },
  { label: 'Actual', color: '--faint', width: 1.5, dash: [5, 3] },
  { label: 'Alert limit', color: '--warn', width: 1.5, dash: [2, 3] },
] as const;

/** More readings than these are a line: points would hide it. */
const MOST_POINTS = 60;

/** A single reading stands in the middle of so many seconds to either side. */
const MARGIN_S = 60;

/** Amounts as stepped lines over the times of the readings. The table below holds the same figures as text. */
export function StepChart({ columns, label }: { columns: ChartColumns; label: string }) {
  const boxRef = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const theme = useTheme();
  useEffect(() => {
    const box = boxRef.current;
    if (!box) return;
    const chart = new UPlot(describeChart(box, setPointed, columns), [columns.times, ...columns.lines], box);
    const observer = new ResizeObserver(() => chart.setSize(sizeOf(box)));
    observer.observe(box);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [columns, theme]);
  return (
    <figure className={styles.figure}>
      <div ref={boxRef} className={styles.plot} role="img" aria-label={label} />
      <Legend columns={columns} index={pointed ?? columns.times.length - 1} />
    </figure>
  );
}

/** Names each line with the amount at the pointer, else the last one. */
function Legend({ columns, index }: { columns: ChartColumns; index: number }) {
  const at = columns.times[index];
  return (
    <figcaption className={styles.legend}>
      <time>{at === undefined ? '' : formatReadingTime(at * 1000, (columns.times.at(-1) ?? at) * 1000)}</time>
      {lines.map(({ label, color, width, dash }, line) => {
        const value = columns.literals[line]?.[index];
        if (value === null || value === undefined) return null;
        return (
          <span key={label}>
            <svg viewBox="0 0 18 4" aria-hidden="true">
              <path
                d="M0 2H18"
                stroke={`var(${color})`}
                strokeWidth={width}
                strokeDasharray={dash.join(' ')}
              />
            </svg>
            {label} <b>{formatAmount(value)}</b>
          </span>
        );
      })}
    </figcaption>
  );
}

/** The canvas takes its colours once: another theme draws it anew. */
function useTheme(): string | undefined {
  const read = (): string | undefined => document.documentElement.dataset['theme'];
  const [theme, setTheme] = useState(read);
  useEffect(() => {
    const observer = new MutationObserver(() => setTheme(read()));
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => observer.disconnect();
  }, []);
  return theme;
}

function sizeOf(box: HTMLElement): { width: number; height: number } {
  return { width: box.clientWidth, height: box.clientHeight };
}

function describeChart(
  box: HTMLElement,
  point: (index: number | null) => void,
  { times, literals }: ChartColumns,
): UPlot.Options {
  const [isSparse, isSingle] = [times.length <= MOST_POINTS, times.length === 1];
  const style = getComputedStyle(document.documentElement);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  const stepped = UPlot.paths.stepped?.({ align: 1 });
  const axis: UPlot.Axis = {
    stroke: color('--soft'),
    font: `11px ${color('--font-ui')}`,
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
  };
  const shorten = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 6 });
  return {
    ...sizeOf(box),
    // Room for half of a time at the right end.
    padding: [8, 36, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false } },
    scales: {
      x: { range: (_chart, from, to) => (isSingle ? [from - MARGIN_S, from + MARGIN_S] : [from, to]) },
      y: { range: (_chart, low, high) => padRange(low, high) },
    },
    axes: [
      { ...axis, size: 26, space: 84, values: (_chart, ticks) => nameTicks(ticks, times) },
      { ...axis, size: 62, space: 32, values: (_chart, ticks) => ticks.map((tick) => shorten.format(tick)) },
    ],
    hooks: { setCursor: [({ cursor }) => point(cursor.idx ?? null)] },
    series: [
      {},
      ...lines.map(({ label, color: name, width, dash }, index) => ({
        label,
        stroke: color(name),
        width,
        dash: [...dash],
        paths: stepped,
        points: {
          // A single reading is drawn by its points alone; one that lies upon another would hide it.
          show: isSparse && (index === 0 || (isSingle && literals[index]?.[0] !== literals[0]?.[0])),
          size: 6,
          fill: color(name),
        },
      })),
    ],
  };
}

function padRange(low: number, high: number): [number, number] {
  const pad = (high - low) * 0.12 || Math.abs(high) * 0.01 || 1;
  return [low - pad, high + pad];
}
