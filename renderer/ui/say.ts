import { copyToClipboard } from './clipboard';

/** Says in passing what nothing on the screen shows. */
export function say(text: string): void {
  // Where it cannot be loaded, the back end is gone, and the page says that.
  void import('./show-said').then(({ showSaid }) => showSaid(text)).catch(() => undefined);
}

/** Tells a screen reader alone, of what everybody else sees: a region that comes with its text is not told of. */
export function tell(text: string): void {
  void import('./show-said').then(({ showSaid }) => showSaid(text, false)).catch(() => undefined);
}

/** Copies text by a menu or a command, which are gone by then: says that it is done, or was refused. */
export async function copyAndSay(text: string, done = 'Copied'): Promise<void> {
  say((await copyToClipboard(text)) ? done : 'Could not copy: the clipboard was refused');
}
