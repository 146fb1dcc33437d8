import { useEffect } from 'react';
import { replaceRoute, useRoute } from '../../session/routes';
import { SplitPane } from '../../ui/split-pane';
import { PaymentList } from './payment-list';
import { usePaymentsStore } from './payments-store';
import { Timeline } from './timeline';

/** One row a reference with how far it came, and the timeline of one of them. */
export function PaymentsView() {
  const start = usePaymentsStore((state) => state.start);
  const select = usePaymentsStore((state) => state.select);
  const reference = useRoute((route) => (route.view === 'payments' ? route.rest : ''));
  useEffect(() => start(), [start]);
  useEffect(() => {
    if (reference !== '') void select(reference);
  }, [reference, select]);
  return (
    <SplitPane
      id="payments"
      panes={[
        {
          id: 'payments-list',
          label: 'Payments',
          content: <PaymentList onSelect={(one) => replaceRoute('payments', one)} />,
          defaultSize: 480,
          minSize: 320,
          isFixed: true,
        },
        {
          id: 'payments-timeline',
          label: 'Timeline',
          content: <Timeline />,
          defaultSize: '60%',
          minSize: 340,
        },
      ]}
    />
  );
}
