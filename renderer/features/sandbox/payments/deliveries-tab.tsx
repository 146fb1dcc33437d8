import type { SandboxDelivery } from '@shared/contract/sandbox';
import { useMenuCommands } from '../../../session/commands';
import { Button } from '../../../ui/button';
import { CopyText } from '../../../ui/copy-text';
import { DataTable, type Column } from '../../../ui/data-table';
import { EmptyState } from '../../../ui/empty-state';
import { formatDuration, formatExact } from '../../../ui/format-time';
import { useLaidOutJson } from '../../../ui/laid-out-json';
import { JsonView } from '../../../ui/json-view';
import { SplitPane } from '../../../ui/split-pane';
import { Tag } from '../../../ui/tag';
import { describeDelivery } from '../sandbox-selectors';
import { useSandboxStore } from '../sandbox-store';
import { listReferenceActions } from '../../../panels/exchange-menu';
import { ForeignText } from '../../../ui/foreign-text';
import shared from '../../../panels/exchange-pane.module.css';
import styles from '../sandbox.module.css';
import tones from '../../../ui/tone.module.css';
import { TableHead } from '../../../ui/table-head';

const columns: readonly Column<SandboxDelivery>[] = [
  {
    id: 'reference',
    label: 'Reference',
    width: '13fr',
    isRowHeader: true,
    sortBy: ({ transactionReference }) => transactionReference ?? '',
    render: ({ transactionReference }) =>
      transactionReference === null ? (
        'test webhook'
      ) : (
        <CopyText text={transactionReference} label="reference" isCode={false} isInRow />
      ),
  },
  {
    id: 'url',
    label: 'To',
    width: '9fr',
    // The scheme is nearly all's, and says little.
    render: ({ callbackUrl }) => (
      <ForeignText title={callbackUrl} text={callbackUrl.replace(/^https?:\/\//, '')} />
    ),
  },
  {
    id: 'at',
    label: 'Last tried',
    width: 84,
    sortBy: ({ attempts }) => attempts.at(-1)?.at ?? 0,
    render: ({ attempts }) => {
      const at = attempts.at(-1)?.at;
      if (at === undefined) return '–';
      return (
        <time title={formatExact(at)} dateTime={new Date(at).toISOString()}>
          {formatExact(at).slice(11, 19)}
        </time>
      );
    },
  },
  {
    id: 'tries',
    label: 'Tries',
    width: 56,
    isNumeric: true,
    sortBy: ({ attempts }) => attempts.length,
    render: ({ attempts }) => attempts.length,
  },
  { id: 'state', label: 'State', width: 128, render: (delivery) => <DeliveryTag delivery={delivery} /> },
];

function DeliveryTag({ delivery }: { delivery: SandboxDelivery }) {
  const now = useSandboxStore((store) => store.state?.now ?? 0);
  const { text, tone } = describeDelivery(delivery, now);
  return <Tag tone={tone}>{text}</Tag>;
}

/** Webhooks on their way: every try with its answer, and once more on demand. */
export function DeliveriesTab() {
  const deliveries = useSandboxStore((store) => store.state?.deliveries) ?? [];
  const deliveryId = useSandboxStore((store) => store.deliveryId);
  const selectDelivery = useSandboxStore((store) => store.selectDelivery);
  const isBusy = useSandboxStore((store) => store.isBusy);
  const redeliver = useSandboxStore((store) => store.redeliver);
  return (
    <SplitPane
      id="sandbox-deliveries"
      panes={[
        {
          id: 'sandbox-deliveries-list',
          label: 'Deliveries',
          content: (
            <DataTable
              id="sandbox-deliveries"
              label="Deliveries"
              isVirtual
              columns={columns}
              items={deliveries}
              selected={deliveryId}
              onSelect={selectDelivery}
              actionsOf={({ id, transactionReference, callbackUrl, webhookId }) => [
                {
                  id: 'again',
                  label: 'Deliver again',
                  isDisabled: isBusy,
                  onAction: () => void redeliver(id),
                },
                ...listReferenceActions(transactionReference, [
                  ['Copy the webhook-id', webhookId],
                  ['Copy the callback address', callbackUrl],
                ]),
              ]}
              empty="No webhook yet: they follow once a payment is final."
            />
          ),
          defaultSize: '62%',
          minSize: 320,
        },
        {
          id: 'sandbox-deliveries-detail',
          label: 'Delivery',
          content: <DeliveryDetail />,
          defaultSize: '38%',
          minSize: 260,
        },
      ]}
    />
  );
}

function DeliveryDetail() {
  const deliveryId = useSandboxStore((store) => store.deliveryId);
  const delivery = useSandboxStore((store) => store.state?.deliveries.find((one) => one.id === deliveryId));
  const isBusy = useSandboxStore((store) => store.isBusy);
  const redeliver = useSandboxStore((store) => store.redeliver);
  const body = useLaidOutJson(delivery?.body ?? '');
  const again = { id: 'again', label: 'Deliver again', isDisabled: isBusy };
  useMenuCommands(
    'Delivery of the sandbox',
    delivery ? [{ ...again, onAction: () => void redeliver(delivery.id) }] : [],
  );
  if (!delivery) return <EmptyState title="No delivery chosen" />;
  return (
    <div className={shared.detail}>
      <div className={shared.block}>
        <div className={shared.blockHead}>
          <span>
            webhook-id <CopyText text={delivery.webhookId} label="webhook-id" />
          </span>
          <Button isOnce isDisabled={isBusy} onPress={() => void redeliver(delivery.id)}>
            Deliver again
          </Button>
        </div>
        <CopyText text={delivery.callbackUrl} label="callback address" />
      </div>
      <Attempts delivery={delivery} />
      <div className={styles.body}>
        <JsonView text={body} label="Body of the webhook" />
      </div>
    </div>
  );
}

function Attempts({ delivery }: { delivery: SandboxDelivery }) {
  if (delivery.attempts.length === 0) return <p className={shared.note}>Not tried yet.</p>;
  return (
    <div className={styles.scroller}>
      <table className={styles.table}>
        <TableHead names={['Try', 'At', 'Took', 'Answer']} />
        <tbody>
          {delivery.attempts.map((attempt) => (
            <tr key={attempt.attempt}>
              <td>{attempt.attempt}</td>
              <td title={formatExact(attempt.at)}>{formatExact(attempt.at).slice(11, 19)}</td>
              <td>{formatDuration(attempt.durationMs)}</td>
              <td className={styles.answer} title={attempt.responseBody ?? undefined}>
                {attempt.httpStatus === null ? (
                  <ForeignText className={tones.bad} text={attempt.error ?? 'no answer'} />
                ) : (
                  <>
                    <span className={attempt.httpStatus < 300 ? undefined : tones.bad}>
                      {attempt.httpStatus}
                    </span>{' '}
                    <ForeignText className={shared.small} text={attempt.responseBody ?? ''} />
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
