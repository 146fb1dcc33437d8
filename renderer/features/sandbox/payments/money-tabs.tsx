import type { SandboxState } from '@shared/contract/sandbox';
import { CopyText } from '../../../ui/copy-text';
import { DataTable, type Column } from '../../../ui/data-table';
import { groupDigits } from '../../../ui/format';
import { Tag, type Tone } from '../../../ui/tag';
import { outcomes, type Outcome } from './outcomes';
import { useSandboxStore } from '../sandbox-store';
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
    render: ({ availableBalance }) => groupDigits(availableBalance),
  },
  { id: 'held', label: 'Held', isNumeric: true, render: ({ heldBalance }) => groupDigits(heldBalance) },
  {
    id: 'actual',
    label: 'Actual',
    isNumeric: true,
    render: ({ actualBalance }) => groupDigits(actualBalance),
  },
  {
    id: 'limit',
    label: 'Alert limit',
    isNumeric: true,
    render: ({ alertLimit }) => (alertLimit === null ? '–' : groupDigits(alertLimit)),
  },
];

/** Money of the sandbox: available + held = actual, always. */
export function WalletsTab() {
  const wallets = useSandboxStore((store) => store.state?.wallets) ?? [];
  return (
    <div className={styles.page}>
      <DataTable
        label="Wallets of the sandbox"
        columns={walletColumns}
        items={wallets.map((wallet) => ({ ...wallet, id: `${wallet.product}/${wallet.currency}` }))}
        empty="No wallets."
      />
      <p className={styles.note}>
        Acceptance holds amount and charges (1 %, half up), success takes them, anything else releases them.
      </p>
    </div>
  );
}

const outcomeColumns: readonly Column<Outcome & { id: string }>[] = [
  {
    id: 'digits',
    label: 'Account ends in',
    isRowHeader: true,
    render: ({ digits }) =>
      digits === 'others' ? 'anything else' : <CopyText text={digits} label="last digits" />,
  },
  { id: 'effect', label: 'The payment', render: ({ effect }) => <b>{effect}</b> },
  { id: 'detail', label: 'Which means', render: ({ detail }) => detail },
];

/** What the recipient's account number brings about. */
export function OutcomesTab() {
  return (
    <div className={styles.page}>
      <DataTable
        label="Outcomes by account"
        columns={outcomeColumns}
        items={outcomes.map((outcome) => ({ ...outcome, id: outcome.digits }))}
      />
      <p className={styles.note}>
        The last four digits of recipient.account decide, for example 254700000001 for a payment that fails.
      </p>
    </div>
  );
}
