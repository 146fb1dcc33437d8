import { expect, it, vi } from 'vitest';
import { createEventBus } from '../../platform/event-bus';
import { followKeys } from './follow-keys';

const running = { state: 'running' } as never;

function follow(readWebhookKeys: () => Promise<readonly string[]>) {
  const events = createEventBus((error) => expect.unreachable(String(error)));
  const call = vi.fn(() => Promise.resolve({}));
  const { refresh } = followKeys({ events, readWebhookKeys }, { call: call as never });
  return { events, call, refresh };
}

it('asks again where the sandbox told that it runs before the ask that came too early was answered', async () => {
  let refuse = (_reason: Error): void => undefined;
  const early = new Promise<never>((_resolve, reject) => (refuse = reject));
  const answers = [early, Promise.resolve(['whsec_a'])];
  const { events, call, refresh } = follow(() => answers.shift()!);
  refresh();
  events.emit('sandbox.changed', running);
  refuse(new Error('The sandbox does not run.'));
  await vi.waitFor(() => expect(call).toHaveBeenCalledWith('setKeys', { keys: ['whsec_a'] }));
});

it('takes keys for told only once the worker has them', async () => {
  const read = vi.fn(() => Promise.resolve(['whsec_a']));
  const { events, call, refresh } = follow(read);
  call.mockRejectedValueOnce(new Error('The worker stopped.'));
  refresh();
  await vi.waitFor(() => expect(call).toHaveBeenCalledTimes(1));
  await new Promise(setImmediate);
  events.emit('sandbox.changed', running);
  await vi.waitFor(() => expect(call).toHaveBeenCalledTimes(2));
  await new Promise(setImmediate);
  events.emit('sandbox.changed', running);
  expect(read).toHaveBeenCalledTimes(2);
});
