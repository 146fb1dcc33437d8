import type { JourneySummary } from '@shared/contract/journey';
import { localEnvironmentId } from '@shared/contract/environment-id';
import { navigate } from '../../session/routes';
import { mainButton } from '../../ui/main-button';
import { EmptyView } from '../../ui/empty-view';
import { PaymentRow } from './payment-list';

const example: JourneySummary = {
  reference: 'INV-2026-0042',
  environment: localEnvironmentId,
  operation: 'remittance',
  title: 'Remittance to M-Pesa',
  amount: '1500',
  currency: 'KES',
  startedAt: new Date(2026, 0, 5, 10, 2, 12).getTime(),
  lastAt: new Date(2026, 0, 5, 10, 2, 14).getTime(),
  finalAt: null,
  track: { signed: 'done', accepted: 'done', webhook: 'waiting', final: 'waiting' },
  state: 'processing',
  isDisputed: false,
  sentTo: [],
};

/** Payments before the first one. */
export function NoPayments() {
  return (
    <EmptyView
      title="No payments yet"
      steps={[
        {
          title: 'Send a payout or a remittance',
          text: 'Its row appears as soon as it is signed, and fills as answers come in.',
          action: mainButton('Open Requests', () => navigate('requests')),
        },
      ]}
      example={<PaymentRow journey={example} />}
    >
      Each reference gets one row: signed, accepted, webhook, final. A row opens into everything that happened
      to it, in order.
    </EmptyView>
  );
}
