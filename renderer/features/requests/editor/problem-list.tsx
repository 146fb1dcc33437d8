import { useState, type ReactNode } from 'react';
import type { BodyFix } from '@shared/body/edit-body';
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
  /** What stands above, and scrolls with it. */
  children: ReactNode;
}

/** What is wrong in the body, each with its place and with what ends it. How many more there are stays in sight below. */
export function ProblemList({ tab, problems, onJump, children }: ProblemListProps) {
  const [isOpen, setIsOpen] = useState(false);
  const shown = isOpen ? problems : problems.slice(0, FEW);
  const left = problems.length - FEW;
  return (
    <>
      <div className={styles.lines}>
        {children}
        {shown.map((problem, index) => (
          <ErrorLine
            key={`${problem.code}-${index}`}
            error={{ message: problem.message }}
            tone={problem.severity === 'error' ? 'bad' : 'warn'}
            isQuiet={problem.code.startsWith('fields.')}
            className={styles.problem}
          >
            <ProblemActions
              tabId={tab.id}
              problem={problem}
              offered={shown.slice(0, index).flatMap(({ fixes }) => fixes.map(tellFix))}
              onJump={onJump}
            />
          </ErrorLine>
        ))}
      </div>
      {left > 0 ? (
        <TextButton className={styles.more} aria-expanded={isOpen} onPress={() => setIsOpen(!isOpen)}>
          {isOpen ? 'Show fewer problems' : `Show ${left} more ${left === 1 ? 'problem' : 'problems'}`}
        </TextButton>
      ) : null}
    </>
  );
}

/** One change, whichever of the problems it ends: all that an object lacks are added by the same. */
const tellFix = ({ label, start, end }: BodyFix): string => `${label} ${start} ${end}`;

function ProblemActions({
  tabId,
  problem: { fixes, range },
  offered,
  onJump,
}: {
  tabId: string;
  problem: BodyProblem;
  /** By the lines above: not said again. */
  offered: readonly string[];
  onJump: ProblemListProps['onJump'];
}) {
  const [first, ...rest] = fixes;
  const others = rest.filter((fix) => !offered.includes(tellFix(fix)));
  const only = others.length === 1 ? others[0]! : null;
  return (
    <span className={styles.actions}>
      {first ? <TextButton onPress={() => applyFix(tabId, first)}>{first.label}</TextButton> : null}
      {only ? <TextButton onPress={() => applyFix(tabId, only)}>{only.label}</TextButton> : null}
      {others.length > 1 ? (
        <Menu
          label="Other ways to mend it"
          trigger={<TextButton>Other ways</TextButton>}
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
