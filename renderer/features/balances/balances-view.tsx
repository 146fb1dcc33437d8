import { localEnvironmentId } from '@shared/contract/environment-id';
import { products } from '@shared/payments/tables/products';
import { useEffect } from 'react';
import { useAppStatus } from '../../session/app-status';
import { Button } from '../../ui/button';
import { EmptyView } from '../../ui/empty-view';
import { FactList } from '../../ui/pane-header';
import { SplitPane } from '../../ui/split-pane';
import { Switch } from '../../ui/switch';
import { TextField } from '../../ui/text-field';
import { Amount } from '../../ui/amount';
import { entryKey, noBalances, useBalancesStore } from './balances-store';
import styles from './balances.module.css';
import { StepLine } from './step-line';
import { WalletDetail } from './wallet-detail';
import { WalletTable } from './wallet-table';

const repeatMs = 30_000;

/** Wallets of all products side by side, as the service tells them. */
export function BalancesView() {
  const environment = useAppStatus((state) => state.status?.environment);
  const id = environment?.id ?? localEnvironmentId;
  const isUntouched = useIsUntouched(id);
  useReading(id, environment?.kind === 'local' && isUntouched);
  return (
    <div className={styles.view}>
      <Bar environment={id} label={environment?.label ?? id} />
      {isUntouched && environment?.kind !== 'local' ? (
        <Unread environment={id} />
      ) : (
        <SplitPane
          id="balances"
          panes={[
            {
              id: 'balances-wallets',
              label: 'Wallets',
              content: <WalletTable environment={id} />,
              defaultSize: '66%',
              minSize: 420,
            },
            {
              id: 'balances-detail',
              label: 'Wallet',
              content: <WalletDetail environment={id} />,
              defaultSize: '34%',
              minSize: 260,
            },
          ]}
        />
      )}
    </div>
  );
}

/** True until something was asked of this environment. */
function useIsUntouched(environment: string): boolean {
  return useBalancesStore(({ entries }) =>
    products.every((product) => (entries[entryKey(environment, product)] ?? noBalances) === noBalances),
  );
}

/** The sandbox is part of the app; a service elsewhere is asked only when the user says so. */
function useReading(environment: string, isFirst: boolean): void {
  const refreshAll = useBalancesStore((state) => state.refreshAll);
  const isRepeating = useBalancesStore((state) => state.isRepeating);
  useEffect(() => {
    if (isFirst) void refreshAll(environment);
  }, [isFirst, environment, refreshAll]);
  useEffect(() => {
    if (!isRepeating) return;
    const timer = setInterval(() => void refreshAll(environment), repeatMs);
    return () => clearInterval(timer);
  }, [isRepeating, environment, refreshAll]);
}

function Bar({ environment, label }: { environment: string; label: string }) {
  const { currency, isRepeating, setCurrency, repeat, refreshAll } = useBalancesStore();
  const isLoading = useBalancesStore(({ entries }) =>
    products.some((product) => entries[entryKey(environment, product)]?.isLoading),
  );
  return (
    <form
      className={styles.bar}
      onSubmit={(event) => {
        event.preventDefault();
        void refreshAll(environment);
      }}
    >
      <p className={styles.where}>
        <b>Balances</b> <bdi>{label}</bdi> · all products
      </p>
      <Switch isSelected={isRepeating} onChange={repeat}>
        Every 30 s while open
      </Switch>
      <TextField
        label="Currency"
        isLabelHidden
        className={styles.currency}
        placeholder="All currencies"
        value={currency}
        onChange={setCurrency}
      />
      <Button type="submit" isDisabled={isLoading}>
        Read now
      </Button>
    </form>
  );
}

function Unread({ environment }: { environment: string }) {
  const refreshAll = useBalancesStore((state) => state.refreshAll);
  return (
    <EmptyView
      title="Balances are read when you ask"
      steps={[
        {
          title: 'Read every wallet once',
          text: 'One query for each product; nothing is sent to this environment by itself.',
          action: (
            <Button variant="primary" onPress={() => void refreshAll(environment)}>
              Read the balances
            </Button>
          ),
        },
      ]}
      example={
        <FactList
          facts={[
            { label: 'Payout KES', value: <Amount literal="954659.08" /> },
            { label: 'Since 09:30', value: <Amount literal="-45340.92" isChange /> },
            {
              label: 'Readings',
              value: (
                <StepLine columns={{ times: [0, 3, 5, 8, 10], lines: [[9, 7, 4, 3, 3]], literals: [] }} />
              ),
            },
          ]}
        />
      }
    >
      The wallets of all products side by side: what can be spent, what is held, and how each moved from one
      reading to the next.
    </EmptyView>
  );
}
