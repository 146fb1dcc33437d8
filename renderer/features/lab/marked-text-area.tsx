import { useMemo, type ClipboardEvent, type ReactNode } from 'react';
import { cx } from '../../ui/cx';
import { JsonView } from '../../ui/json-view';
import { isEditable } from '../../ui/long-text';
import styles from './lab.module.css';

interface Mark {
  start: number;
  end: number;
  className: string;
}

interface MarkedTextAreaProps {
  label: string;
  value: string;
  marks: readonly Mark[];
  faultLine: number | null;
  placeholder: string;
  onChange: (value: string) => void;
}

/**
 * A text area that shows marks in its text, with line numbers.
 *
 * The text is drawn once, behind a text area whose own text is transparent: what is typed is a plain text area's
 * value, byte for byte. What is too long for a text area is shown without one.
 */
export function MarkedTextArea(props: MarkedTextAreaProps) {
  if (isEditable(props.value)) return <ShortTextArea {...props} />;
  return (
    <div className={styles.area}>
      <JsonView
        text={props.value}
        label={props.label}
        note="Too long to be edited here; the doctor reads all of it. Clear all makes room for another."
      />
    </div>
  );
}

function ShortTextArea({ label, value, marks, faultLine, placeholder, onChange }: MarkedTextAreaProps) {
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
            onPaste={(event) => takeLongPaste(event, onChange)}
            onChange={(event) => onChange(event.target.value)}
          />
        </div>
      </div>
    </div>
  );
}

/** A text area lays out what is pasted before anybody can refuse it: a long text goes past it. */
function takeLongPaste(event: ClipboardEvent<HTMLTextAreaElement>, onChange: (value: string) => void): void {
  const pasted = event.clipboardData.getData('text');
  if (isEditable(pasted)) return;
  event.preventDefault();
  const { value, selectionStart, selectionEnd } = event.currentTarget;
  onChange(value.slice(0, selectionStart) + pasted + value.slice(selectionEnd));
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
