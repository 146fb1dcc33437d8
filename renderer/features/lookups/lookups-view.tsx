import { useEffect } from 'react';
import { selectEnvironmentId, useAppStatus } from '../../session/app-status';
import { useRoute } from '../../session/routes';
import { SplitPane } from '../../ui/split-pane';
import { BulkResults } from './bulk-results';
import { useBulkStore } from './bulk-store';
import { LookupAnswer } from './lookup-answer';
import { LookupForm } from './lookup-form';
import { findSuggestion } from './lookups-selectors';
import { useLookupsStore } from './lookups-store';

/** Status queries: what to ask for on the left, what the service says on the right. */
export function LookupsView() {
  const environment = useAppStatus(selectEnvironmentId);
  const start = useLookupsStore((state) => state.start);
  const follow = useLookupsStore((state) => state.follow);
  const change = useLookupsStore((state) => state.change);
  const count = useBulkStore((state) => state.count);
  const reference = useRoute((route) => (route.view === 'lookups' ? route.rest : ''));
  useEffect(() => follow(), [follow]);
  useEffect(() => {
    void start(environment).then(() => {
      if (reference === '') return;
      useBulkStore.getState().change({ count: 'one' });
      const { suggestions, choose } = useLookupsStore.getState();
      const known = findSuggestion(suggestions, reference, environment);
      if (known) choose(known);
      else change({ by: 'transaction_reference', value: reference });
    });
  }, [start, change, environment, reference]);
  return (
    <SplitPane
      id="lookups"
      panes={[
        {
          id: 'lookups-form',
          label: 'Status query',
          content: <LookupForm />,
          defaultSize: 340,
          minSize: 280,
          isFixed: true,
        },
        {
          id: 'lookups-answer',
          label: 'Answer',
          content: count === 'many' ? <BulkResults /> : <LookupAnswer />,
          defaultSize: '60%',
          minSize: 340,
        },
      ]}
    />
  );
}
