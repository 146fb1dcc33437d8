import type { AppRun } from '@shared/contract/running';
import { AppError } from '@shared/errors';
import { expect, it } from 'vitest';
import { setTransport } from '../../../transport/client';
import { createFakeTransport } from '../../../transport/fake';
import { askToRun, followRuns } from './run-actions';
import { useRunStore } from './run-store';

const runIn = (state: AppRun['state']): AppRun =>
  ({ id: 'r', state, durationMs: 1, items: [], results: [], kept: [], subject: {} }) as unknown as AppRun;
const errorCode = () => useRunStore.getState().error?.code ?? null;

it('takes back what is no more so: that a run is under way once it is over, and that nothing answers once it does', async () => {
  let run = runIn('running');
  const fake = createFakeTransport({
    'running.get': () => ({ run }),
    'running.plan': () => {
      throw new AppError('running.under_way', 'A run is under way.');
    },
  });
  setTransport(fake);
  followRuns();
  const wish = { collectionId: 'c', path: '', title: 'All' };
  await askToRun(wish);
  expect(errorCode()).toBe('running.under_way');
  fake.emit('running.changed', { ...run, underWay: [] });
  await Promise.resolve();
  expect(errorCode()).toBe('running.under_way');
  run = runIn('over');
  fake.emit('running.changed', { ...run, underWay: [] });
  await expect.poll(errorCode).toBeNull();

  fake.handlers['running.plan'] = () => {
    throw new AppError('app.unreachable', 'The back end does not answer.');
  };
  await askToRun(wish);
  expect(errorCode()).toBe('app.unreachable');
  fake.setConnection('offline');
  fake.setConnection('online');
  await expect.poll(errorCode).toBeNull();
});
