import { afterEach, describe, expect, it, vi } from 'vitest';
import { useSettings } from '../../../session/settings-store';
import { openRequest } from '../tree/collection-actions';
import { keepState, readKeptState } from './drafts';
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

const createStorage = (isFull = false): Pick<Storage, 'getItem' | 'setItem'> => {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => {
      if (isFull) throw new Error('full');
      items.set(key, value);
    },
  };
};

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
    expect(readKeptState()).toMatchObject({
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
    expect(readKeptState()?.tabs[1]?.draft?.text).toBe('GET http://typed');
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
    await startRequests();
    const { tabs } = useRequestsStore.getState();
    expect(tabs.map(({ path }) => path).sort()).toEqual(['a.http', 'b.http', 'c.http']);
    expect(tabs.find(({ path }) => path === 'b.http')?.text).toBe('GET http://typed');
    expect(selectActiveTab(useRequestsStore.getState())?.path).toBe('c.http');
  });

  it('are ignored where what was kept is not ours', () => {
    const storage = createStorage();
    vi.stubGlobal('localStorage', storage);
    storage.setItem('countersign.requests:', '{"tabs":[{"path":1}]}');
    expect(readKeptState()).toBeNull();
  });

  it('come back from a version that knew one collection alone', () => {
    const storage = createStorage();
    vi.stubGlobal('localStorage', storage);
    const draft = { text: 'GET http://typed', version: 'v1' };
    const tab = { path: 'a.http', requestIndex: 0, subTab: 'body', draft };
    const former = { savedAt: 1, activePath: 'a.http', collapsed: [], tabs: [tab] };
    storage.setItem('countersign.requests:', JSON.stringify(former));
    expect(readKeptState()).toEqual({
      ...former,
      activeCollectionId: null,
      tabs: [{ ...tab, collectionId: null }],
    });
  });
});
