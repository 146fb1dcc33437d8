import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AppError } from '@shared/errors';
import { createEventBus } from '../../platform/event-bus';
import type { TunnelOptions } from '../tunnels/create-tunnel';
import { TunnelSwitch } from './tunnel-switch';

const started: { port: number; isStopped: boolean; options: TunnelOptions }[] = [];
vi.mock('../tunnels/create-tunnel', () => ({
  startTunnel(options: TunnelOptions) {
    const one = { port: options.target.port, isStopped: false, options };
    started.push(one);
    return { stop: () => Promise.resolve(void (one.isStopped = true)) };
  },
}));
beforeEach(() => void (started.length = 0));
afterEach(() => vi.restoreAllMocks());

function createStage() {
  const setProbe = vi.fn(() => Promise.resolve({}));
  const tunnel = new TunnelSwitch(
    { settings: { get: () => undefined, set: () => undefined } },
    () => ({ call: setProbe }) as never,
    createEventBus((error) => expect.unreachable(String(error))),
    () => undefined,
  );
  return { tunnel, setProbe };
}

const running = (): number[] => started.flatMap(({ port, isStopped }) => (isStopped ? [] : [port]));

it('goes where the listener goes, also where that was stopped in between', async () => {
  const { tunnel } = createStage();
  await tunnel.follow('http://127.0.0.1:5001');
  await tunnel.start('cmd:node');
  started[0]!.options.onState({ state: 'connected', url: 'https://a.example', reason: null, latencyMs: 1 });
  await tunnel.follow(null);
  expect([running(), tunnel.status()]).toMatchObject([[], { state: 'disconnected', url: null }]);
  await tunnel.follow('http://127.0.0.1:5002');
  expect(running()).toEqual([5002]);
  // A listener that is started anew: one right after the other.
  void tunnel.follow(null);
  await tunnel.follow('http://127.0.0.1:5003');
  expect([running(), started.length]).toEqual([[5003], 3]);
});

it('stays off where it was switched off while it began', async () => {
  const { tunnel, setProbe } = createStage();
  let answer = (_value: object): void => undefined;
  setProbe.mockImplementation(() => new Promise((resolve) => (answer = resolve)));
  await tunnel.follow('http://127.0.0.1:5001');
  const starting = tunnel.start('cmd:node');
  await vi.waitFor(() => expect(setProbe).toHaveBeenCalled());
  const stopping = tunnel.stop();
  answer({});
  await Promise.all([starting, stopping]);
  expect([started, tunnel.status().state]).toEqual([[], 'off']);
  await tunnel.follow('http://127.0.0.1:5002');
  expect(started).toEqual([]);
});

it('says why it could not follow, and follows the next time', async () => {
  const { tunnel, setProbe } = createStage();
  await tunnel.follow('http://127.0.0.1:5001');
  await tunnel.start('cmd:node');
  setProbe.mockRejectedValueOnce(new AppError('worker.stopped', 'A background worker stopped.'));
  await tunnel.follow('http://127.0.0.1:5002');
  expect(tunnel.status()).toMatchObject({ state: 'disconnected', reason: 'A background worker stopped.' });
  await tunnel.follow('http://127.0.0.1:5003');
  expect(running()).toEqual([5003]);
});
