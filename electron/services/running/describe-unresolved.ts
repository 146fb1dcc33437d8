import { AppError } from '@shared/errors';
import { adviseOnMissing, type ForeignVariable } from '@shared/http-file/foreign-variables';
import { isSecretName } from '@shared/secrets';
import type { RunTurn } from './run-context';
import { listSome } from '@shared/list-some';

/**
 * How a variable gets its value on the command line; a secret belongs in no file that others read.
 *
 * @param elsewhere - the environment that has one, as it is called; null: none, or nobody looked
 */
export function adviseOnVariable(name: string, elsewhere: string | null = null): string {
  const option = name === 'callback_url' ? '--callback-url URL' : `--var ${name}=VALUE`;
  if (elsewhere !== null) {
    return `among the variables of the environment '${elsewhere}': name that with --env, or give a value for this run with ${option}`;
  }
  return isSecretName(name)
    ? `keep it in an environment of yours (--env), where the vault seals it, or give it for this run with ${option}`
    : `set it in the environment, in the file (@${name} = …), or with ${option}`;
}

/**
 * Says which variables nobody gave, and of one that an earlier request was to capture why it did not.
 *
 * @param names - at least one
 * @param foreign - those of them that mean something in other clients
 */
export function describeUnresolved(
  names: readonly string[],
  { missed }: Pick<RunTurn, 'missed'>,
  foreign: readonly ForeignVariable[] = [],
): AppError {
  const unique = [...new Set(names)];
  const given = listSome(unique.map((name) => `{{${name}}}`));
  const reasons = unique.flatMap((name) => missed.get(name) ?? []);
  const adviseOnOther = (name: string): string =>
    `No earlier request captured it: ${adviseOnVariable(name)}.`;
  const advice = reasons.length > 0 ? reasons.join(' ') : adviseOnMissing(unique, foreign, adviseOnOther);
  return new AppError('sending.unresolved', `Nobody gave ${given}. ${advice}`);
}
