import { plainName } from '@shared/http-file/find-expression';
import type { HttpRequestBlock } from '@shared/http-file/http-file';
import { isForeignValue, type PreparedRequest } from '@shared/http-file/prepare-request';
import { adviseOnValue } from './describe-missing';
import { listExpressions } from './describe-value';

const mostMarks = 100;

/** Of a mark in the body; what is missing is said in words above it, with the way out. */
export const unresolvedCode = 'values.unresolved';

interface Mark {
  code: string;
  message: string;
  severity: 'warning';
  range: { start: number; end: number };
  fixes: [];
}

/** Marks each `{{…}}` of a body that nobody gives a value, where nothing else is said of that place. */
export function markUnresolved(
  { body }: HttpRequestBlock,
  { unresolved, foreign }: PreparedRequest,
  others: readonly { range: Mark['range'] | null }[],
): Mark[] {
  const names = new Set(
    unresolved.filter((one) => one.where === 'body' && !isForeignValue(one)).map(({ name }) => name),
  );
  if (names.size === 0 || body === null) return [];
  return listExpressions(body)
    .filter(({ name }) => names.has(plainName(name)))
    .slice(0, mostMarks)
    .filter(
      ({ start, end }) =>
        !others.some(({ range }) => range !== null && range.start < end && start < range.end),
    )
    .map(({ start, end, name: written }) => ({ start, end, name: plainName(written) }))
    .map(({ start, end, name }) => ({
      code: unresolvedCode,
      message: `No value for ${name}. ${foreign.find((one) => one.name === name)?.message ?? adviseOnValue('it one', name)}`,
      severity: 'warning',
      range: { start, end },
      fixes: [],
    }));
}
