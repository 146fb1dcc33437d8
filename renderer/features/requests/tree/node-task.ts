import { create } from 'zustand';
import { holdTyping } from '../../../session/hold-typing';
import type { NodeRef, Target } from './node-actions';

/** Something to do with the files of a collection that needs a name first. */
export type NodeTask =
  | { kind: 'newRequest'; target: Target }
  | { kind: 'newFolder'; target: Target }
  | { kind: 'rename'; node: NodeRef };

/** The task whose name is asked for. */
export const useNodeTask = create<{ task: NodeTask | null }>(() => ({ task: null }));

export function askForName(task: NodeTask | null): void {
  if (task !== null) holdTyping(() => askForName(null));
  useNodeTask.setState({ task });
}
