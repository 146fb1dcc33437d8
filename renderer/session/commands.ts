import { useEffect } from 'react';
import { create } from 'zustand';

/** Something a user can do from the command palette, and by its keys where it has some. */
export interface AppCommand {
  id: string;
  title: string;
  /** Group in the palette: 'Go to', 'Request', 'Environment' … */
  group: string;
  /** `mod+Enter`: Ctrl, or Cmd on a Mac. */
  keys?: string;
  /** A second way to press it. */
  otherKeys?: string;
  isDisabled?: boolean;
  run: () => void;
}

interface CommandState {
  sources: ReadonlyMap<string, readonly AppCommand[]>;
}

/** Commands of what is on the screen now, by source. */
export const useCommandRegistry = create<CommandState>(() => ({ sources: new Map() }));

/** Offers commands while the calling view is shown. `source` names the view. */
export function useCommands(source: string, commands: readonly AppCommand[]): void {
  useEffect(() => {
    setSource(source, commands);
  }, [source, commands]);
  useEffect(() => () => setSource(source, null), [source]);
}

function setSource(source: string, commands: readonly AppCommand[] | null): void {
  useCommandRegistry.setState(({ sources }) => {
    const next = new Map(sources);
    if (commands) next.set(source, commands);
    else next.delete(source);
    return { sources: next };
  });
}

/** All commands in the order in which their sources appeared. */
export function listCommands(): AppCommand[] {
  return [...useCommandRegistry.getState().sources.values()].flat();
}
