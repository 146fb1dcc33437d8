import { useWorkedIn } from '../../../session/worked-in';
import { selectActiveTab } from '../requests-selectors';
import { useRequestsStore, type RequestsState } from '../requests-store';

/**
 * Makes the collection of the tab on top the one that is worked in, for as long as the app runs.
 *
 * "Run", "New request" and the pane's own menu mean that collection, whichever way its tab came to the top. An import opens a tab
 * before its collection is listed: it is followed once it is. A collection that was opened without a tab stays until a tab is shown.
 * @returns ends it
 */
export function followShownTab(): () => void {
  return useRequestsStore.subscribe((state, before) => {
    const owner = selectActiveTab(state)?.collectionId;
    if (owner === undefined || owner === state.collectionId || !isListed(state, owner)) return;
    if (state.activeId === before.activeId && isListed(before, owner)) return;
    useRequestsStore.setState({ collectionId: owner });
  });
}

/** Tells other views, which import and export, the collection that is worked in. @returns ends it */
export function tellWorkedIn(): () => void {
  return useRequestsStore.subscribe(({ collectionId }) => {
    if (collectionId !== useWorkedIn.getState().collectionId) useWorkedIn.setState({ collectionId });
  });
}

const isListed = ({ collections }: RequestsState, collectionId: string): boolean =>
  collections.some(({ id }) => id === collectionId);
