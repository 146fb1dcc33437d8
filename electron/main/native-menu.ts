import { Menu } from 'electron';
import { actionList } from '@shared/actions/action-list';
import type { KeyBindings } from '@shared/actions/key-bindings';
import type { EventBus } from '@shared/contract/events';
import type { Router } from '../services/router';
import { setApplicationMenu } from './menu';

/** The menu bar, as it follows the page and the settings. */
export interface NativeMenu {
  /** Makes what can be done now available, and nothing else of the app's own. */
  showActions(ids: readonly string[]): void;
  /** Follows the keys that the user sets. */
  follow(services: { events: EventBus; router: Pick<Router, 'call'> }, started: Promise<void>): () => void;
}

/** Sets the menu bar; a choice in it is told to the page, which does it. */
export function createNativeMenu({ hasDevTools }: { hasDevTools: boolean }): NativeMenu {
  let enabled: ReadonlySet<string> = new Set();
  let bindings: KeyBindings = {};
  let run = (_id: string): void => undefined;
  const draw = (): void => setApplicationMenu({ hasDevTools, bindings, enabled, run: (id) => run(id) });
  draw();
  return {
    showActions(ids) {
      enabled = new Set(ids);
      const menu = Menu.getApplicationMenu();
      for (const { id } of actionList) {
        const item = menu?.getMenuItemById(id);
        if (item) item.enabled = enabled.has(id);
      }
    },
    follow({ events, router }, started) {
      run = (id) => events.emit('app.actionAsked', { id });
      const readKeys = async (): Promise<void> => {
        bindings = (await router.call('settings.get', {})).keys;
        draw();
      };
      // A menu that shows the usual keys is no reason to trouble anybody.
      const update = (): void => void readKeys().catch(() => undefined);
      void started.then(update, () => undefined);
      return events.subscribe('settings.changed', ({ names }) => {
        if (names.includes('keys')) update();
      });
    },
  };
}
