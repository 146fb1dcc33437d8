import type { AppRun } from '@shared/contract/running';
import { AppError } from '@shared/errors';
import { expect, it } from 'vitest';
import { setTransport } from '../../../transport/client';
import { createFakeTransport } from '../../../transport/fake';
import { askToRun, followRuns, rerunFailed, rerunOne } from './run-actions';
import { listRunRows } from './run-rows';
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

it('has one row, as those that failed, run by what it sends: another may stand in its place by then', async () => {
  const item = { path: 'a.http', block: '#2', mark: '1/2', name: 'a #2', folder: '' };
  const run = { ...runIn('over'), items: [item], subject: { collectionId: 'c', path: 'a.http' } } as AppRun;
  useRunStore.setState({ run });
  const fake = createFakeTransport({
    'running.plan': () => {
      throw new AppError('running.nothing', 'Nothing is to be run.');
    },
  });
  setTransport(fake);
  await rerunOne(listRunRows(run, [])[0]!);
  await rerunFailed();
  expect(fake.calls.map(({ input }) => (input as AppRun['subject']).only)).toEqual(
    [1, 2].map(() => [{ path: 'a.http', block: '#2', mark: '1/2' }]),
  );
});
