import { navigate } from '../../session/routes';
import { copyAction } from '../../ui/copy-action';
import type { MenuAction } from '../../ui/menu';
import type { Suggestion } from './lookups-selectors';
import { useLookupsStore } from './lookups-store';

/** What can be done with a payment that was sent lately. */
export function listSuggestionActions(suggestion: Suggestion): MenuAction[] {
  const { reference } = suggestion;
  const { choose, ask } = useLookupsStore.getState();
  return [
    {
      id: 'ask',
      label: 'Query its status',
      onAction: () => {
        choose(suggestion);
        void ask();
      },
    },
    { id: 'journey', label: 'Open the journey', onAction: () => navigate('payments', reference) },
    { ...copyAction('reference', 'Copy the reference', reference), hasLineAbove: true },
  ];
}
