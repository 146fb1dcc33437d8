import { beginTask } from '../../session/tasks';
import { Button } from '../../ui/button';
import { products } from '@shared/payments/tables/products';
import type { Wallet } from '@shared/payments/read-wallets';
import { CopyText } from '../../ui/copy-text';
import { EmptyState } from '../../ui/empty-state';
import { ErrorLine } from '../../ui/error-line';
import { showControls } from '@shared/show-controls';
import { formatAmount } from '@shared/payments/format-amount';
import { FactList } from '../../ui/pane-header';
import { Skeleton } from '../../ui/spinner';
import {
  chartColumns,
  describeNoWallet,
  describeSteps,
  describeWallet,
  heldOf,
  stepsOf,
} from './balances-selectors';
import { entryKey, findWallet, noBalances, useBalancesStore, type ProductBalances } from './balances-store';
import styles from './balances.module.css';
import { PaymentChange } from './payment-change';
import { StepTable } from './step-table';
import { nameProduct, WalletTags } from './wallet-table';
import { cutDrawn, ForeignText } from '../../ui/foreign-text';
import { later } from '../../ui/later';
import column from '../../ui/column.module.css';

const StepChart = later(async () => (await import('./step-chart')).StepChart, {
  instead: () => <div className={styles.plot} />,
  isSeldom: true,
});

/** One wallet: what its amounts mean, how they moved, and when. */
export function WalletDetail({ environment }: { environment: string }) {
  const entries = useBalancesStore((state) => state.entries);
  const chosen = useBalancesStore((state) => state.chosen);
  const keptError = useBalancesStore((state) => state.keptError);
  const shown = findWallet({ chosen, entries }, environment);
  if (shown === null)
    return <NoWallet entries={products.map((one) => entries[entryKey(environment, one)] ?? noBalances)} />;
  const { product, wallet } = shown;
  const { told, readings } = entries[entryKey(environment, product)] ?? noBalances;
  const steps = stepsOf(readings, wallet.currency);
  return (
    <div className={column.scroll}>
      <header className={styles.detailHead}>
        <h2 className={styles.detailTitle}>
          <ForeignText text={`${nameProduct(product)} ${wallet.currency}`} /> <WalletTags wallet={wallet} />
        </h2>
        <p>{describeWallet(wallet, steps)}</p>
      </header>
      <FactList facts={listFacts(wallet)} />
      {keptError ? <ErrorLine error={keptError} /> : null}
      {steps.length > 0 ? (
        <StepChart
          columns={chartColumns(steps, wallet.alertLimit, told?.fetchedAt ?? 0)}
          label={`${nameProduct(product)} ${showControls(cutDrawn(wallet.currency))}. ${describeSteps(steps, told?.fetchedAt ?? 0)}. The table below has each change.`}
        />
      ) : null}
      {steps.length > 1 ? null : (
        <p className={styles.hint}>
          Nothing moved since the first reading. The next one that differs draws a step here.
        </p>
      )}
      <PaymentChange
        environment={environment}
        product={product}
        currency={wallet.currency}
        readAt={told?.fetchedAt ?? 0}
      />
      <StepTable
        wallet={{ product, currency: wallet.currency }}
        environment={environment}
        steps={steps}
        now={told?.fetchedAt ?? 0}
      />
    </div>
  );
}

/** Says why there is none: nobody asked, the service has none, or it could not be asked. */
function NoWallet({ entries }: { entries: readonly ProductBalances[] }) {
  const told = describeNoWallet(entries);
  if (told === null) return <Skeleton lines={6} />;
  const { title, text } = told;
  return (
    <EmptyState title={title} action={<Button onPress={() => beginTask('readBalances')}>Read now</Button>}>
      {text}
    </EmptyState>
  );
}

function listFacts(wallet: Wallet) {
  const copied = (label: string, literal: string) => ({
    label,
    value: (
      <CopyText text={literal} isCode={false} label={`${label.toLowerCase()} ${wallet.currency}`}>
        {formatAmount(literal)}
      </CopyText>
    ),
  });
  const held = heldOf(wallet);
  return [
    copied('Available', wallet.availableBalance),
    copied('Actual', wallet.actualBalance),
    ...(held === null ? [] : [copied('Held', held)]),
    ...(wallet.alertLimit === null ? [] : [copied('Alert limit', wallet.alertLimit)]),
  ];
}
