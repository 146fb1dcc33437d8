import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { pause } from './limiter';
import { WebhookHub } from './webhook-hub';

it('ends all pauses and waits of a run with its signal, on which one listener stands however many they are', async () => {
  const run = new AbortController();
  const claim = new WebhookHub().claim('R-1');
  const waits = Array.from({ length: 40 }, () => [
    pause(60_000, run.signal),
    claim.whenChanged(60_000, run.signal),
  ]);
  expect(getEventListeners(run.signal, 'abort')).toHaveLength(1);
  run.abort();
  await Promise.all(waits.flat());
  await pause(60_000, run.signal);
  expect(getEventListeners(run.signal, 'abort')).toHaveLength(0);
});
