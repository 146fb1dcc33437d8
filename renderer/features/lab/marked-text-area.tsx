import { memo, useMemo, type ClipboardEvent } from 'react';
import { cx } from '../../ui/cx';
import { JsonView } from '../../ui/json-view';
import { isEditable } from '../../ui/long-text';
import { useWrap } from '../../ui/wrap-switch';
import { cutLines, type Mark, type LinePiece } from './cut-lines';
import styles from './lab.module.css';

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
  const isWrapped = useWrap();
  const lines = useMemo(() => cutLines(value, marks), [value, marks]);
  return (
    <div className={cx(styles.area, isWrapped && styles.wrapped)}>
      <div className={styles.sheet}>
        <pre aria-hidden="true">
          {lines.map((pieces, index) => (
            <Line key={index} number={index + 1} pieces={pieces} isFaulty={index + 1 === faultLine} />
          ))}
        </pre>
        <textarea
          className={styles.typed}
          aria-label={label}
          value={value}
          placeholder={placeholder}
          spellCheck={false}
          wrap={isWrapped ? 'soft' : 'off'}
          onPaste={(event) => takeLongPaste(event, onChange)}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
    </div>
  );
}

/** A line keeps its number at its first row, however many rows it wraps into. */
const Line = memo(
  function Line({
    number,
    pieces,
    isFaulty,
  }: {
    number: number;
    pieces: readonly LinePiece[];
    isFaulty: boolean;
  }) {
    return (
      <div className={cx(styles.line, isFaulty && styles.faulty)}>
        <span className={styles.number}>{number}</span>
        <span className={styles.lineText}>
          {pieces.map(({ text, className }, index) => (
            <span key={index} className={className}>
              {text}
            </span>
          ))}
          {'\n'}
        </span>
      </div>
    );
  },
  (before, after) =>
    before.isFaulty === after.isFaulty &&
    before.pieces.length === after.pieces.length &&
    before.pieces.every(
      ({ text, className }, index) =>
        text === after.pieces[index]!.text && className === after.pieces[index]!.className,
    ),
);

/** A text area lays out what is pasted before anybody can refuse it: a long text goes past it. */
function takeLongPaste(event: ClipboardEvent<HTMLTextAreaElement>, onChange: (value: string) => void): void {
  const pasted = event.clipboardData.getData('text');
  if (isEditable(pasted)) return;
  event.preventDefault();
  const { value, selectionStart, selectionEnd } = event.currentTarget;
  onChange(value.slice(0, selectionStart) + pasted + value.slice(selectionEnd));
}
