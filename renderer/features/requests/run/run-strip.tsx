import { TextButton } from '../../../ui/button';
import { RelativeTime } from '../../../ui/relative-time';
import { showRun } from './run-actions';
import { describeRun } from './run-rows';
import { useRunStore } from './run-store';
import styles from './run.module.css';

/** In the tree: how the run stands, while something else is on show. */
export function RunStrip() {
  const run = useRunStore((state) => state.run);
  const isShown = useRunStore((state) => state.isShown);
  if (run === null || isShown) return null;
  return (
    <div className={styles.strip}>
      <span>
        <span role="status" aria-busy={run.state !== 'over'}>
          {describeRun(run)}
        </span>
        {run.state === 'over' ? (
          <>
            {' · '}
            <RelativeTime at={run.startedAt} />
          </>
        ) : null}
      </span>
      <TextButton onPress={() => showRun(true)}>Show</TextButton>
    </div>
  );
}
