import { followSettings } from './follow-settings';
import { startNotifying } from './notify-webhooks';

/** Starts what nothing on the first screen waits for. */
export function startFollowers(): void {
  startNotifying();
  followSettings();
}
