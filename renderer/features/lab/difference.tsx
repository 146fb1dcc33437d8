import type { DoctorResult } from '@shared/contract/doctor';
import { useMemo, type ReactNode } from 'react';
import { CopyButton } from '../../ui/copy-text';
import { cx } from '../../ui/cx';
import { signedFieldClass } from '../../ui/string-to-sign-spans';
import { diffStrings } from '../../ui/diff-strings';
import { cutPieces, type CutPiece } from './cut-pieces';
import { readBody } from './lab-selectors';
import { useLabStore } from './lab-store';
import { showInvisibles } from './visible-text';
import styles from './lab.module.css';
import { ForeignText } from '../../ui/foreign-text';
import tones from '../../ui/tone.module.css';

/** Longer strings are compared by the doctor, and drawn cut. */
const longestDrawn = 20_000;

/** Expected above, signed below, differences marked, invisible characters visible. */
export function Difference({ result }: { result: DoctorResult }) {
  const claimed = useLabStore((state) => state.claimedString);
  const body = useLabStore((state) => state.diagnosedBody);
  const { expectedString, signedString } = result;
  const spans = useMemo(() => {
    const reading = readBody(body);
    return reading?.kind === 'read' && reading.string.text === expectedString ? reading.string.spans : [];
  }, [body, expectedString]);
  const diff = useMemo(
    () =>
      expectedString === null || signedString === null
        ? null
        : diffStrings(expectedString.slice(0, longestDrawn), signedString.slice(0, longestDrawn)),
    [expectedString, signedString],
  );
  if (expectedString === null && signedString === null) return null;
  const claim =
    claimed === '' || expectedString === null
      ? null
      : diffStrings(expectedString.slice(0, longestDrawn), claimed.slice(0, longestDrawn));
  return (
    <div className={styles.diff}>
      {expectedString === null ? null : (
        <DiffRow
          label="Expected"
          text={expectedString}
          pieces={cutPieces(
            diff?.expected ?? [{ text: expectedString.slice(0, longestDrawn), isDifferent: false }],
            spans,
          )}
        />
      )}
      {signedString === null ? null : (
        <DiffRow
          label="What was signed"
          text={signedString}
          pieces={cutPieces(
            diff?.actual ?? [{ text: signedString.slice(0, longestDrawn), isDifferent: false }],
            diff?.isEqual ? spans : [],
          )}
        />
      )}
      {claim ? <DiffRow label="What they claim" text={claimed} pieces={cutPieces(claim.actual, [])} /> : null}
    </div>
  );
}

/** What stands under a verdict, with made-up values. */
export function ExampleDifference() {
  const diff = diffStrings('INV-20421500.00KE', 'INV-20421500KE');
  return (
    <div className={styles.diff}>
      <DiffRow label="Expected" text="INV-20421500.00KE" pieces={cutPieces(diff.expected, [])} />
      <DiffRow label="What was signed" text="INV-20421500KE" pieces={cutPieces(diff.actual, [])} />
    </div>
  );
}

function DiffRow({ label, text, pieces }: { label: string; text: string; pieces: readonly CutPiece[] }) {
  return (
    <div className={styles.diffRow}>
      <span className={styles.diffLabel}>{label}</span>
      <code className={styles.diffText} tabIndex={0} dir="ltr">
        {pieces.map((piece, index) => (
          <PieceText key={index} piece={piece} />
        ))}
        {text === '' ? <span className={tones.faint}>the empty string</span> : null}
      </code>
      <CopyButton text={text} name={`Copy: ${label}`} />
    </div>
  );
}

function PieceText({ piece }: { piece: CutPiece }): ReactNode {
  const content = showInvisibles(piece.text).map((part, index) => {
    if (part.name === null) return <ForeignText key={index} text={part.text} />;
    // A space inside what is the same on both sides reads better as a space.
    if (part.name === 'space' && !piece.isDifferent) return ' ';
    return (
      <span key={index} className={styles.invisible} title={part.name}>
        {part.text}
      </span>
    );
  });
  const hue = piece.field ? signedFieldClass(piece.field) : undefined;
  return piece.isDifferent ? (
    <mark className={cx(styles.mark)}>{content}</mark>
  ) : (
    <span className={hue}>{content}</span>
  );
}
