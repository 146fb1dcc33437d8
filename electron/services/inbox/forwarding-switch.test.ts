import { AppError } from '@shared/errors';
import { describe, expect, it } from 'vitest';
import type { SupervisedWorker } from '../../platform/workers/supervise-worker';
import type { ListenerWorkerMethods } from '../../listener/listener-worker';
import { forwardingMethods } from '@shared/contract/forwarding';
import { createEventBus } from '../../platform/event-bus';
import { ForwardingSwitch } from './forwarding-switch';
import { TunnelSwitch } from './tunnel-switch';

const facts = {
  trouble: null,
  backlogCount: 0,
  missedCount: 0,
  nextAttemptAt: null,
  failedId: null,
  refusals: { count: 0, reason: null },
};

function keeping(value: unknown) {
  const routes: unknown[] = [];
  const worker = {
    call: (method: string, input: { route?: unknown }) => {
      if (method === 'setRoute') routes.push(input.route);
      return Promise.resolve(facts);
    },
  } as unknown as SupervisedWorker<ListenerWorkerMethods>;
  const settings = { get: () => value, set: () => undefined };
  const ports = { settings, logger: { log: () => undefined }, dataDirectory: null };
  return { ports, routes, worker: () => worker };
}

it.each([
  ['no text as its address', { isOn: true, url: 1, filter: '' }],
  ['no text as its filter', { isOn: true, url: 'http://127.0.0.1:9', filter: { status: 'FAILED' } }],
  ['neither on nor off', { isOn: 'yes', url: 'http://127.0.0.1:9', filter: '' }],
  ['no choice', []],
])('forwards nothing by damaged settings, and says so (%s)', async (_what, kept) => {
  const { ports, routes, worker } = keeping(kept);
  const forwarding = new ForwardingSwitch(ports, worker, createEventBus());
  await forwarding.resume();
  const status = await forwarding.readStatus();
  expect(forwardingMethods['forwarding.status'].output.parse(status)).toMatchObject({
    isOn: false,
    url: '',
    trouble: expect.stringContaining('Set address and filter anew'),
  });
  expect(routes).toEqual([null]);
});

it('goes on as it was chosen, and is off where nothing was', async () => {
  const chosen = { isOn: true, url: 'http://127.0.0.1:9', filter: 'unread' };
  for (const kept of [chosen, undefined]) {
    const { ports, worker } = keeping(kept);
    const forwarding = new ForwardingSwitch(ports, worker, createEventBus());
    await forwarding.resume();
    expect(await forwarding.readStatus()).toMatchObject({
      ...(kept ?? { isOn: false, url: '', filter: '' }),
      trouble: null,
    });
  }
});

it('knows no way of a tunnel where the settings hold no text', () => {
  const { ports, worker } = keeping({ way: 'ngrok' });
  expect(new TunnelSwitch(ports, worker, createEventBus(), () => undefined).status().way).toBe('');
});

describe('a choice of what is forwarded', () => {
  const chosen = { isOn: true, url: 'http://127.0.0.1:9', filter: '' };

  it('sends nothing on where it cannot be kept', async () => {
    const { ports, routes, worker } = keeping(undefined);
    const set = (): never => {
      throw new AppError('platform.disk_full', 'The disk is full.');
    };
    const full = { ...ports, settings: { ...ports.settings, set } };
    const forwarding = new ForwardingSwitch(full, worker, createEventBus());
    await expect(forwarding.set(chosen)).rejects.toMatchObject({ code: 'platform.disk_full' });
    expect(routes).toEqual([]);
    expect(forwarding.status()).toMatchObject({ isOn: false, url: '' });
  });

  it.each([[undefined], [{ ...chosen, url: 'http://127.0.0.1:10' }]])(
    'stays as it was where it is refused (%j)',
    async (before) => {
      let kept: unknown = before;
      const call = () => Promise.reject(new AppError('listener.bad_forward', 'No.'));
      const { ports } = keeping(undefined);
      const settings = { get: () => kept, set: (_key: string, value: unknown) => (kept = value) };
      const worker = { call } as unknown as SupervisedWorker<ListenerWorkerMethods>;
      const forwarding = new ForwardingSwitch({ ...ports, settings }, () => worker, createEventBus());
      await expect(forwarding.set(chosen)).rejects.toMatchObject({ code: 'listener.bad_forward' });
      expect(kept).toEqual(before ?? { isOn: false, url: '', filter: '' });
    },
  );
});
