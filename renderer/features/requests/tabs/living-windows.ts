import { ownSlot } from './drafts';

/** Where a page finds out, loaded anew, what it was called before. */
const formerKey = 'countersign.window';

/** Tells the other windows of this browser that this one is open. @returns which of them are */
export async function findLivingWindows(): Promise<ReadonlySet<string>> {
  try {
    const former = sessionStorage.getItem(formerKey);
    sessionStorage.setItem(formerKey, ownSlot);
    // It is held for as long as the page is there.
    void navigator.locks.request(ownSlot, () => new Promise<never>(() => undefined));
    const { held = [] } = await navigator.locks.query();
    return new Set(held.flatMap(({ name }) => (name === undefined || name === former ? [] : [name])));
  } catch {
    // Nobody can tell: what another has typed comes here, too, and is lost in neither.
    return new Set();
  }
}
