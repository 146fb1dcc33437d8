import { findAction, nameAction, type ActionId } from '@shared/actions/action-list';
import { useEffect, useMemo, useRef } from 'react';
import { create } from 'zustand';
import { holdTyping } from './hold-typing';

/** Something a user can do from the command palette; by keys and from a menu, too, where the table of actions has it. */
export interface AppCommand {
  id: string;
  title: string;
  /** Group in the palette: 'Go to', 'Request', 'Environment' … */
  group: string;
  /** What else it is found by. */
  words?: string;
  isDisabled?: boolean;
  run: () => void;
}

/** Gives an action of the table what it does here and now. `title`: where it says more than the table's. */
export function commandOf(
  id: ActionId,
  how: Pick<AppCommand, 'run'> & Partial<Pick<AppCommand, 'isDisabled' | 'title'>>,
): AppCommand {
  return { ...nameAction(id), ...how };
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

/** What a menu on the screen offers; a `MenuAction` fits. */
interface MenuEntry {
  id: string;
  label: string;
  obstacle?: string | false | null;
  isDisabled?: boolean;
  onAction: () => void;
}

/** Offers in the palette what a menu has, while it stands on the screen: of the row that is chosen, of a view. */
export function useMenuCommands(group: string, entries: readonly MenuEntry[]): void {
  const latest = useRef(entries);
  useEffect(() => {
    latest.current = entries;
  });
  // A menu is made anew each time that it is drawn: what counts is what it says.
  const said = JSON.stringify(
    entries.map(({ id, label, isDisabled, obstacle }) => [id, label, isDisabled === true || !!obstacle]),
  );
  const commands = useMemo(
    () =>
      (JSON.parse(said) as [string, string, boolean][]).map(([id, title, isDisabled]) => ({
        id: `${group}-${id}`,
        title,
        group,
        isDisabled,
        run: () => latest.current.find((one) => one.id === id)?.onAction(),
      })),
    [group, said],
  );
  useCommands(`menu-${group}`, commands);
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

/** A dialog has the keyboard, and the menu bar, to itself. */
export const isDialogOpen = (): boolean =>
  document.querySelector('[data-modal]:not([data-exiting])') !== null;

/** Does what is called so, where it can be done now. */
export function runCommand(id: string): void {
  const command = listCommands().find((one) => one.id === id);
  if (command && !command.isDisabled && !isDialogOpen()) beginCommand(command);
}

/** What was chosen in a dialog that is just closing. */
let runChosen: (() => void) | null = null;

/** Runs a command after the dialog has given the focus back, so that the command may move it. */
export function beginCommandLater(command: AppCommand): void {
  holdTypingFor(command);
  const run = (): void => {
    if (runChosen !== run) return;
    runChosen = null;
    beginCommand(command);
  };
  runChosen = run;
  requestAnimationFrame(() => requestAnimationFrame(run));
}

/** Runs a command; what is typed before its dialog stands there goes to the dialog's field. */
export function beginCommand(command: AppCommand): void {
  // Left for later, it would lead away again from where this one goes.
  runChosen?.();
  holdTypingFor(command);
  command.run();
}

/** Keeps what is typed from now on for the field of the dialog that a command opens, where it opens one. */
function holdTypingFor({ id }: AppCommand): void {
  if (findAction(id)?.asks) holdTyping();
}
