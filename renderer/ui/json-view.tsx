import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { cx } from './cx';
import { tokenizeJsonLine } from './json-tokens';
import styles from './json-view.module.css';

/** A range of the text that is drawn with a class of its own (a signed field, a fault). */
export interface TextMark {
  start: number;
  end: number;
  className: string;
}

const lineHeightPx = 20;
const spareLines = 30;
/** Longer lines are cut where they are drawn; copying still gives the whole text. */
const longestShownLine = 20_000;

/**
 * Read-only text with line numbers and JSON colours; literals stay as written.
 *
 * Only the lines in view are in the document, so that large answers scroll well. Selecting all and copying gives
 * the whole text.
 */
export function JsonView({
  text,
  label,
  marks,
  lit,
  isPlain,
  className,
}: {
  text: string;
  label: string;
  marks?: readonly TextMark[];
  /** A line (1-based) to bring into view and light up. */
  lit?: number | null;
  isPlain?: boolean;
  className?: string;
}) {
  const lines = useMemo(() => splitLines(text), [text]);
  const { scrollRef, from, to } = useLinesInView(lines.length, lit ?? null);
  const shown = lines.slice(from, to);
  return (
    <div
      ref={scrollRef}
      className={cx(styles.view, className)}
      // A scrolled region must be reachable by keyboard.
      tabIndex={0}
      role="group"
      aria-label={label}
      data-text-length={text.length}
      onCopy={(event) => {
        const selection = window.getSelection();
        if (!selection || !isWholeSelection(selection, event.currentTarget)) return;
        event.clipboardData.setData('text/plain', text);
        event.preventDefault();
      }}
    >
      <div style={{ height: from * lineHeightPx }} />
      <pre className={styles.lines}>
        {shown.map((line, index) => (
          <div key={from + index} className={cx(styles.line, lit === from + index + 1 && styles.lit)}>
            <span className={styles.gutter} data-line={from + index + 1} />
            <span className={styles.text}>{drawLine(text, line, marks ?? [], isPlain ?? false)}</span>
          </div>
        ))}
      </pre>
      <div style={{ height: (lines.length - to) * lineHeightPx }} />
    </div>
  );
}

interface Line {
  start: number;
  end: number;
}

function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (;;) {
    const end = text.indexOf('\n', start);
    if (end === -1) break;
    lines.push({ start, end: text[end - 1] === '\r' ? Math.max(start, end - 1) : end });
    start = end + 1;
  }
  lines.push({ start, end: text.length });
  return lines;
}

function useLinesInView(count: number, lit: number | null) {
  const scrollRef = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState({ from: 0, to: 80 });
  useEffect(() => {
    const element = scrollRef.current;
    if (!element) return;
    const measure = (): void => {
      const top = Math.floor(element.scrollTop / lineHeightPx);
      const shown = Math.ceil(element.clientHeight / lineHeightPx);
      const from = Math.max(0, Math.floor((top - spareLines) / 10) * 10);
      const to = Math.ceil((top + shown + spareLines) / 10) * 10;
      setRange((before) => (before.from === from && before.to === to ? before : { from, to }));
    };
    measure();
    element.addEventListener('scroll', measure, { passive: true });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', measure);
      observer.disconnect();
    };
  }, [count]);
  useEffect(() => {
    const element = scrollRef.current;
    if (lit === null || !element) return;
    element.scrollTo({ top: Math.max(0, (lit - 1) * lineHeightPx - element.clientHeight / 2) });
  }, [lit]);
  return { scrollRef, from: Math.min(range.from, Math.max(0, count - 1)), to: Math.min(range.to, count) };
}

/** Cuts a line at tokens and marks alike; a mark may lie inside a token. */
function drawLine(text: string, line: Line, marks: readonly TextMark[], isPlain: boolean): ReactNode {
  const content = text.slice(line.start, Math.min(line.end, line.start + longestShownLine));
  const tokens = isPlain
    ? [{ kind: 'plain' as const, start: 0, end: content.length }]
    : tokenizeJsonLine(content);
  const inLine = marks.filter((mark) => mark.start < line.end && mark.end > line.start);
  const parts: ReactNode[] = [];
  for (const token of tokens) {
    for (const piece of cutByMarks(token.start, token.end, line.start, inLine)) {
      parts.push(
        <span key={piece.start} className={cx(styles[token.kind], piece.className)}>
          {content.slice(piece.start, piece.end)}
        </span>,
      );
    }
  }
  if (line.end - line.start > longestShownLine) {
    parts.push(
      <span key="cut" className={styles.cut}>
        {` … ${(line.end - line.start - longestShownLine).toLocaleString('en')} more characters`}
      </span>,
    );
  }
  return parts;
}

function cutByMarks(start: number, end: number, offset: number, marks: readonly TextMark[]) {
  const edges = new Set([start, end]);
  for (const mark of marks) {
    for (const edge of [mark.start - offset, mark.end - offset])
      if (edge > start && edge < end) edges.add(edge);
  }
  const sorted = [...edges].sort((a, b) => a - b);
  return sorted.slice(0, -1).map((from, index) => {
    const to = sorted[index + 1] ?? end;
    const mark = marks.find((one) => one.start - offset <= from && one.end - offset >= to);
    return { start: from, end: to, className: mark?.className };
  });
}

function isWholeSelection(selection: Selection, view: HTMLElement): boolean {
  const lines = view.querySelector('pre');
  return lines !== null && selection.containsNode(lines, false);
}
