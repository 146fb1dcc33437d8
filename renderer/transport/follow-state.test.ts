import { expect, it } from 'vitest';
import type { TunnelStatus } from '@shared/contract/forwarding';
import { setTransport } from './client';
import { createFakeTransport } from './fake';
import { followState } from './follow-state';

const named = (state: string): TunnelStatus => ({ state }) as never;

it('takes an answer, but none that an event has overtaken, and takes answers again after that', async () => {
  const fake = createFakeTransport();
  setTransport(fake);
  const taken: TunnelStatus[] = [];
  const followed = followState('tunnel.changed', (state) => taken.push(state));
  const stop = followed.start();
  await followed.takeAnswer(() => Promise.resolve(named('stopped')));
  let answer = (_state: TunnelStatus): void => undefined;
  const asked = followed.takeAnswer(() => new Promise((resolve) => (answer = resolve)));
  fake.emit('tunnel.changed', named('connected'));
  answer(named('starting'));
  await asked;
  await followed.takeAnswer(() => Promise.resolve(named('later')));
  stop();
  fake.emit('tunnel.changed', named('after the end'));
  expect(taken).toEqual(['stopped', 'connected', 'later'].map(named));
});

it('hands on what the call failed with', async () => {
  const followed = followState('tunnel.changed', () => undefined);
  await expect(followed.takeAnswer(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
});
