import { explainerOf } from '../../session/handover';
import { readWholeAnswer } from '../../session/whole-answer';
import { ErrorLine } from '../../ui/error-line';
import { ExchangeParts } from '../../ui/exchange-parts';
import { Skeleton } from '../../ui/spinner';
import { usePaymentsStore } from './payments-store';
import styles from './payments.module.css';

/** One request and its answer, under its event. */
export function ExchangeBody() {
  const exchange = usePaymentsStore((state) => state.exchange);
  const error = usePaymentsStore((state) => state.exchangeError);
  return (
    <div className={styles.exchange}>
      {error ? (
        <ErrorLine error={error} />
      ) : exchange ? (
        <ExchangeParts
          exchange={exchange}
          onExplain={explainerOf(exchange)}
          readWhole={() => readWholeAnswer(exchange)}
        />
      ) : (
        <Skeleton lines={4} />
      )}
    </div>
  );
}
