import { create } from 'zustand';

/** By form: what was typed into it and is neither saved nor discarded. */
const useUnsavedStore = create<{ typed: ReadonlyMap<string, unknown> }>(() => ({ typed: new Map() }));

/**
 * Keeps what is typed into a form for as long as the window lives: a look at another row or view does not lose it. It is
 * written nowhere.
 *
 * @param form - one name for each form, and for each thing that it is about
 * @returns what was typed, null where nothing was; what notes it, or with null forgets it
 */
export function useUnsaved<T extends object>(form: string): [T | null, (typed: T | null) => void] {
  const typed = useUnsavedStore((state) => state.typed.get(form) ?? null) as T | null;
  return [typed, (now) => noteUnsaved(form, now)];
}

/** Has the window ask before it is closed or loaded anew while something stands in a form that is not saved. */
export function askBeforeLeaving(): void {
  const ask = (event: BeforeUnloadEvent): void => {
    if (useUnsavedStore.getState().typed.size > 0) event.preventDefault();
  };
  window.addEventListener('beforeunload', ask);
}

/** Whether something stands in a form that is not saved. */
export const useHasUnsaved = (form: string): boolean => useUnsavedStore(({ typed }) => typed.has(form));

/** What was typed into a form; null: nothing. */
export const readUnsaved = <T extends object>(form: string): T | null =>
  (useUnsavedStore.getState().typed.get(form) ?? null) as T | null;

/** Notes what is typed in a form; null: nothing more, it was saved or discarded. */
export function noteUnsaved(form: string, now: object | null): void {
  const typed = new Map(useUnsavedStore.getState().typed);
  if (now === null) typed.delete(form);
  else typed.set(form, now);
  useUnsavedStore.setState({ typed });
}

/** Leaves out what was typed back to what is saved; null where nothing else was typed. */
export function listChanged<T extends object>(typed: T, saved: T): Partial<T> | null {
  const changed = Object.entries(typed).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(saved[name as keyof T]),
  );
  return changed.length === 0 ? null : (Object.fromEntries(changed) as Partial<T>);
}

/** Has what is typed in a form follow what it is about to another name. */
export function moveUnsaved(from: string, to: string): void {
  const now = useUnsavedStore.getState().typed.get(from);
  if (now === undefined) return;
  noteUnsaved(from, null);
  noteUnsaved(to, now as object);
}
