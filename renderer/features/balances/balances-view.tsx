import { localEnvironmentId } from '@shared/contract/environment-id';
import { products } from '@shared/payments/tables/products';
import { useEffect } from 'react';
import { afterReconnect } from '../../transport/client';
import { useAppStatus } from '../../session/app-status';
import { useViewTask } from '../../session/tasks';
import { Button } from '../../ui/button';
import { EmptyView } from '../../ui/empty-view';
import { FactList } from '../../ui/pane-header';
import { Select } from '../../ui/select';
import { SplitPane } from '../../ui/split-pane';
import { TextField } from '../../ui/text-field';
import { Amount } from '../../ui/amount';
import { dropUnanswered, entryKey, noBalances, repeatSeconds, useBalancesStore } from './balances-store';
import styles from './balances.module.css';
import { describeUnread, nameRepeat } from './describe-repeat';
import { repeatWhileVisible } from './repeat-while-visible';
import { StepLine } from './step-line';
import { WalletDetail } from './wallet-detail';
import { WalletTable } from './wallet-table';
import { ForeignText } from '../../ui/foreign-text';
import column from '../../ui/column.module.css';
import { mainButton } from '../../ui/main-button';

/** Wallets of all products side by side, as the service tells them. */
export function BalancesView() {
  const environment = useAppStatus((state) => state.status?.environment);
  const id = environment?.id ?? localEnvironmentId;
  const isUntouched = useIsUntouched(id);
  useViewTask('readBalances', () => void useBalancesStore.getState().refreshAll(id));
  const isLocal = environment?.kind === 'local';
  useKept(id, isLocal ? null : environment?.baseUrl);
  useReading(id, isLocal && isUntouched);
  return (
    <div className={column.rest}>
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
              defaultSize: '64%',
              minSize: 420,
            },
            {
              id: 'balances-detail',
              label: 'Wallet',
              content: <WalletDetail environment={id} />,
              defaultSize: '36%',
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
    products.every((product) => {
      const { answer, error, isLoading } = entries[entryKey(environment, product)] ?? noBalances;
      return answer === null && error === null && !isLoading;
    }),
  );
}

/** Readings of earlier sessions, of the address that the environment has; undefined: nobody told it yet. */
function useKept(environment: string, address: string | null | undefined): void {
  const readKept = useBalancesStore((state) => state.readKept);
  useEffect(() => {
    if (address === undefined) return;
    const read = (): void => void readKept(environment, address);
    read();
    return afterReconnect(read);
  }, [environment, address, readKept]);
}

/** The sandbox is part of the app; a service elsewhere is asked only when the user says so. */
function useReading(environment: string, isFirst: boolean): void {
  const refreshAll = useBalancesStore((state) => state.refreshAll);
  const seconds = useBalancesStore((state) => state.every[environment] ?? 0);
  useEffect(dropUnanswered, []);
  useEffect(() => {
    if (isFirst) void refreshAll(environment);
  }, [isFirst, environment, refreshAll]);
  useEffect(() => {
    if (seconds === 0) return;
    return repeatWhileVisible(document, seconds * 1000, () => void refreshAll(environment, true));
  }, [seconds, environment, refreshAll]);
}

function Bar({ environment, label }: { environment: string; label: string }) {
  const { currency, every, setCurrency, repeat, refreshAll } = useBalancesStore();
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
        <b>Balances</b> <ForeignText text={label} /> · all products
      </p>
      <Select
        label="Read again while on show"
        isLabelHidden
        className={styles.every}
        options={repeatSeconds.map((seconds) => ({ id: String(seconds), label: nameRepeat(seconds) }))}
        selected={String(every[environment] ?? 0)}
        onSelect={(id) => repeat(environment, repeatSeconds.find((one) => String(one) === id) ?? 0)}
      />
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
  const { title, text } = describeUnread(useBalancesStore((state) => state.every[environment] ?? 0));
  return (
    <EmptyView
      title={title}
      steps={[
        {
          title: 'Read every wallet once',
          text,
          action: mainButton('Read the balances', () => void refreshAll(environment)),
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
                <StepLine
                  label="Falls in three steps"
                  columns={{ times: [0, 3, 5, 8, 10], lines: [[9, 7, 4, 3, 3]], literals: [] }}
                />
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
