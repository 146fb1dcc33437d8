import { refreshAppStatus } from './app-status';
import { loadEnvironments } from './environments';
import { followSettings, readSettings } from './follow-settings';
import { startNotifying } from './notify-webhooks';
import { askBeforeLeaving } from './unsaved';

/** Starts what nothing on the first screen waits for. */
export function startFollowers(): void {
  startNotifying();
  followSettings();
  askBeforeLeaving();
  // What a command has changed meanwhile, nobody tells.
  window.addEventListener('focus', () => {
    void refreshAppStatus();
    void loadEnvironments();
    void readSettings();
  });
}
