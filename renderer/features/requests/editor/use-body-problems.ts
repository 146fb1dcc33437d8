import { useEffect, useMemo, useState } from 'react';
import { readFixSources } from './body-assist';
import { carryProblems } from './carry-problems';
import { loadBodyKnowledge } from './load-body-knowledge';
import type { BodyProblem, RequestInsight } from './inspect-request';

/** The checks run between key strokes; over a long body, once nothing has been typed for a moment. */
const shortChars = 20_000;
const shortDelayMs = 80;
const longDelayMs = 400;

interface Found {
  insight: RequestInsight;
  problems: readonly BodyProblem[];
}

/**
 * Everything that is wrong or doubtful in a request's body: what the string to sign says at once, what the fields'
 * checks say a moment later. Until they do, what they said last stands beside the text that it was said of.
 */
export function useBodyProblems(insight: RequestInsight): readonly BodyProblem[] {
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const look = async (): Promise<void> => {
      const problems = await findProblems(insight);
      if (isCurrent) setFound({ insight, problems });
    };
    const length = insight.prepared?.body?.length ?? 0;
    const timer = setTimeout(() => void look(), length > shortChars ? longDelayMs : shortDelayMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [insight]);
  return useMemo(() => {
    if (found === null) return insight.problems;
    return joinProblems(insight.problems, bringUp(found, insight));
  }, [found, insight]);
}

function bringUp({ insight, problems }: Found, now: RequestInsight): readonly BodyProblem[] {
  if (insight === now) return problems;
  const { block: before } = insight;
  const { block: after } = now;
  if (before === null || after === null || before.operation !== after.operation) return [];
  return carryProblems(problems, before.body ?? '', after.body ?? '');
}

/** A body that could not be checked is not one without problems. */
const unchecked: BodyProblem = {
  code: 'fields.unchecked',
  message: 'The fields are not checked: this part of the app could not be loaded. Reload the window.',
  severity: 'warning',
  range: null,
  fixes: [],
};

async function findProblems(insight: RequestInsight): Promise<readonly BodyProblem[]> {
  const knowledge = await loadBodyKnowledge().catch(() => null);
  return knowledge === null ? [unchecked] : knowledge.listFieldProblems(insight, readFixSources(insight));
}

/** What both say is said once: in the words of the check, where that offers to mend it. */
function joinProblems(
  signing: readonly BodyProblem[],
  fields: readonly BodyProblem[],
): readonly BodyProblem[] {
  const isRepeated = signing.some(({ code }) => code === 'duplicate_key');
  const isMissing = fields.some(({ code }) => code === 'fields.missing');
  const signingLeft = signing.filter(({ code }) => !(code === 'signing.field_missing' && isMissing));
  const fieldsLeft = fields.filter(
    ({ code, range }) =>
      !(code === 'fields.repeated' && isRepeated) &&
      !signing.some((one) => one.range !== null && range !== null && isTouching(one.range, range)),
  );
  return [...signingLeft, ...fieldsLeft];
}

type Range = NonNullable<BodyProblem['range']>;

const isTouching = (one: Range, other: Range): boolean => one.start < other.end && other.start < one.end;
