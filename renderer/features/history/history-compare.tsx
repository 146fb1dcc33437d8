import type { Exchange } from '@shared/contract/sending';
import { TextButton } from '../../ui/button';
import { formatExact } from '../../ui/format-time';
import { JsonDifferences } from '../../ui/json-differences';
import { bodiesOf, compareBytes } from './history-selectors';
import { compareWith } from './history-store';
import { StringsCompare } from './strings-compare';
import styles from './history.module.css';

const shortened = ' Of a long answer the beginning is compared.';

/** The exchange on show against another one: strings to sign, then each body by its bytes and by what it means. */
export function HistoryCompare({ exchange, other }: { exchange: Exchange; other: Exchange }) {
  const left = bodiesOf(other);
  const right = bodiesOf(exchange);
  const isShortened = [exchange, other].some(({ response }) => response?.isBodyShortened === true);
  if (exchange.id === other.id) {
    return (
      <p className={styles.compareHead} role="status">
        <span>Choose another exchange in the list: it is compared with this one.</span>
        <TextButton onPress={() => void compareWith(null)}>Compare with none</TextButton>
      </p>
    );
  }
  return (
    <section className={styles.compare} aria-label="Comparison">
      <p className={styles.compareHead}>
        <span>{`Against “${other.title}” of ${formatExact(other.sentAt)}: there, and here.`}</span>
        <TextButton onPress={() => void compareWith(null)}>Compare with none</TextButton>
      </p>
      <StringsCompare left={other.request.stringToSign} right={exchange.request.stringToSign} />
      <h3>Sent</h3>
      <p className={styles.quiet}>{compareBytes(left.sent, right.sent)}.</p>
      <JsonDifferences left={left.sent} right={right.sent} />
      <h3>Received</h3>
      <p className={styles.quiet}>
        {`${other.response?.httpStatus ?? 'No answer'} there, ${exchange.response?.httpStatus ?? 'no answer'} here. `}
        {compareBytes(left.received, right.received)}.{isShortened ? shortened : ''}
      </p>
      <JsonDifferences left={left.received} right={right.received} />
    </section>
  );
}
