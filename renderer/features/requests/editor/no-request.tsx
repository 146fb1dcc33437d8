import { useShownKeys } from '../../../panels/shown-keys';
import { beginTask } from '../../../session/tasks';
import { Button } from '../../../ui/button';
import { EmptyState } from '../../../ui/empty-state';
import { EmptyView } from '../../../ui/empty-view';
import { StringToSignSpans, type ShownSpan } from '../../../ui/string-to-sign-spans';
import { openRequest } from '../tree/collection-actions';
import { selectCollection } from '../requests-selectors';
import { useRequestsStore } from '../requests-store';

const example = 'INV-2026-00421500KEMPESA-KE';
const spans: readonly ShownSpan[] = [
  { field: 'reference', start: 0, end: 13 },
  { field: 'amount', start: 13, end: 17 },
  { field: 'country', start: 17, end: 19 },
  { field: 'service_code', start: 19, end: 27 },
];

/** The editor while no request is open. */
export function NoRequest() {
  const keys = useShownKeys('palette');
  const isUnread = useRequestsStore(({ treeState }) => treeState === 'failed');
  const first = useRequestsStore((state) =>
    selectCollection(state)?.nodes.find(({ kind }) => kind === 'request'),
  );
  if (isUnread) return <EmptyState title="No request is open">The collections could not be read.</EmptyState>;
  return (
    <EmptyView
      title="No request is open"
      steps={[
        first === undefined
          ? {
              title: 'Make the first request',
              text: 'A file of its own in the collection, with everything a payout needs.',
              action: (
                <Button variant="primary" onPress={() => beginTask('newRequest')}>
                  New request
                </Button>
              ),
            }
          : {
              title: 'Open one from the collection',
              text: `Begin with “${first.name}”${keys === undefined ? '' : `, or press ${keys} and type a name`}.`,
              action: (
                <Button variant="primary" onPress={() => void openRequest(first.path)}>
                  Open it
                </Button>
              ),
            },
      ]}
      example={<StringToSignSpans text={example} spans={spans} isWrapped />}
    >
      A request is a file: address, headers, body. Under its body stands what is signed, as you type it, and
      beside it what the service answers.
    </EmptyView>
  );
}
