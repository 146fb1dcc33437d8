import { useEffect } from 'react';
import { useViewTask } from '../../session/tasks';
import { SplitPane } from '../../ui/split-pane';
import { LabInputsPane } from './lab-inputs';
import { useLabStore } from './lab-store';
import { VerdictPane } from './verdict-pane';

/** Three inputs, one verdict, one difference, one piece of code. */
export function LabView() {
  const start = useLabStore((state) => state.start);
  useEffect(() => start(), [start]);
  useViewTask('explainExample', () => void useLabStore.getState().tryExample());
  return (
    <SplitPane
      id="lab"
      panes={[
        {
          id: 'lab-inputs',
          label: 'Inputs',
          content: <LabInputsPane />,
          defaultSize: 460,
          minSize: 320,
          isFixed: true,
        },
        {
          id: 'lab-verdict',
          label: 'Verdict',
          content: <VerdictPane />,
          defaultSize: '60%',
          minSize: 400,
        },
      ]}
    />
  );
}
