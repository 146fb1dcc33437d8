import { AppError } from '@shared/errors';
import type { RunTurn } from './run-context';

/**
 * Says which variables nobody gave, and of one that an earlier request was to capture why it did not.
 *
 * @param names - at least one
 */
export function describeUnresolved(names: readonly string[], { missed }: Pick<RunTurn, 'missed'>): AppError {
  const unique = [...new Set(names)];
  const given = unique.map((name) => `{{${name}}}`).join(', ');
  const reasons = unique.flatMap((name) => missed.get(name) ?? []);
  const [first = ''] = unique;
  const advice =
    reasons.length > 0
      ? reasons.join(' ')
      : `Set it in the environment, in the file (@${first} = …), with --var ${first}=VALUE, or capture it from an earlier request.`;
  return new AppError('sending.unresolved', `Nobody gave ${given}. ${advice}`);
}
