import { beginCommand, isDialogOpen, listCommands } from '../session/commands';
import { takeForHeld } from '../session/hold-typing';
import { takeForRecording } from '../session/key-recording';
import { readKeysOf } from '../session/action-keys';
import { isKeyPress } from '../ui/keys';
import { enterList } from './enter-list';

/** Runs commands by their keys, before an editor or a list takes the key for itself; F6 goes from pane to pane. */
export function startShortcuts(): void {
  window.addEventListener('keydown', handleKey, { capture: true });
}

function handleKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || takeForRecording(event)) return;
  if (takeForHeld(event)) return take(event);
  // Held a little long it would close what stands below, too.
  if (event.key === 'Escape' && event.repeat) return take(event);
  if (isDialogOpen()) return;
  if (event.key === 'F6') {
    take(event);
    focusNextPane(event.shiftKey ? -1 : 1);
    return;
  }
  const command = listCommands().find((one) => readKeysOf(one.id).some((keys) => isKeyPress(event, keys)));
  if (!command) return enterList(event);
  take(event);
  if (!command.isDisabled && !event.repeat) beginCommand(command);
}

function take(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

/** Moves the focus to the next pane that can be seen: rail, panes of the view, status bar, and round again. */
function focusNextPane(step: 1 | -1): void {
  const panes = [...document.querySelectorAll<HTMLElement>('[data-pane]')].filter(
    (pane) => pane.offsetWidth > 0 && pane.offsetHeight > 0,
  );
  if (panes.length === 0) return;
  const here = panes.findLastIndex((pane) => pane.contains(document.activeElement));
  const next = panes[(here + step + panes.length) % panes.length];
  next?.focus();
}
