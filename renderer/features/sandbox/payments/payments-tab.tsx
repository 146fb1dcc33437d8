import type { SandboxPayment } from '@shared/contract/sandbox';
import { useMenuCommands } from '../../../session/commands';
import { navigate } from '../../../session/routes';
import { Button, TextButton } from '../../../ui/button';
import { CopyText } from '../../../ui/copy-text';
import { DataTable, type Column } from '../../../ui/data-table';
import { EmptyState } from '../../../ui/empty-state';
import { formatMoney } from '@shared/payments/format-amount';
import { formatExact } from '../../../ui/format-time';
import type { MenuAction } from '../../../ui/menu';
import { FactList } from '../../../ui/pane-header';
import { SplitPane } from '../../../ui/split-pane';
import { Tag } from '../../../ui/tag';
import { paymentTone } from '../sandbox-selectors';
import { useSandboxStore } from '../sandbox-store';
import { listReferenceActions } from '../../../panels/exchange-menu';
import shared from '../../../panels/exchange-pane.module.css';
import styles from '../sandbox.module.css';

type Row = SandboxPayment & { id: string };

const columns: readonly Column<Row>[] = [
  {
    id: 'at',
    label: 'Received',
    width: 80,
    sortBy: ({ timeReceived }) => timeReceived,
    render: ({ timeReceived }) => (
      <span title={formatExact(timeReceived)}>{formatExact(timeReceived).slice(11, 19)}</span>
    ),
  },
  {
    id: 'reference',
    label: 'Reference',
    width: '2fr',
    sortBy: ({ transactionReference }) => transactionReference,
    isRowHeader: true,
    render: ({ transactionReference }) => (
      <CopyText text={transactionReference} label="reference" isCode={false} isInRow />
    ),
  },
  {
    id: 'state',
    label: 'State',
    width: 96,
    sortBy: ({ state }) => state,
    render: ({ state }) => <Tag tone={paymentTone(state)}>{state}</Tag>,
  },
  {
    id: 'amount',
    label: 'Amount',
    width: 116,
    isNumeric: true,
    sortBy: ({ amount }) => Number(amount),
    render: ({ amount, currency }) => formatMoney(currency, amount),
  },
  {
    id: 'product',
    label: 'Product',
    width: 92,
    sortBy: ({ product }) => product,
    render: ({ product }) => product,
  },
  {
    id: 'account',
    label: 'Account',
    width: 112,
    sortBy: ({ account }) => account ?? '',
    render: ({ account }) => account ?? '–',
  },
];

/** Payments that the sandbox holds; one in progress can be brought to an end by hand. */
export function PaymentsTab() {
  const payments = useSandboxStore((store) => store.state?.payments) ?? [];
  const paymentUuid = useSandboxStore((store) => store.paymentUuid);
  const selectPayment = useSandboxStore((store) => store.selectPayment);
  const isBusy = useSandboxStore((store) => store.isBusy);
  const setPaymentState = useSandboxStore((store) => store.setPaymentState);
  return (
    <SplitPane
      id="sandbox-payments"
      panes={[
        {
          id: 'sandbox-payments-list',
          label: 'Payments of the sandbox',
          content: (
            <DataTable
              id="sandbox-payments"
              label="Payments of the sandbox"
              isVirtual
              columns={columns}
              items={payments.map((payment) => ({ ...payment, id: payment.paymentUuid }))}
              selected={paymentUuid}
              onSelect={selectPayment}
              actionsOf={(payment) => [
                ...listEnds(payment, isBusy, setPaymentState),
                ...listReferenceActions(payment.transactionReference, [
                  ['Copy the payment UUID', payment.paymentUuid],
                  ['Copy the payment reference', payment.paymentReference],
                ]),
              ]}
              empty="No payment yet: accepted payouts, remittances and collections stand here."
            />
          ),
          defaultSize: '68%',
          minSize: 320,
        },
        {
          id: 'sandbox-payments-detail',
          label: 'Payment',
          content: <PaymentDetail />,
          defaultSize: '32%',
          minSize: 260,
        },
      ]}
    />
  );
}

const ends = [
  { state: 'succeeded', label: 'Let it succeed' },
  { state: 'failed', label: 'Let it fail' },
  { state: 'canceled', label: 'Cancel it' },
] as const;

/** Brings a payment in progress to an end; a final one changes no more. */
function listEnds(
  { state, paymentUuid }: SandboxPayment,
  isBusy: boolean,
  onEnd: (paymentUuid: string, state: (typeof ends)[number]['state']) => Promise<void>,
): MenuAction[] {
  if (state !== 'processing') return [];
  return ends.map(({ state: end, label }) => ({
    id: end,
    label,
    isDisabled: isBusy,
    onAction: () => void onEnd(paymentUuid, end),
  }));
}

function PaymentDetail() {
  const paymentUuid = useSandboxStore((store) => store.paymentUuid);
  const payment = useSandboxStore((store) =>
    store.state?.payments.find((one) => one.paymentUuid === paymentUuid),
  );
  const isBusy = useSandboxStore((store) => store.isBusy);
  const setPaymentState = useSandboxStore((store) => store.setPaymentState);
  useMenuCommands('Payment of the sandbox', payment ? listEnds(payment, isBusy, setPaymentState) : []);
  if (!payment) return <EmptyState title="No payment chosen" />;
  return (
    <div className={shared.detail}>
      <FactList
        facts={[
          { label: 'State', value: <Tag tone={paymentTone(payment.state)}>{payment.state}</Tag> },
          {
            label: 'Reference',
            value: <CopyText text={payment.transactionReference} label="reference" />,
          },
          { label: 'Payment UUID', value: <CopyText text={payment.paymentUuid} label="payment UUID" /> },
          {
            label: 'Payment reference',
            value: <CopyText text={payment.paymentReference} label="payment reference" />,
          },
          { label: 'Request UUID', value: <CopyText text={payment.requestUuid} label="request UUID" /> },
          { label: 'Amount', value: formatMoney(payment.currency, payment.amount) },
          { label: 'Charges', value: formatMoney(payment.currency, payment.charges) },
          { label: 'Account', value: payment.account ?? '–' },
          { label: 'Last updated', value: formatExact(payment.lastUpdated).slice(0, 19) },
        ]}
      />
      <section className={shared.block} aria-label="Force a state">
        {payment.state === 'processing' ? (
          <div className={styles.buttons}>
            {ends.map(({ state, label }) => (
              <Button
                key={state}
                isDisabled={isBusy}
                onPress={() => void setPaymentState(payment.paymentUuid, state)}
              >
                {label}
              </Button>
            ))}
          </div>
        ) : (
          <p className={shared.small}>This state is final: a payment changes once.</p>
        )}
        <div>
          <TextButton onPress={() => navigate('payments', payment.transactionReference)}>
            Open the journey
          </TextButton>
        </div>
      </section>
    </div>
  );
}
