import { findBodyProblems, type FieldProblem } from '@shared/body/find-body-problems';
import type { FixSources } from '@shared/body/fix-value';
import type { PreparedRequest } from '@shared/http-file/prepare-request';
import { mapToSource } from '@shared/http-file/resolve-request';
import { findCheckedOperation } from './checked-operation';
import type { BodyProblem, RequestInsight } from './inspect-request';

/** Checks the body as it will be sent, and tells where that stands in the body as edited. */
export function listFieldProblems(insight: RequestInsight, sources: FixSources): readonly BodyProblem[] {
  const { block, prepared } = insight;
  if (!block || !prepared || prepared.body === null || block.bodyCuts.length > 0) return [];
  return findBodyProblems(findCheckedOperation(insight), prepared.body, sources).map((problem) =>
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
    // A value that comes from a variable is mended where that is defined, or by another variable, not by writing over it.
    fixes: fixes
      .filter(
        (fix) => code !== 'fields.value' || fix.text.includes('{{') || !isFromVariable(fix.start, fix.end),
      )
      .map(({ label, text, ...range }) => ({ label, text, ...mapToSource(bodyMap, range.start, range.end) })),
  };
}
