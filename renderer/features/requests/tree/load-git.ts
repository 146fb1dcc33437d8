import { create } from 'zustand';
import { createLatest } from '../../../session/create-latest';
import { call } from '../../../transport/client';
import { useRequestsStore } from '../requests-store';

export type GitMark = 'new' | 'changed';

interface GitView {
  branch: string | null;
  marks: ReadonlyMap<string, GitMark>;
}

/** What git has of each collection, by its id. */
export const useGit = create<{ views: Readonly<Record<string, GitView>> }>(() => ({ views: {} }));

const pauseMs = 300;
const pending = new Map<string, ReturnType<typeof setTimeout>>();
const begin = createLatest();

/** Reads it anew a moment later, once for all who ask meanwhile. It is an extra: where it cannot be read, nothing is shown. */
export function loadGit(collectionId: string): void {
  if (pending.has(collectionId)) return;
  const read = async (): Promise<void> => {
    pending.delete(collectionId);
    const isLast = begin(collectionId);
    const take = (view: GitView): void => {
      if (isLast()) useGit.setState(({ views }) => ({ views: { ...views, [collectionId]: view } }));
    };
    try {
      const { branch, files } = await call('collections.git', { collectionId });
      take({ branch, marks: new Map(files.map(({ path, state }) => [path, state])) });
    } catch {
      take({ branch: null, marks: new Map() });
    }
  };
  pending.set(
    collectionId,
    setTimeout(() => void read(), pauseMs),
  );
}

/** A commit or a checkout changes no file that is watched: whoever comes back to the window sees what became of it. */
export function followGit(): void {
  window.addEventListener('focus', () => {
    for (const { id } of useRequestsStore.getState().collections) loadGit(id);
  });
}
