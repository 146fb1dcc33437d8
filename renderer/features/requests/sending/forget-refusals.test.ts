import { AppError } from '@shared/errors';
import { expect, it } from 'vitest';
import { useAppStatus } from '../../../session/app-status';
import { openRequest } from '../tree/collection-actions';
import { selectActiveTab } from '../requests-selectors';
import { useRequestsStore } from '../requests-store';
import { followRefusals } from './forget-refusals';
import { sendRequest } from './sending-actions';
import { startFakeBackEnd } from '../test-support';

const readRefusal = (): string | undefined => selectActiveTab(useRequestsStore.getState())!.sendError?.code;

it('takes what was said of a refused send away with the environment that it was refused in', async () => {
  const refuse = () => Promise.reject(new AppError('sending.foreign_host', 'Not sent.'));
  startFakeBackEnd({ 'a.http': 'GET {{base_url}}/a' }, { 'sending.send': refuse });
  followRefusals();
  await openRequest('a.http');
  await sendRequest(selectActiveTab(useRequestsStore.getState())!.id);
  const status = useAppStatus.getState().status!;
  useAppStatus.setState({ status: { ...status } });
  expect(readRefusal()).toBe('sending.foreign_host');
  const environment = { ...status.environment, id: 'staging' };
  useAppStatus.setState({ status: { ...status, environment } });
  expect(readRefusal()).toBeUndefined();
});
