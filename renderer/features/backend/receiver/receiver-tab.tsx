import { SplitPane } from '../../../ui/split-pane';
import { ReceiverForm } from './receiver-form';
import { ScenarioList } from './scenario-list';

/** Plays the service's real behaviour against the user's webhook handler: what is sent where, and what came of it. */
export function ReceiverTab() {
  return (
    <SplitPane
      id="receiver"
      panes={[
        {
          id: 'receiver-form',
          label: 'Check',
          content: <ReceiverForm />,
          defaultSize: 340,
          minSize: 260,
          isFixed: true,
        },
        {
          id: 'receiver-scenarios',
          label: 'Scenarios',
          content: <ScenarioList />,
          defaultSize: '70%',
          minSize: 360,
        },
      ]}
    />
  );
}
