import type { SignedFieldName } from '@shared/contract/common';
import { useMemo } from 'react';
import { cx } from '../../../ui/cx';
import { signedFieldClass } from '../../../ui/string-to-sign-spans';
import styles from './byte-table.module.css';
import { listByteRows } from './byte-rows';
import { ForeignText } from '../../../ui/foreign-text';
import { countOf } from '@shared/count-of';

/** The string to sign, character by character: offset, bytes, name; odd characters stand out. */
export function ByteTable({
  text,
  spans,
}: {
  text: string;
  spans: readonly { field: SignedFieldName; start: number; end: number }[];
}) {
  const { rows, isCut } = useMemo(() => listByteRows(text, spans), [text, spans]);
  const oddCount = rows.filter(({ isOdd }) => isOdd).length;
  return (
    <div className={styles.wrap} tabIndex={0} role="group" aria-label="Bytes of the string to sign">
      <ol className={styles.bytes}>
        {rows.map((row) => (
          <li key={row.offset} className={cx(styles.byte, row.isOdd && styles.odd)} title={row.name}>
            <span className={styles.offset}>{row.offset}</span>
            <ForeignText
              className={cx(styles.character, row.field && signedFieldClass(row.field))}
              text={row.character}
            />
            <span className={styles.hex}>{row.hex}</span>
            {row.isOdd ? <span className={styles.name}>{row.name}</span> : null}
          </li>
        ))}
      </ol>
      <p className={styles.note}>
        {oddCount === 0
          ? 'Printable ASCII alone.'
          : `${countOf(oddCount, 'character')} beyond printable ASCII, named above.`}
        {isCut ? ' The first 2,000 characters are listed.' : ''}
      </p>
    </div>
  );
}
