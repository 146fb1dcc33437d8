import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatExact } from '../../ui/format-time';
import styles from './balances.module.css';

export interface ChartColumns {
  times: number[];
  available: (number | null)[];
  actual: (number | null)[];
}

/** Available and actual amounts as two stepped lines. The table above holds the same figures as text. */
export function LineChart({ columns, label }: { columns: ChartColumns; label: string }) {
  const boxRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = boxRef.current;
    if (!box) return;
    const chart = new UPlot(describeChart(box), [columns.times, columns.available, columns.actual], box);
    const observer = new ResizeObserver(() => chart.setSize(sizeOf(box)));
    observer.observe(box);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [columns]);
  return <div ref={boxRef} className={styles.plot} role="img" aria-label={label} />;
}

/** The legend is a line of text below the drawing. */
const legendPx = 28;

function sizeOf(box: HTMLElement): { width: number; height: number } {
  return { width: box.clientWidth - 24, height: Math.max(80, box.clientHeight - legendPx) };
}

function describeChart(box: HTMLElement): UPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  const stepped = UPlot.paths.stepped?.({ align: 1 });
  const axis: UPlot.Axis = {
    stroke: color('--soft'),
    font: `11px ${color('--font-ui')}`,
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
  };
  const dot = { show: true, size: 5 };
  return {
    ...sizeOf(box),
    legend: { live: true },
    cursor: { y: false },
    scales: { y: { range: (_chart, low, high) => padRange(low, high) } },
    axes: [
      { ...axis, space: 90, values: (_chart, ticks) => ticks.map(clock) },
      { ...axis, size: 96, values: (_chart, ticks) => ticks.map((tick) => tick.toLocaleString('en')) },
    ],
    series: [
      { label: 'Read at', value: (_chart, at) => (at === null ? '–' : clock(at)) },
      { label: 'Available', stroke: color('--accent'), width: 1.5, paths: stepped, points: dot },
      { label: 'Actual', stroke: color('--faint'), width: 1.5, dash: [4, 3], paths: stepped, points: dot },
    ],
  };
}

function clock(seconds: number): string {
  return formatExact(seconds * 1000).slice(11, 19);
}

function padRange(low: number, high: number): [number, number] {
  const pad = (high - low) * 0.12 || Math.abs(high) * 0.01 || 1;
  return [low - pad, high + pad];
}
