import { refreshAppStatus } from '../session/app-status';
import { loadEnvironments } from '../session/environments';
import { followSettings, readSettings } from '../session/follow-settings';
import { startNotifying } from '../session/notify-webhooks';
import { askBeforeLeaving } from '../session/unsaved';
import { tell } from '../ui/say';
import { showCutText } from './show-cut-text';
import { takeDropped } from './taking/take-dropped';
import { takePasted } from './taking/take-pasted';

/** Starts what nothing on the first screen waits for. */
export function startFollowers(): void {
  startNotifying(tell);
  followSettings();
  askBeforeLeaving();
  takeDropped();
  takePasted();
  showCutText();
  // What a command has changed meanwhile, nobody tells.
  window.addEventListener('focus', () => {
    void refreshAppStatus();
    void loadEnvironments();
    void readSettings();
  });
}
