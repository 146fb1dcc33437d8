import { create } from 'zustand';

/** The collection that is worked in; null: nothing was opened yet. */
export const useWorkedIn = create<{ collectionId: string | null }>(() => ({ collectionId: null }));

/** Of the open collections the one that is worked in, else the one that was opened last. */
export function chooseWorkedIn(listed: {
  readonly collections: readonly { readonly id: string }[];
  readonly activeId: string | null;
}): string | null {
  const { collectionId } = useWorkedIn.getState();
  return listed.collections.some(({ id }) => id === collectionId) ? collectionId : listed.activeId;
}
