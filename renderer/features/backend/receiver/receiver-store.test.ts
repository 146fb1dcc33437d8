import { expect, it } from 'vitest';
import type { ReceiverStatus } from '@shared/contract/receiver';
import { createFakeTransport } from '../../../transport/fake';
import { setTransport } from '../../../transport/client';
import { useReceiverStore } from './receiver-store';

it('stays done where the last verdict was told before the answer to the call came', async () => {
  const running: ReceiverStatus = {
    state: 'running',
    url: 'http://127.0.0.1:1/',
    stateUrl: '',
    playing: null,
    planned: ['success'],
    results: [],
    error: null,
  } as never;
  const fake = createFakeTransport({
    'receiver.status': () => ({ ...running, state: 'idle' }) as never,
    'receiver.check': () => {
      fake.emit('receiver.changed', { ...running, state: 'done' } as never);
      return running as never;
    },
  });
  setTransport(fake);
  const stop = useReceiverStore.getState().start();
  await useReceiverStore.getState().check();
  expect(useReceiverStore.getState().status?.state).toBe('done');
  stop();
});
