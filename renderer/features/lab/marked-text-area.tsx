import { useMemo, type ReactNode } from 'react';
import { cx } from '../../ui/cx';
import styles from './lab.module.css';

interface Mark {
  start: number;
  end: number;
  className: string;
}

/**
 * A text area that shows marks in its text, with line numbers.
 *
 * The text is drawn once, behind a text area whose own text is transparent: what is typed is a plain text area's
 * value, byte for byte, and a body of a megabyte stays a handful of elements.
 */
export function MarkedTextArea({
  label,
  value,
  marks,
  faultLine,
  placeholder,
  onChange,
}: {
  label: string;
  value: string;
  marks: readonly Mark[];
  faultLine: number | null;
  placeholder: string;
  onChange: (value: string) => void;
}) {
  const lineCount = useMemo(() => value.split('\n').length, [value]);
  const numbers = useMemo(
    () => Array.from({ length: lineCount }, (_, index) => index + 1).join('\n'),
    [lineCount],
  );
  return (
    <div className={styles.area}>
      <div className={styles.areaInner}>
        <pre className={styles.numbers} aria-hidden="true">
          {numbers}
        </pre>
        <div className={styles.sheet}>
          {faultLine === null ? null : (
            <span className={styles.faultLine} style={{ top: (faultLine - 1) * 20 }} />
          )}
          <pre className={cx(styles.drawn)} aria-hidden="true">
            {drawMarks(value, marks)}
            {'\n'}
          </pre>
          <textarea
            className={styles.typed}
            aria-label={label}
            value={value}
            placeholder={placeholder}
            spellCheck={false}
            wrap="off"
            onChange={(event) => onChange(event.target.value)}
          />
        </div>
      </div>
    </div>
  );
}

function drawMarks(text: string, marks: readonly Mark[]): ReactNode[] {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const mark of marks.toSorted((left, right) => left.start - right.start)) {
    if (mark.start < at || mark.end > text.length) continue;
    parts.push(text.slice(at, mark.start));
    parts.push(
      <span key={mark.start} className={mark.className}>
        {text.slice(mark.start, mark.end)}
      </span>,
    );
    at = mark.end;
  }
  parts.push(text.slice(at));
  return parts;
}
