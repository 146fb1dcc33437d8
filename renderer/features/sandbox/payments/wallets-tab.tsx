import type { SandboxState } from '@shared/contract/sandbox';
import { useState } from 'react';
import { useMenuCommands } from '../../../session/commands';
import { Amount } from '../../../ui/amount';
import { Button } from '../../../ui/button';
import { DataTable, type Column } from '../../../ui/data-table';
import { ConfirmDialog, FormDialog } from '../../../ui/form-dialog';
import { ErrorLine } from '../../../ui/error-line';
import { formatMoney } from '@shared/payments/format-amount';
import type { MenuAction } from '../../../ui/menu';
import { Tag, type Tone } from '../../../ui/tag';
import { TextField } from '../../../ui/text-field';
import { useAttempt } from '../../../ui/use-attempt';
import { useSandboxStore } from '../sandbox-store';
import shared from '../../../panels/exchange-pane.module.css';
import styles from '../sandbox.module.css';

type WalletRow = SandboxState['wallets'][number] & { id: string };
const walletTones: Record<string, Tone> = { ACTIVE: 'good', SUSPENDED: 'bad', INACTIVE: 'quiet' };

const walletColumns: readonly Column<WalletRow>[] = [
  { id: 'product', label: 'Product', render: ({ product }) => product },
  { id: 'currency', label: 'Currency', isRowHeader: true, render: ({ currency }) => <b>{currency}</b> },
  {
    id: 'status',
    label: 'Status',
    render: ({ status }) => <Tag tone={walletTones[status] ?? 'quiet'}>{status}</Tag>,
  },
  {
    id: 'available',
    label: 'Available',
    isNumeric: true,
    render: ({ availableBalance }) => <Amount literal={availableBalance} />,
  },
  {
    id: 'held',
    label: 'Held',
    isNumeric: true,
    render: ({ heldBalance }) => <Amount literal={heldBalance} />,
  },
  {
    id: 'actual',
    label: 'Actual',
    isNumeric: true,
    render: ({ actualBalance }) => <Amount literal={actualBalance} />,
  },
  {
    id: 'limit',
    label: 'Alert limit',
    isNumeric: true,
    render: ({ alertLimit }) => <Amount literal={alertLimit} />,
  },
];

/** What is asked before a wallet is changed. */
type Question = 'top_up' | 'empty';

/** Money of the sandbox: available + held = actual, always. */
export function WalletsTab() {
  const wallets = useSandboxStore((store) => store.state?.wallets) ?? [];
  const change = useSandboxStore((store) => store.changeWallet);
  const [chosen, setChosen] = useState<string | null>(null);
  const [asking, setAsking] = useState<Question | null>(null);
  const { error, run, clear } = useAttempt();
  const rows = wallets.map((wallet) => ({ ...wallet, id: `${wallet.product}/${wallet.currency}` }));
  const wallet = rows.find(({ id }) => id === chosen);
  const choose = (id: string): void => {
    setChosen(id);
    clear();
  };
  const actionsOf = ({ id, product, currency, status }: WalletRow): MenuAction[] => {
    const ask = (question: Question) => (): void => {
      choose(id);
      setAsking(question);
    };
    const setStatus = (next: 'ACTIVE' | 'SUSPENDED') => (): void => {
      choose(id);
      void run(() => change({ product, currency, change: { kind: 'set_status', status: next } }));
    };
    return [
      { id: 'top_up', label: 'Top up…', onAction: ask('top_up') },
      status === 'ACTIVE'
        ? { id: 'suspend', label: 'Suspend', onAction: setStatus('SUSPENDED') }
        : { id: 'activate', label: 'Activate', onAction: setStatus('ACTIVE') },
      { id: 'empty', label: 'Empty…', onAction: ask('empty') },
    ];
  };
  return (
    <div className={styles.page}>
      <div className={styles.actionBar}>
        {wallet === undefined ? (
          <p>Choose a wallet to top it up, suspend it or empty it.</p>
        ) : (
          <section aria-label={`Wallet ${nameWallet(wallet)}`}>
            <WalletButtons wallet={wallet} actions={actionsOf(wallet)} />
            {error ? <ErrorLine error={error} /> : null}
            <Questions wallet={wallet} asking={asking} onClose={() => setAsking(null)} />
          </section>
        )}
      </div>
      <DataTable
        id="sandbox-wallets"
        label="Wallets of the sandbox"
        columns={walletColumns}
        items={rows}
        selected={chosen}
        onSelect={choose}
        actionsOf={actionsOf}
        empty="No wallets."
      />
      <p className={shared.note}>
        Acceptance holds amount and charges (1 %, half up), success takes them, anything else releases them.
      </p>
    </div>
  );
}

const nameWallet = ({ product, currency }: WalletRow): string => `${product} ${currency}`;

function WalletButtons({ wallet, actions }: { wallet: WalletRow; actions: readonly MenuAction[] }) {
  useMenuCommands('Wallet of the sandbox', actions);
  return (
    <div className={styles.buttons}>
      <b>{nameWallet(wallet)}</b>
      {actions.map(({ id, label, onAction }) => (
        <Button key={id} onPress={onAction}>
          {label}
        </Button>
      ))}
    </div>
  );
}

function Questions({
  wallet,
  asking,
  onClose,
}: {
  wallet: WalletRow;
  asking: Question | null;
  onClose: () => void;
}) {
  const change = useSandboxStore((store) => store.changeWallet);
  const { product, currency } = wallet;
  return (
    <>
      {asking === 'top_up' ? <TopUpDialog wallet={wallet} onClose={onClose} /> : null}
      <ConfirmDialog
        title={`Empty the ${nameWallet(wallet)} wallet?`}
        isOpen={asking === 'empty'}
        onClose={onClose}
        onConfirm={() => change({ product, currency, change: { kind: 'empty' } })}
        confirmLabel="Empty it"
      >
        {`${formatMoney(currency, wallet.availableBalance)} are taken out and every further payment is refused for want of money. What payments under way hold stays.`}
      </ConfirmDialog>
    </>
  );
}

function TopUpDialog({ wallet, onClose }: { wallet: WalletRow; onClose: () => void }) {
  const change = useSandboxStore((store) => store.changeWallet);
  const [amount, setAmount] = useState('1000.00');
  const { product, currency } = wallet;
  const fault =
    /^\d{1,12}(\.\d{1,2})?$/.test(amount) && /[1-9]/.test(amount)
      ? null
      : 'An amount above zero with at most two decimals, like 1000.00.';
  return (
    <FormDialog
      title={`Top up the ${product} ${currency} wallet`}
      onClose={onClose}
      submitLabel="Top up"
      obstacle={fault}
      onSubmit={() => change({ product, currency, change: { kind: 'top_up', amount } })}
    >
      <TextField
        label={`Amount, ${currency}`}
        value={amount}
        onChange={(typed) => setAmount(typed.trim())}
        autoFocus
        fault={fault}
      />
    </FormDialog>
  );
}
