import { findErrorPlace } from '../../session/error-place';
import { localEnvironmentId } from '@shared/contract/environment-id';
import { useEffect } from 'react';
import { useAppStatus } from '../../session/app-status';
import { Button, TextButton } from '../../ui/button';
import { Choice } from '../../ui/choice';
import { EmptyState } from '../../ui/empty-state';
import { ErrorLine } from '../../ui/error-line';
import { formatDuration, formatExact } from '../../ui/format-time';
import { Spinner } from '../../ui/spinner';
import { TextField } from '../../ui/text-field';
import { describeRefusal } from './balances-selectors';
import { entryKey, noBalances, useBalancesStore, type ProductBalances } from './balances-store';
import { ReadingChart } from './reading-chart';
import { WalletTable } from './wallet-table';
import styles from './balances.module.css';
import { products } from '@shared/payments/tables/products';

const options = products.map((id) => ({ id, label: `${id[0]!.toUpperCase()}${id.slice(1)}` }));

/** Wallets of one product, as the service tells them. */
export function BalancesView() {
  const environment = useAppStatus((state) => state.status?.environment);
  const product = useBalancesStore((state) => state.product);
  const choose = useBalancesStore((state) => state.choose);
  const refresh = useBalancesStore((state) => state.refresh);
  const id = environment?.id ?? localEnvironmentId;
  const entry = useBalancesStore((state) => state.entries[entryKey(id, product)] ?? noBalances);
  const isLocal = environment?.kind === 'local';
  const isUntouched = entry.answer === null && entry.error === null && !entry.isLoading;
  useEffect(() => {
    // The sandbox is part of the app; a service elsewhere is asked only when the user says so.
    if (isLocal && isUntouched) void refresh(id, product);
  }, [isLocal, isUntouched, id, product, refresh]);
  return (
    <div className={styles.view}>
      <div className={styles.bar}>
        <Choice label="Product" options={options} selected={product} onSelect={choose} />
        <Asking environment={id} label={environment?.label ?? id} entry={entry} />
      </div>
      <Content environment={id} entry={entry} />
    </div>
  );
}

function Asking({
  environment,
  label,
  entry,
}: {
  environment: string;
  label: string;
  entry: ProductBalances;
}) {
  const product = useBalancesStore((state) => state.product);
  const currency = useBalancesStore((state) => state.currency);
  const setCurrency = useBalancesStore((state) => state.setCurrency);
  const refresh = useBalancesStore((state) => state.refresh);
  const refreshAll = useBalancesStore((state) => state.refreshAll);
  const totalMs = entry.answer?.exchange.timings?.totalMs;
  return (
    <form
      className={styles.asking}
      onSubmit={(event) => {
        event.preventDefault();
        void refresh(environment, product);
      }}
    >
      {entry.answer ? (
        <span className={styles.asOf}>
          {`${label}, as of `}
          <time title={formatExact(entry.answer.fetchedAt)}>
            {formatExact(entry.answer.fetchedAt).slice(11, 19)}
          </time>
          {totalMs === undefined ? '' : `, ${formatDuration(totalMs)}`}
        </span>
      ) : (
        <span className={styles.asOf}>{label}</span>
      )}
      {entry.isLoading ? <Spinner label="Asking for balances" /> : null}
      <TextField
        label="Currency"
        isLabelHidden
        className={styles.currency}
        placeholder="All"
        value={currency}
        onChange={setCurrency}
      />
      <Button type="submit" isDisabled={entry.isLoading}>
        Refresh
      </Button>
      <TextButton className={styles.all} onPress={() => void refreshAll(environment)}>
        Refresh all products
      </TextButton>
    </form>
  );
}

function Content({ environment, entry }: { environment: string; entry: ProductBalances }) {
  const place = entry.error ? findErrorPlace(entry.error) : null;
  const product = useBalancesStore((state) => state.product);
  const refresh = useBalancesStore((state) => state.refresh);
  const refusal = entry.answer ? describeRefusal(entry.answer.exchange) : null;
  if (entry.answer === null && entry.error === null) {
    if (entry.isLoading) return null;
    return (
      <EmptyState
        title="Balances are read when you ask"
        action={
          <Button variant="primary" onPress={() => void refresh(environment, product)}>
            Read the balances
          </Button>
        }
      >
        Nothing is sent to this environment by itself.
      </EmptyState>
    );
  }
  return (
    <>
      {entry.error ? (
        <ErrorLine error={entry.error} className={styles.fault}>
          {place ? <a href={place.href}>{place.label}</a> : null}
        </ErrorLine>
      ) : null}
      {refusal ? (
        <div className={styles.refusal} role="status">
          <p className={styles.headline}>{refusal.headline}</p>
          <p>{refusal.detail}</p>
        </div>
      ) : null}
      {entry.answer && entry.answer.wallets.length > 0 ? (
        <>
          <WalletTable wallets={entry.answer.wallets} readings={entry.readings} />
          <ReadingChart key={`${environment}/${product}`} readings={entry.readings} />
        </>
      ) : entry.answer && !refusal ? (
        <EmptyState title="No wallets">The service lists none for this product and currency.</EmptyState>
      ) : null}
    </>
  );
}
