import { expect, it } from 'vitest';
import { createEventBus } from '../../platform/event-bus';
import { createLocalSource, type LocalInbox } from './local-source';

const page = { rows: [], totalCount: 0, isTotalCut: false, next: null, unreadCount: 0 };
const query = { limit: 1, before: null, search: '', filter: 'all' };

/** What is done for two reads one after the other. */
async function readTwice(isFarBehind: boolean, isRunning: boolean, isWritable = true): Promise<string[]> {
  const done: string[] = [];
  const inbox = {
    read: () => ({ isFarBehind: () => isFarBehind, list: () => (done.push('list'), page) }),
    worker: {
      isRunning: () => isRunning,
      call: (method: string) => (
        done.push(method),
        isWritable ? Promise.resolve() : Promise.reject(new Error('read-only'))
      ),
    },
  } as unknown as LocalInbox;
  const source = createLocalSource(inbox, createEventBus());
  await source.list(query);
  await source.list(query);
  return done;
}

it('goes on with a catalogue that is far behind before it is read, once, and only where nobody else does', async () => {
  expect(await readTwice(true, false)).toEqual(['whenIndexed', 'list', 'list']);
  expect(await readTwice(true, true)).toEqual(['list', 'list']);
  expect(await readTwice(false, false)).toEqual(['list', 'list']);
  expect(await readTwice(true, false, false)).toEqual(['whenIndexed', 'list', 'list']);
});

it('reads again after the first look failed: the file may be free by then', async () => {
  let isBusy = true;
  const read = (): object => {
    if (isBusy) throw new Error('The inbox is busy.');
    return { isFarBehind: () => false, list: () => page };
  };
  const inbox = { read, worker: { isRunning: () => false } } as unknown as LocalInbox;
  const source = createLocalSource(inbox, createEventBus());
  await expect(source.list(query)).rejects.toThrow('busy');
  isBusy = false;
  expect(await source.list(query)).toBe(page);
});
