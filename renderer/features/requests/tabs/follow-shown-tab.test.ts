import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { selectCollection } from '../requests-selectors';
import { useRequestsStore, type ShownCollection } from '../requests-store';
import { startFakeBackEnd } from '../test-support';
import { closeTab, openRequest } from '../tree/collection-actions';
import { chooseWorkedIn } from '../../../session/worked-in';
import { followShownTab, tellWorkedIn } from './follow-shown-tab';
import { stepTab } from './tab-actions';

const shownId = (): string | undefined => selectCollection(useRequestsStore.getState())?.id;

/** Lists one collection more, as it comes from the back end. */
function listAlso(id: string): void {
  const [first] = useRequestsStore.getState().collections;
  const other: ShownCollection = { ...first!, id, name: id };
  useRequestsStore.setState({ collections: [first!, other] });
}

let firstId = '';
let stop = (): void => undefined;

beforeEach(() => {
  startFakeBackEnd({ 'a.http': 'GET /a\n', 'b.http': 'GET /b\n' });
  firstId = shownId()!;
  stop = followShownTab();
});
afterEach(() => stop());

describe('the collection that is worked in', () => {
  it('is that of the tab on top, whichever way it came there', async () => {
    listAlso('other');
    await openRequest('a.http', { collectionId: firstId });
    await openRequest('b.http', { collectionId: 'other' });
    expect(shownId()).toBe('other');
    stepTab(-1);
    expect(shownId()).toBe(firstId);
    stepTab(1);
    closeTab(useRequestsStore.getState().activeId!);
    expect(shownId()).toBe(firstId);
  });

  it('follows a tab of an import once its collection is listed', async () => {
    await openRequest('b.http', { collectionId: 'imported' });
    expect(shownId()).toBe(firstId);
    listAlso('imported');
    expect(shownId()).toBe('imported');
  });

  it('stays one that was opened without a tab, until a tab is shown', async () => {
    await openRequest('a.http', { collectionId: firstId });
    listAlso('opened');
    useRequestsStore.setState({ collectionId: 'opened' });
    expect(shownId()).toBe('opened');
    await openRequest('b.http', { collectionId: firstId });
    expect(shownId()).toBe(firstId);
  });

  it('is the one that other views export, for as long as it is open', async () => {
    const stopTelling = tellWorkedIn();
    listAlso('other');
    await openRequest('a.http', { collectionId: firstId });
    await openRequest('b.http', { collectionId: 'other' });
    const collections = [{ id: firstId }, { id: 'other' }];
    expect(chooseWorkedIn({ collections, activeId: firstId })).toBe('other');
    expect(chooseWorkedIn({ collections: [{ id: firstId }], activeId: firstId })).toBe(firstId);
    expect(chooseWorkedIn({ collections: [], activeId: null })).toBe(null);
    stopTelling();
  });
});
