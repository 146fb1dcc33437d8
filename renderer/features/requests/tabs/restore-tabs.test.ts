import { afterEach, expect, it, vi } from 'vitest';
import { AppError } from '@shared/errors';
import { useSettings } from '../../../session/settings-store';
import { selectActiveTab } from '../requests-selectors';
import { updateTab, useRequestsStore } from '../requests-store';
import { startFakeBackEnd } from '../test-support';
import { closeTab, openRequest, takeDiskChanges } from '../tree/collection-actions';
import { loadCollections } from '../tree/load-tree';
import { keepState } from './drafts';
import { readKept } from './read-kept';
import { restoreTabs } from './restore-tabs';

const files = { 'a.http': 'GET /a\n', 'b.http': 'GET /b\n', 'c.http': 'GET /c\n' };
const openPaths = (): string[] => useRequestsStore.getState().tabs.map(({ path }) => path);

/** A window that starts, with tabs of last time: `c` on top. */
async function startAgain(): Promise<void> {
  const items = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => items.delete(key),
  });
  const handlers = { 'settings.update': () => useSettings.getState().settings };
  startFakeBackEnd(files, handlers);
  for (const path of Object.keys(files)) await openRequest(path);
  keepState(useRequestsStore.getState());
  startFakeBackEnd(files, handlers);
  await loadCollections();
}

afterEach(() => {
  vi.unstubAllGlobals();
  useSettings.setState(useSettings.getInitialState(), true);
});

it('leaves a tab closed that was closed while the tabs of last time are read', async () => {
  await startAgain();
  const restored = restoreTabs(await readKept());
  expect(openPaths()).toEqual(['a.http', 'b.http', 'c.http']);
  closeTab(selectActiveTab(useRequestsStore.getState())!.id);
  await restored;
  expect(openPaths()).toEqual(['a.http', 'b.http']);
  expect(selectActiveTab(useRequestsStore.getState())).toMatchObject({ path: 'b.http', state: 'ready' });
});

it('shows the tab that was on top, and what was opened by hand before it could', async () => {
  await startAgain();
  await restoreTabs(await readKept());
  expect(selectActiveTab(useRequestsStore.getState())?.path).toBe('c.http');
  await startAgain();
  const opened = openRequest('a.http');
  await Promise.all([opened, restoreTabs(await readKept())]);
  expect(selectActiveTab(useRequestsStore.getState())?.path).toBe('a.http');
  expect(openPaths()).toHaveLength(3);
});

it('keeps the tabs of a folder that is away at the start, and reads them once it is back', async () => {
  await startAgain();
  const isAway = (): never => {
    throw new AppError('collections.unknown', 'Its folder is not there.');
  };
  const fake = startFakeBackEnd(files);
  const { handlers } = fake;
  fake.handlers = { ...handlers, 'collections.tree': isAway, 'collections.read': isAway };
  await loadCollections();
  await restoreTabs(await readKept());
  expect(openPaths()).toEqual(['a.http', 'b.http', 'c.http']);
  expect(selectActiveTab(useRequestsStore.getState())).toMatchObject({ path: 'c.http', state: 'failed' });
  fake.handlers = handlers;
  await takeDiskChanges('c1', []);
  expect(useRequestsStore.getState().tabs.map(({ state }) => state)).toEqual(['ready', 'ready', 'ready']);
});

it('keeps the tabs of a collection that is held back', async () => {
  await startAgain();
  useRequestsStore.setState(({ collections }) => ({ collections: [], heldBack: collections }));
  await restoreTabs(await readKept());
  expect(openPaths()).toEqual(['a.http', 'b.http', 'c.http']);
});

it('shows the request that was on show, wherever its file has it at the next start, and no other in its place', async () => {
  const [one, two, three] = ['one', 'two', 'three'].map((name) => `### ${name}\nGET http://h/${name}\n\n`);
  const startWith = async (text: string): Promise<void> => {
    await startAgain();
    await openRequest('c.http');
    const before = `${one}${two}`;
    const { id } = selectActiveTab(useRequestsStore.getState())!;
    updateTab(id, { text: before, savedText: before, requestIndex: 1 });
    keepState(useRequestsStore.getState());
    startFakeBackEnd({ ...files, 'c.http': text });
    await loadCollections();
    await restoreTabs(await readKept());
  };
  await startWith(`${two}${one}`);
  expect(selectActiveTab(useRequestsStore.getState())).toMatchObject({ requestIndex: 0, lost: null });
  await startWith(`${one}${three}`);
  expect(selectActiveTab(useRequestsStore.getState())).toMatchObject({
    requestIndex: -1,
    lost: { identity: 'two' },
  });
});

it('misses no file of a draft that was never saved', async () => {
  await startAgain();
  const draft = { text: 'GET /new\n', version: null };
  await openRequest('new (draft).http', { draft });
  expect(selectActiveTab(useRequestsStore.getState())).toMatchObject({
    state: 'ready',
    error: null,
    ...draft,
  });
  await openRequest('gone.http', { draft: { ...draft, version: 'v1' } });
  expect(selectActiveTab(useRequestsStore.getState())?.gone).toEqual({ movedTo: null });
});
