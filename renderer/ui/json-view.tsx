import { useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { cx } from './cx';
import { tokenizeJsonLine } from './json-tokens';
import styles from './json-view.module.css';
import { showControls } from '@shared/show-controls';
import { listTextRows, type TextRow, type TextRows } from './text-rows';
import { useWrap, WrapSwitch } from './wrap-switch';

/** A range of the text that is drawn with a class of its own (a signed field, a fault). */
export interface TextMark {
  start: number;
  end: number;
  className: string;
}

const rowHeightPx = 20;
const spareRows = 20;
/** A row that is not wrapped ends here, and goes on in the next. */
const longestRowChars = 1_000;

/**
 * Read-only text with line numbers and JSON colours; literals stay as written.
 *
 * Only the rows in view are read and drawn, so that no text holds the window up. Selecting all and copying gives the
 * whole text. Lines wrap at the edge where the user wants it so.
 */
export function JsonView({
  text,
  label,
  marks = noMarks,
  fault = null,
  lit = null,
  shownAt = null,
  isPlain = false,
  isNeverWrapped = false,
  note = null,
}: {
  text: string;
  label: string;
  marks?: readonly TextMark[];
  /** Where the text is not what it claims to be: marked, brought into view, and said below. */
  fault?: { readonly start: number; readonly end: number; readonly message: string } | null;
  /** A line (1-based) to bring into view and light up. */
  lit?: number | null;
  /** An offset of the text to bring into view. */
  shownAt?: number | null;
  isPlain?: boolean;
  /** Columns that belong beside each other, as those of bytes. */
  isNeverWrapped?: boolean;
  /** A remark below the text: that it is only the beginning, and where the rest is. */
  note?: ReactNode;
}) {
  const isWrapped = useWrap() && !isNeverWrapped;
  const scrollRef = useRef<HTMLDivElement>(null);
  const probeRef = useRef<HTMLSpanElement>(null);
  const columns = useColumns(scrollRef, probeRef);
  const rowChars = isWrapped ? columns : longestRowChars;
  const rows = useMemo(() => listTextRows(text, rowChars), [text, rowChars]);
  const { from, to } = useRowsInView(scrollRef, rows, lit, shownAt ?? fault?.start ?? null);
  const drawn = useMemo(
    () => (fault === null ? marks : [...marks, { ...fault, className: styles.fault ?? '' }]),
    [marks, fault],
  );
  return (
    <div className={styles.frame}>
      <div
        ref={scrollRef}
        className={styles.view}
        // A scrolled region must be reachable by keyboard.
        tabIndex={0}
        data-ring="frame"
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
        <div style={{ height: from * rowHeightPx }} />
        <pre className={styles.lines}>
          {listRange(rows, from, to).map((row) => (
            <div key={row.start} className={cx(styles.line, lit !== null && lit === row.line && styles.lit)}>
              <span className={styles.gutter} data-line={row.line ?? ''} />
              <span
                className={styles.text}
                style={row.indent === 0 ? undefined : { paddingLeft: `${row.indent}ch` }}
              >
                {drawRow(text, row, drawn, isPlain)}
              </span>
            </div>
          ))}
        </pre>
        <div style={{ height: (rows.count - to) * rowHeightPx }} />
        {rows.isCut ? (
          <p className={styles.cut}>The rest is not shown. Copying everything gives it too.</p>
        ) : null}
      </div>
      <span ref={probeRef} className={styles.probe} data-letters={probe} aria-hidden="true" />
      {isNeverWrapped ? null : (
        <span className={styles.wrap}>
          <WrapSwitch />
        </span>
      )}
      {fault === null ? null : <p className={cx(styles.note, styles.warn)}>{fault.message}</p>}
      {note === null ? null : <p className={styles.note}>{note}</p>}
    </div>
  );
}

const noMarks: readonly TextMark[] = [];
/** Gutter and padding, in pixels. */
const besideTextPx = 44 + 12 + 8;
/** As wide as so many letters are here: some systems draw each on whole pixels, and the type comes when it is loaded. */
const probe = '0'.repeat(20);

/** How many letters fit between the edges. */
function useColumns(
  scrollRef: React.RefObject<HTMLDivElement | null>,
  probeRef: React.RefObject<HTMLSpanElement | null>,
): number {
  const [columns, setColumns] = useState(80);
  useLayoutEffect(() => {
    const [element, letters] = [scrollRef.current, probeRef.current];
    if (!element || !letters) return;
    const measure = (): void => {
      const letterPx = letters.getBoundingClientRect().width / probe.length;
      // A view that is not drawn has no letters, either.
      if (letterPx > 0) setColumns(Math.max(20, Math.floor((element.clientWidth - besideTextPx) / letterPx)));
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const one of [element, letters]) observer.observe(one);
    return () => observer.disconnect();
  }, [scrollRef, probeRef]);
  return columns;
}

function useRowsInView(
  scrollRef: React.RefObject<HTMLDivElement | null>,
  rows: TextRows,
  lit: number | null,
  shownAt: number | null,
): { from: number; to: number } {
  const [range, setRange] = useState({ from: 0, to: 60 });
  useLayoutEffect(() => {
    const element = scrollRef.current;
    if (!element) return;
    const measure = (): void => {
      const top = Math.floor(element.scrollTop / rowHeightPx);
      const shown = Math.ceil(element.clientHeight / rowHeightPx);
      const from = Math.max(0, Math.floor((top - spareRows) / 10) * 10);
      const to = Math.ceil((top + shown + spareRows) / 10) * 10;
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
  }, [scrollRef, rows.count]);
  useEffect(() => {
    const element = scrollRef.current;
    if (lit === null || !element) return;
    element.scrollTo({ top: Math.max(0, rows.indexOfLine(lit) * rowHeightPx - element.clientHeight / 2) });
  }, [lit, rows, scrollRef]);
  useEffect(() => {
    const element = scrollRef.current;
    if (shownAt === null || !element) return;
    const top = rows.indexOfOffset(shownAt) * rowHeightPx;
    const isInView = top >= element.scrollTop && top + rowHeightPx < element.scrollTop + element.clientHeight;
    if (!isInView) element.scrollTo({ top: Math.max(0, top - element.clientHeight / 2) });
  }, [shownAt, rows, scrollRef]);
  const from = Math.min(range.from, Math.max(0, rows.count - 1));
  return { from, to: Math.max(from, Math.min(range.to, rows.count)) };
}

function listRange(rows: TextRows, from: number, to: number): TextRow[] {
  return Array.from({ length: to - from }, (_, index) => rows.at(from + index));
}

/** Cuts a row at tokens and marks alike; a mark may lie inside a token. A row that goes on from the one above has no tokens. */
function drawRow(text: string, row: TextRow, marks: readonly TextMark[], isPlain: boolean): ReactNode {
  const content = text.slice(row.start, row.end);
  const tokens =
    isPlain || row.line === null
      ? [{ kind: 'plain' as const, start: 0, end: content.length }]
      : tokenizeJsonLine(content);
  const inRow = marks.filter((mark) => mark.start < row.end && mark.end > row.start);
  return tokens.flatMap((token) =>
    cutByMarks(token.start, token.end, row.start, inRow).map((piece) => (
      <span key={piece.start} className={cx(styles[token.kind], piece.className)}>
        {showControls(content.slice(piece.start, piece.end))}
      </span>
    )),
  );
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
