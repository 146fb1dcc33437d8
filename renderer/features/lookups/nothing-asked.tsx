import { navigate } from '../../session/routes';
import { mainButton } from '../../ui/main-button';
import { EmptyView } from '../../ui/empty-view';
import { FactList } from '../../ui/pane-header';
import { Tag } from '../../ui/tag';
import { useLookupsStore } from './lookups-store';

/** Lookups before the first question. */
export function NothingAsked() {
  const latest = useLookupsStore((state) => state.suggestions[0]);
  const choose = useLookupsStore((state) => state.choose);
  return (
    <EmptyView
      title="What became of a payment?"
      steps={[
        latest === undefined
          ? {
              title: 'Send a payment first',
              text: 'Or type the identifier of one that another system sent.',
              action: mainButton('Open Requests', () => navigate('requests')),
            }
          : {
              title: 'Begin with the latest one',
              text: latest.reference,
              action: mainButton('Choose it', () => choose(latest)),
            },
      ]}
      example={
        <FactList
          facts={[
            { label: 'state', value: <Tag tone="good">succeeded</Tag> },
            { label: 'transaction_reference', value: 'INV-2026-0042' },
            { label: 'amount', value: '1500' },
            { label: 'payment_uuid', value: '8800417' },
          ]}
        />
      }
    >
      Give a reference, a payment UUID or a request UUID, and the service says what it knows. A query changes
      nothing there.
    </EmptyView>
  );
}
