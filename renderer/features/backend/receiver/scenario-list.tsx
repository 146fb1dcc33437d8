import {
  receiverScenarioNames,
  receiverScenarios,
  type ReceiverScenario,
} from '@shared/receiver-check/receiver-scenarios';
import { Button, TextButton } from '../../../ui/button';
import { copyAction } from '../../../ui/copy-action';
import { cx } from '../../../ui/cx';
import { formatDuration } from '../../../ui/format-time';
import type { MenuAction } from '../../../ui/menu';
import { RowMenu } from '../../../ui/row-menu';
import { Tag } from '../../../ui/tag';
import shared from '../../../panels/exchange-pane.module.css';
import styles from '../backend.module.css';
import { describeCheck, describeResult } from './receiver-selectors';
import { useReceiverStore } from './receiver-store';

/** What can be played, what is to be played, and what each showed. */
export function ScenarioList() {
  return (
    <div className={styles.parts}>
      <ListBar />
      <Choosing />
      <RowMenu label="Scenario" actionsOf={(scenario) => listActions(scenario as ReceiverScenario)}>
        <ul className={styles.scenarios} aria-label="Scenarios" tabIndex={0}>
          {receiverScenarioNames.map((scenario) => (
            <Scenario key={scenario} scenario={scenario} />
          ))}
        </ul>
      </RowMenu>
    </div>
  );
}

function listActions(scenario: ReceiverScenario): MenuAction[] {
  const { chosen, choose, chooseAll, status } = useReceiverStore.getState();
  const isChosen = chosen.has(scenario);
  const { result } = describeResult(status, scenario);
  const chooseAlone = (): void => {
    chooseAll(false);
    choose(scenario, true);
  };
  return [
    {
      id: 'choose',
      label: isChosen ? 'Leave it out' : 'Choose it',
      onAction: () => choose(scenario, !isChosen),
    },
    { id: 'alone', label: 'Choose it alone', onAction: chooseAlone },
    { ...copyAction('name', 'Copy its name', scenario), hasLineAbove: true },
    copyAction('reason', 'Copy what it showed', result?.reason ?? null),
  ];
}

function ListBar() {
  const rerunFailed = useReceiverStore((store) => store.rerunFailed);
  const save = useReceiverStore((store) => store.save);
  const status = useReceiverStore((store) => store.status);
  const url = useReceiverStore((store) => store.url);
  const isRunning = status?.state === 'running';
  const count = status?.results.length ?? 0;
  const failed = status?.results.filter(({ verdict }) => verdict === 'fail').length ?? 0;
  return (
    <div className={shared.bar}>
      <p className={styles.summary} role="status" aria-label="State of the check" aria-busy={isRunning}>
        {describeCheck(status, url)}
      </p>
      <span className={styles.actions}>
        <Button
          isOnce
          isDisabled={isRunning}
          obstacle={failed === 0 && 'None has failed'}
          onPress={() => void rerunFailed()}
        >
          {failed === 0 ? 'Play failed ones again' : `Play ${failed} failed again`}
        </Button>
        <Button
          isDisabled={isRunning}
          obstacle={count === 0 && 'None was played yet'}
          onPress={() => save('junit')}
        >
          Export JUnit
        </Button>
        <Button
          isDisabled={isRunning}
          obstacle={count === 0 && 'None was played yet'}
          onPress={() => save('html')}
        >
          Export HTML
        </Button>
      </span>
    </div>
  );
}

/** Over the columns: how many are to be played. */
function Choosing() {
  const chooseAll = useReceiverStore((store) => store.chooseAll);
  const count = useReceiverStore((store) => store.chosen.size);
  return (
    <div className={cx(styles.scenario, styles.choosing)}>
      <span className={styles.chosen}>
        {`${count} of ${receiverScenarioNames.length} chosen`}
        <TextButton onPress={() => chooseAll(true)}>All</TextButton>
        <TextButton onPress={() => chooseAll(false)}>None</TextButton>
      </span>
      <span>Verdict</span>
      <span className={styles.took}>Took</span>
    </div>
  );
}

function Scenario({ scenario }: { scenario: ReceiverScenario }) {
  const isChosen = useReceiverStore((store) => store.chosen.has(scenario));
  const choose = useReceiverStore((store) => store.choose);
  const status = useReceiverStore((store) => store.status);
  const { result, text, tone } = describeResult(status, scenario);
  return (
    <li className={styles.scenario} data-key={scenario}>
      <label>
        <input
          type="checkbox"
          checked={isChosen}
          onChange={(event) => choose(scenario, event.target.checked)}
        />
        <code>{scenario}</code>
      </label>
      <span>{text === null ? null : <Tag tone={tone}>{text}</Tag>}</span>
      <span className={styles.took}>
        {result === null || result.isSkipped ? '' : formatDuration(result.elapsedMs)}
      </span>
      <p className={cx(result?.verdict === 'fail' && styles.reasonBad)}>
        {result?.reason ?? receiverScenarios[scenario]}
      </p>
    </li>
  );
}
