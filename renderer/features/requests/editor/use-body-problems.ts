import { findBodyProblems, type FieldProblem } from '@shared/body/find-body-problems';
import type { PreparedRequest } from '@shared/http-file/prepare-request';
import { mapToSource } from '@shared/http-file/resolve-request';
import { useEffect, useState } from 'react';
import { readFixSources } from './body-assist';
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
 * checks say a moment later.
 */
export function useBodyProblems(insight: RequestInsight): readonly BodyProblem[] {
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    const length = insight.prepared?.body?.length ?? 0;
    const timer = setTimeout(
      () => setFound({ insight, problems: listFieldProblems(insight) }),
      length > shortChars ? longDelayMs : shortDelayMs,
    );
    return () => clearTimeout(timer);
  }, [insight]);
  if (found?.insight !== insight) return insight.problems;
  return joinProblems(insight.problems, found.problems);
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

/** Checks the body as it will be sent, and tells where that stands in the body as edited. */
export function listFieldProblems(insight: RequestInsight): readonly BodyProblem[] {
  const { block, prepared } = insight;
  if (!block || !prepared || prepared.body === null || block.bodyCuts.length > 0) return [];
  return findBodyProblems(block.operation, prepared.body, readFixSources(insight)).map((problem) =>
    toBodyProblem(prepared, problem),
  );
}

function toBodyProblem({ bodyMap }: PreparedRequest, problem: FieldProblem): BodyProblem {
  const { code, message, severity, start, end, fixes } = problem;
  const isFromVariable = (from: number, to: number): boolean =>
    bodyMap.some(({ variable, ...one }) => variable !== null && one.start < to && one.end > from);
  return {
    code,
    message,
    severity,
    range: mapToSource(bodyMap, start, end),
    // A value that comes from a variable is mended where the variable is defined, not by writing over it.
    fixes: fixes
      .filter((fix) => code !== 'fields.value' || !isFromVariable(fix.start, fix.end))
      .map(({ label, text, ...range }) => ({ label, text, ...mapToSource(bodyMap, range.start, range.end) })),
  };
}
