import { showControls } from '@shared/show-controls';
import { cx } from './cx';
import { cutDrawn } from './foreign-text';
import { formatAmount, formatAmountChange } from '@shared/payments/format-amount';
import styles from './amount.module.css';
import tones from './tone.module.css';

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
  if (literal === null) return <span className={cx(tones.soft, className)}>–</span>;
  const text = isChange ? formatAmountChange(literal) : formatAmount(literal);
  const tone = isChange && (text.startsWith('+') ? tones.good : tones.bad);
  const missing = Math.max(0, room - (text.split('.')[1]?.length ?? room));
  return (
    // eslint-disable-next-line no-restricted-syntax -- a number and what it lacks
    <bdi className={cx(styles.amount, tone, className)}>
      {showControls(cutDrawn(text))}
      {missing > 0 ? (
        <i className={styles.room} aria-hidden="true">
          {'0'.repeat(missing)}
        </i>
      ) : null}
    </bdi>
  );
}
