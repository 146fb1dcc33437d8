import { lazy, Suspense } from 'react';
import type { Wallet } from '@shared/payments/read-wallets';
import { CopyText } from '../../ui/copy-text';
import { EmptyState } from '../../ui/empty-state';
import { formatAmount, roomFor } from '@shared/payments/format-amount';
import { formatExact } from '../../ui/format-time';
import { FactList } from '../../ui/pane-header';
import { showControls } from '@shared/show-controls';
import { Amount } from '../../ui/amount';
import { chartColumns, describeWallet, heldOf, stepsOf, type WalletStep } from './balances-selectors';
import { entryKey, findWallet, noBalances, useBalancesStore } from './balances-store';
import styles from './balances.module.css';
import { nameProduct, WalletTags } from './wallet-table';

const StepChart = lazy(async () => ({ default: (await import('./step-chart')).StepChart }));

/** One wallet: what its amounts mean, how they moved, and when. */
export function WalletDetail({ environment }: { environment: string }) {
  const entries = useBalancesStore((state) => state.entries);
  const chosen = useBalancesStore((state) => state.chosen);
  const shown = findWallet({ chosen, entries }, environment);
  if (shown === null) {
    return (
      <EmptyState title="No wallet yet">Its amounts over time, and when they changed, stand here.</EmptyState>
    );
  }
  const { product, wallet } = shown;
  const { answer, readings } = entries[entryKey(environment, product)] ?? noBalances;
  const steps = stepsOf(readings, wallet.currency);
  return (
    <div className={styles.detail}>
      <header className={styles.detailHead}>
        <h2 className={styles.detailTitle}>
          <bdi>{`${nameProduct(product)} ${showControls(wallet.currency)}`}</bdi>{' '}
          <WalletTags wallet={wallet} />
        </h2>
        <p>{describeWallet(wallet, steps)}</p>
      </header>
      <FactList facts={listFacts(wallet)} />
      {steps.length > 1 ? (
        <Suspense fallback={<div className={styles.plot} />}>
          <StepChart
            columns={chartColumns(steps, wallet.alertLimit, answer?.fetchedAt ?? 0)}
            label={`Amounts of ${product} ${wallet.currency}; the table below has the same figures`}
          />
        </Suspense>
      ) : (
        <p className={styles.hint}>
          Nothing moved since the first reading. The next one that differs draws a line here.
        </p>
      )}
      <StepTable steps={steps} />
    </div>
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

/** Readings of this session that differ from the one before, newest first. */
function StepTable({ steps }: { steps: readonly WalletStep[] }) {
  const room = roomFor(steps.flatMap(({ available, change }) => [available, change]));
  return (
    <div className={styles.steps}>
      <table className={styles.table} aria-label="When it changed">
        <thead>
          <tr>
            <th scope="col">When it changed</th>
            <th scope="col" className={styles.number}>
              Available
            </th>
            <th scope="col" className={styles.number}>
              Change
            </th>
          </tr>
        </thead>
        <tbody>
          {steps.toReversed().map(({ at, available, change }, index) => (
            <tr key={at}>
              <td>
                <time title={formatExact(at)}>{formatExact(at).slice(11, 19)}</time>
              </td>
              <td className={styles.number}>
                <Amount literal={available} room={room} />
              </td>
              <td className={styles.number}>
                {index === steps.length - 1 ? (
                  <span className={styles.quiet}>first reading</span>
                ) : (
                  <Amount literal={change} room={room} isChange />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
