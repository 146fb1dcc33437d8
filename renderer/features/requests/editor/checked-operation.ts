import { usualProfile } from '@shared/contract/usual-setup';
import type { Operation } from '@shared/contract/common';
import { useAppStatus } from '../../../session/app-status';
import type { RequestInsight } from './inspect-request';

/**
 * Tells whose fields a body is to have.
 *
 * The token call has those that the profile of the environment names: by a profile of other names, the interface's are not
 * asked for, nor offered.
 */
export function findCheckedOperation({ block }: Pick<RequestInsight, 'block'>): Operation {
  const operation = block?.operation ?? 'other';
  if (operation !== 'token') return operation;
  const names = useAppStatus.getState().status?.environment.setup.profile.requestNames;
  const isUsual = names === undefined || JSON.stringify(names) === JSON.stringify(usualProfile.requestNames);
  return isUsual ? operation : 'other';
}
