import { endSentence } from '@shared/end-sentence';
import { AppError } from '@shared/errors';
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

const sayMost = (issue: z.core.$ZodIssueTooBig): string => {
  const most = String(issue.maximum);
  if (issue.origin === 'string') return `is too long: it may have ${most} characters. Shorten it.`;
  if (issue.origin === 'array') return `has too many entries: it may have ${most}. Take fewer.`;
  return `is too large: it may be ${most} at most.`;
};

const sayLeast = (issue: z.core.$ZodIssueTooSmall): string => {
  const least = String(issue.minimum);
  const isCounted = issue.origin === 'string' || issue.origin === 'array';
  if (isCounted && least === '1') return 'is empty. Give it a value.';
  if (isCounted) return `is too short: it has to have ${least} at least.`;
  return `is too small: it has to be ${least} at least.`;
};

/** Says what whoever typed a value can do about it; null: it is no matter of size, and whoever wrote the call has to look. */
function describeSize(issue: Issue): string | null {
  if (issue.code === 'too_big') return sayMost(issue);
  return issue.code === 'too_small' ? sayLeast(issue) : null;
}

/** What a method is told whose input is not what its schema asks. The first twenty faults stand in the details. */
export function describeBadInput(method: string, issues: readonly Issue[]): AppError {
  const fields = issues
    .slice(0, 20)
    .map((issue) => ({ field: issue.path.map(String).join('.'), message: issue.message }));
  const field = fields[0]?.field ?? '';
  const size = issues[0] === undefined || field === '' ? null : describeSize(issues[0]);
  if (size !== null) return new AppError('app.bad_input', `'${field}' ${size}`, { details: { fields } });
  const where = field === '' ? '' : ` '${field}':`;
  const message = endSentence(fields[0]?.message ?? 'not readable');
  return new AppError(
    'app.bad_input',
    `${method} was called with something it cannot use:${where} ${message}`,
    {
      details: { fields },
    },
  );
}
