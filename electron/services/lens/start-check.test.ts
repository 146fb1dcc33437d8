import { expect, it, vi } from 'vitest';
import { createReceiverService, type ReceiverServiceDeps } from './create-receiver-service';

it('plays one check at a time, of two that are asked for at once, too', async () => {
  const check = vi.fn(() => new Promise<never>(() => undefined));
  const { handlers } = createReceiverService({
    ports: { settings: { get: () => undefined, set: () => undefined } },
    events: { emit: () => undefined },
    check,
  } as unknown as ReceiverServiceDeps);
  const start = async () =>
    handlers['receiver.check']({
      url: 'http://127.0.0.1:8080/webhooks',
      stateUrl: null,
      scenarios: ['success'],
      secret: null,
      timeoutMs: 1000,
      isRerun: false,
    });
  const [first, second] = await Promise.allSettled([start(), start()]);
  expect([first, second]).toMatchObject([
    { value: { state: 'running' } },
    { reason: { code: 'receiver.running' } },
  ]);
  expect(check).toHaveBeenCalledOnce();
});
