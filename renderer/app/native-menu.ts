import { findAction } from '@shared/actions/action-list';
import { listCommands, runCommand, useCommandRegistry } from '../session/commands';
import { call, hasSystemDialogs, subscribe } from '../transport/client';

/** Views come and go in more than one step. */
const gatherMs = 100;

/** Does what is chosen in the menu bar of the desktop app, and tells it what can be done now. */
export function startNativeMenu(): void {
  if (!hasSystemDialogs()) return;
  let told = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = (): void => {
    const ids = listCommands()
      .filter(({ id, isDisabled }) => !isDisabled && findAction(id)?.menu !== undefined)
      .map(({ id }) => id);
    if (ids.join() === told) return;
    told = ids.join();
    call('app.showActions', { ids }).catch(() => (told = ''));
  };
  useCommandRegistry.subscribe(() => {
    clearTimeout(timer);
    timer = setTimeout(tell, gatherMs);
  });
  // A menu is closed, and has given the focus back, a moment after it was chosen from.
  subscribe('app.actionAsked', ({ id }) => setTimeout(runCommand, 0, id));
}
