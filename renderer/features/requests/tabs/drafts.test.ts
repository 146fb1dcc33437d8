import { createRecord } from '@shared/own-value';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readLayout, useSettings, writeLayout } from '../../../session/settings-store';
import { openRequest } from '../tree/collection-actions';
import { keepState, takeOver } from './drafts';
import { readKeptStates } from './read-kept';
import { editFile } from '../editor/edit-actions';
import { selectActiveTab } from '../requests-selectors';
import { useRequestsStore } from '../requests-store';
import { startRequests } from '../start-requests';
import { startFakeBackEnd } from '../test-support';

const openAndType = async () => {
  startFakeBackEnd(
    { 'a.http': 'GET http://a', 'b.http': 'GET http://b' },
    { 'settings.update': () => useSettings.getState().settings },
  );
  await openRequest('a.http');
  await openRequest('b.http');
  editFile(selectActiveTab(useRequestsStore.getState())!.id, 'GET http://typed');
};

/** As a browser's: what is kept are its own names. */
function createStorage(isFull = false): Record<string, unknown> {
  const items = createRecord<unknown>();
  const methods = {
    getItem: (key: string) => items[key] ?? null,
    setItem: (key: string, value: string) => {
      if (isFull) throw new Error('full');
      items[key] = value;
    },
    removeItem: (key: string) => Reflect.deleteProperty(items, key),
  };
  for (const [name, value] of Object.entries(methods)) Object.defineProperty(items, name, { value });
  return items;
}

afterEach(() => {
  vi.unstubAllGlobals();
  useSettings.setState(useSettings.getInitialState(), true);
});

describe('drafts', () => {
  it('come back after a reload, with the version they were typed over', async () => {
    vi.stubGlobal('localStorage', createStorage());
    await openAndType();
    keepState(useRequestsStore.getState());
    useSettings.setState(useSettings.getInitialState(), true);
    expect(readKeptStates()[0]).toMatchObject({
      activePath: 'b.http',
      tabs: [
        { path: 'a.http', draft: null },
        { path: 'b.http', draft: { text: 'GET http://typed', version: expect.stringContaining('http://b') } },
      ],
    });
  });

  it('go into the settings where the browser’s store is full, or at another address', async () => {
    vi.stubGlobal('localStorage', createStorage(true));
    await openAndType();
    keepState(useRequestsStore.getState());
    expect(readKeptStates()[0]?.tabs[1]?.draft?.text).toBe('GET http://typed');
  });

  it('come back behind what was opened by hand meanwhile', async () => {
    vi.stubGlobal('localStorage', createStorage());
    vi.stubGlobal('window', new EventTarget());
    await openAndType();
    keepState(useRequestsStore.getState());
    const { handlers } = startFakeBackEnd({ 'a.http': 'GET a', 'b.http': 'GET b', 'c.http': 'GET c' });
    const read = handlers['collections.read']!;
    handlers['collections.read'] = (input) => {
      if (input.path === 'a.http') void openRequest('c.http');
      return read(input);
    };
    const following = vi.spyOn(useRequestsStore, 'subscribe');
    await startRequests();
    const { tabs } = useRequestsStore.getState();
    expect(tabs.map(({ path }) => path).sort()).toEqual(['a.http', 'b.http', 'c.http']);
    expect(tabs.find(({ path }) => path === 'b.http')?.text).toBe('GET http://typed');
    expect(selectActiveTab(useRequestsStore.getState())?.path).toBe('c.http');
    // The start goes on for good; other tests of this process have other tabs.
    window.dispatchEvent(new Event('pagehide'));
    for (const { value } of following.mock.results) (value as () => void)();
    following.mockRestore();
  });

  it('are ignored where what was kept is not ours', () => {
    const storage = createStorage();
    vi.stubGlobal('localStorage', storage);
    storage['countersign.requests:'] = '{"tabs":[{"path":1}]}';
    expect(readKeptStates()).toEqual([]);
  });

  it('come back from a version that knew one collection alone', () => {
    const storage = createStorage();
    vi.stubGlobal('localStorage', storage);
    const draft = { text: 'GET http://typed', version: 'v1' };
    const tab = { path: 'a.http', requestIndex: 0, subTab: 'body', draft };
    const former = { savedAt: 1, activePath: 'a.http', collapsed: [], tabs: [tab] };
    storage['countersign.requests:'] = JSON.stringify(former);
    expect(readKeptStates()[0]).toEqual({
      ...former,
      slot: 'requests.tabs',
      activeCollectionId: null,
      tabs: [{ ...tab, collectionId: null }],
    });
  });

  it('of windows that are gone come to the one that begins, and are given up once it keeps them', async () => {
    const storage = createStorage();
    vi.stubGlobal('localStorage', storage);
    await openAndType();
    const other = (text: string) => ({
      savedAt: 1,
      activePath: null,
      collapsed: [],
      tabs: [{ path: 'a.http', requestIndex: 0, subTab: 'body', draft: { text, version: 'v1' } }],
    });
    storage['countersign.requests:.gone'] = JSON.stringify(other('GET http://gone'));
    storage['countersign.requests:.open'] = JSON.stringify(other('GET http://open'));
    writeLayout('requests.tabs.gone', other('GET http://older'));
    const states = readKeptStates(new Set(['requests.tabs.open']));
    expect(states.map(({ slot, tabs }) => [slot, tabs[0]!.draft!.text])).toEqual([
      ['requests.tabs.gone', 'GET http://older'],
    ]);
    keepState(useRequestsStore.getState());
    expect(Object.keys(storage)).toHaveLength(3);
    takeOver(states.map(({ slot }) => slot));
    keepState(useRequestsStore.getState());
    expect(Object.keys(storage)).not.toContain('countersign.requests:.gone');
    expect(Object.keys(storage)).toContain('countersign.requests:.open');
    expect(readLayout('requests.tabs.gone')).toBeNull();
  });

  it('of a window that is open stay with it: another one begins with its tabs alone', () => {
    const storage = createStorage();
    vi.stubGlobal('localStorage', storage);
    const draft = { text: 'GET http://open', version: 'v1' };
    const tab = { collectionId: 'c1', path: 'a.http', requestIndex: 0, subTab: 'body', draft };
    const kept = { savedAt: 1, activePath: 'a.http', activeCollectionId: 'c1', collapsed: [], tabs: [tab] };
    storage['countersign.requests:.open'] = JSON.stringify(kept);
    expect(readKeptStates(new Set(['requests.tabs.open']))).toEqual([
      { ...kept, slot: '', tabs: [{ ...tab, draft: null }] },
    ]);
  });
});
