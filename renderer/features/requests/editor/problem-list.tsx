import { useState } from 'react';
import { TextButton } from '../../../ui/button';
import { ErrorLine } from '../../../ui/error-line';
import { Menu } from '../../../ui/menu';
import type { OpenTab } from '../requests-store';
import { applyFix } from './edit-actions';
import type { BodyProblem } from './inspect-request';
import styles from './problem-list.module.css';

/** More than so many stand behind one line. */
const FEW = 3;

interface ProblemListProps {
  tab: OpenTab;
  problems: readonly BodyProblem[];
  /** Brings a range of the body as edited into view. */
  onJump: (start: number, end: number) => void;
}

/** What is wrong in the body, each with its place and with what ends it. */
export function ProblemList({ tab, problems, onJump }: ProblemListProps) {
  const [isOpen, setIsOpen] = useState(false);
  const shown = isOpen ? problems : problems.slice(0, FEW);
  const left = problems.length - FEW;
  return (
    <>
      {shown.map((problem, index) => (
        <ErrorLine
          key={`${problem.code}-${index}`}
          error={{ message: problem.message }}
          tone={problem.severity === 'error' ? 'bad' : 'warn'}
          isQuiet={problem.code.startsWith('fields.')}
          className={styles.problem}
        >
          <ProblemActions tabId={tab.id} problem={problem} onJump={onJump} />
        </ErrorLine>
      ))}
      {left > 0 ? (
        <TextButton className={styles.more} aria-expanded={isOpen} onPress={() => setIsOpen(!isOpen)}>
          {isOpen ? 'Show fewer problems' : `Show ${left} more ${left === 1 ? 'problem' : 'problems'}`}
        </TextButton>
      ) : null}
    </>
  );
}

function ProblemActions({
  tabId,
  problem: { fixes, range },
  onJump,
}: {
  tabId: string;
  problem: BodyProblem;
  onJump: ProblemListProps['onJump'];
}) {
  const [first, ...others] = fixes;
  return (
    <span className={styles.actions}>
      {first ? <TextButton onPress={() => applyFix(tabId, first)}>{first.label}</TextButton> : null}
      {others.length > 0 ? (
        <Menu
          label="Other ways to mend it"
          trigger={<TextButton>or…</TextButton>}
          actions={others.map((fix) => ({
            id: fix.label,
            label: fix.label,
            onAction: () => applyFix(tabId, fix),
          }))}
        />
      ) : null}
      {range ? <TextButton onPress={() => onJump(range.start, range.end)}>Show</TextButton> : null}
    </span>
  );
}
