import { describeBalanceChange } from '@shared/payments/describe-balance-change';
import { formatMoney } from '@shared/payments/format-amount';
import { showControls } from '@shared/show-controls';
import { useEffect } from 'react';
import { afterReconnect } from '../../transport/client';
import { ErrorLine } from '../../ui/error-line';
import { Select } from '../../ui/select';
import { formatReadingTime, type WalletChoice } from './balances-selectors';
import { useBalancesStore, useWalletPayments } from './balances-store';
import styles from './balances.module.css';

/** What a chosen payment did to its wallet, in words. `readAt`: the last reading; a later one may tell more. */
export function PaymentChange(props: WalletChoice & { environment: string; readAt: number }) {
  const { environment, product, currency, readAt } = props;
  const { around, readPayments, showAround } = useBalancesStore();
  const own = useWalletPayments(environment, { product, currency });
  const reference = own.find((one) => one.reference === around?.reference)?.reference ?? null;
  useEffect(() => void readPayments(), [readAt, readPayments]);
  useEffect(() => {
    if (reference === null) return;
    const show = (): void => void showAround(environment, reference);
    show();
    return afterReconnect(show);
  }, [environment, reference, readAt, showAround]);
  if (own.length === 0) return null;
  return (
    <section className={styles.around} aria-label="Change around a payment">
      <Select
        label="Change around a payment"
        options={own.map((one) => ({
          id: one.reference,
          label: showControls(one.reference),
          detail: [formatMoney(one.currency, one.amount), formatReadingTime(one.sentAt, readAt)].join(' · '),
        }))}
        selected={reference}
        onSelect={(chosen) => void showAround(environment, chosen)}
      />
      <div role="status" className={styles.aroundText}>
        {reference === null || around === null || around.environment !== environment ? null : around.error ? (
          <ErrorLine error={around.error} />
        ) : around.found === null ? null : (
          describeBalanceChange(around.found, (at) => formatReadingTime(at, readAt))
        )}
      </div>
    </section>
  );
}
