import { locateField } from '../response/locate-field';
import type { OpenTab } from '../requests-store';
import type { BodyProblem, RequestInsight } from './inspect-request';

/** As many as a person goes through. */
const most = 100;

/**
 * What the last answer says of fields of the body, where they stand; a value that was changed since is no problem of
 * that answer any more.
 */
export function listAnswerProblems(
  { exchange }: Pick<OpenTab, 'exchange'>,
  { block, prepared }: Pick<RequestInsight, 'block' | 'prepared'>,
): BodyProblem[] {
  const body = block?.body ?? null;
  const sent = exchange?.request.body ?? null;
  const now = prepared?.body ?? null;
  if (body === null || sent === null || now === null) return [];
  return (exchange?.reading?.fieldErrors ?? []).slice(0, most).flatMap(({ field, message }) => {
    const range = field === '' ? null : locateField(body, field);
    if (range === null || readField(sent, field) !== readField(now, field)) return [];
    const said = message === '' ? 'is not accepted' : message;
    return [
      {
        code: 'answer.field',
        message: `The service: ${field}: ${said}`,
        severity: 'error' as const,
        range,
        fixes: [],
      },
    ];
  });
}

function readField(body: string, field: string): string | null {
  const range = locateField(body, field);
  return range && body.slice(range.start, range.end);
}
