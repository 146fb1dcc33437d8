import { parseDecimal } from '@shared/payments/decimal';
import { cx } from '../../ui/cx';
import { formatAmount, formatAmountChange } from '../../ui/format';
import styles from './amount.module.css';

/** More digits behind the point than any currency has: beyond these a column makes no room. */
const mostRoom = 6;

/** Digits behind the point that a column of amounts needs. */
export function roomFor(literals: readonly (string | null)[]): number {
  const scales = literals.map((literal) => (literal === null ? 0 : (parseDecimal(literal)?.scale ?? 0)));
  return Math.min(mostRoom, Math.max(2, ...scales));
}

/** An amount whose point stands under the points above it; nothing: a dash. */
export function Amount({
  literal,
  room = 2,
  isChange,
  className,
}: {
  literal: string | null;
  /** Of its column, by `roomFor`. */
  room?: number;
  /** Its sign is written and coloured. */
  isChange?: boolean;
  className?: string;
}) {
  if (literal === null) return <span className={cx(styles.none, className)}>–</span>;
  const text = isChange ? formatAmountChange(literal) : formatAmount(literal);
  const tone = isChange && (text.startsWith('+') ? styles.rose : styles.fell);
  const missing = Math.max(0, room - (text.split('.')[1]?.length ?? room));
  return (
    <bdi className={cx(styles.amount, tone, className)}>
      {text}
      {missing > 0 ? (
        <i className={styles.room} aria-hidden="true">
          {'0'.repeat(missing)}
        </i>
      ) : null}
    </bdi>
  );
}
