import { create } from 'zustand';
import { parentOf } from '../requests-selectors';
import { copyNode, moveNode, runInTree, type NodeRef, type Target } from './node-actions';

interface TreeClipboard {
  held: NodeRef | null;
  /** Moved when it is put somewhere; else copied. */
  isCut: boolean;
}

/** The file or folder of the tree that was cut or copied. */
export const useTreeClipboard = create<TreeClipboard>(() => ({ held: null, isCut: false }));

/** Notes a file or folder to be put elsewhere; what is cut stays where it is until then. */
export function holdNode(held: NodeRef | null, isCut: boolean): void {
  if (held !== null) useTreeClipboard.setState({ held, isCut });
}

/** Puts what was cut or copied into a folder. */
export function pasteInto(target: Target): Promise<void> {
  const { held, isCut } = useTreeClipboard.getState();
  if (held === null) return Promise.resolve();
  if (isCut) useTreeClipboard.setState({ held: null, isCut: false });
  // The folder that was copied is still the one chosen: its copy goes beside it.
  const isItself = held.collectionId === target.collectionId && held.path === target.folder;
  const to = isItself ? { ...target, folder: parentOf(held.path) } : target;
  return runInTree(() => (isCut ? moveNode(held, to) : copyNode(held, to)));
}
