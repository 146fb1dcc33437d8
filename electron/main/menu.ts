import { Menu, type MenuItemConstructorOptions } from 'electron';
import { actionList, type MenuName } from '@shared/actions/action-list';
import { keysOf, toAccelerator, type KeyBindings } from '@shared/actions/key-bindings';
import { listZoomEntries } from './zoom';

export interface MenuState {
  hasDevTools: boolean;
  bindings: KeyBindings;
  /** Actions that can be done now. */
  enabled: ReadonlySet<string>;
  run: (id: string) => void;
}

/** The system's own entries of a menu, before and after what the app itself offers there. */
type OwnEntries = Partial<Record<'before' | 'after', MenuItemConstructorOptions[]>>;

const isMac = process.platform === 'darwin';
const line: MenuItemConstructorOptions = { type: 'separator' };

/** Sets the application menu: the actions of the one table, and the system's own roles, so that copy, zoom and quit work as everywhere. */
export function setApplicationMenu(state: MenuState): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(listMenus(state)));
}

/** What stands in the menus, in their order. */
export function listMenus(state: MenuState): MenuItemConstructorOptions[] {
  const menus: readonly [MenuName, string, OwnEntries][] = [
    [
      'file',
      '&File',
      // The app's own keys close a request; a window must not go by the same ones.
      {
        after: [
          line,
          { role: 'close', accelerator: 'CmdOrCtrl+Shift+W' },
          ...(isMac ? [] : [{ role: 'quit' } satisfies MenuItemConstructorOptions]),
        ],
      },
    ],
    [
      'edit',
      '&Edit',
      {
        before: [
          { role: 'undo' },
          { role: 'redo' },
          line,
          { role: 'cut' },
          { role: 'copy' },
          { role: 'paste' },
          { role: 'selectAll' },
        ],
      },
    ],
    [
      'view',
      '&View',
      {
        after: [
          line,
          ...listZoomEntries(),
          line,
          { role: 'togglefullscreen' },
          ...(state.hasDevTools ? [{ role: 'toggleDevTools' } satisfies MenuItemConstructorOptions] : []),
        ],
      },
    ],
    ['go', '&Go', {}],
    ['request', '&Request', {}],
    ['window', '&Window', { before: [{ role: 'minimize' }, { role: 'zoom' }] }],
    ['help', '&Help', {}],
  ];
  return [
    ...(isMac ? [{ role: 'appMenu' } satisfies MenuItemConstructorOptions] : []),
    ...menus.map(([name, label, { before = [], after = [] }]): MenuItemConstructorOptions => ({
      label,
      ...(name === 'window' || name === 'help' ? { role: name } : {}),
      submenu: [...before, ...listActions(name, state), ...after],
    })),
  ];
}

function listActions(name: MenuName, { bindings, enabled, run }: MenuState): MenuItemConstructorOptions[] {
  return actionList
    .filter(({ menu }) => menu === name)
    .flatMap(({ id, title, hasLineAbove }) => {
      const [keys] = keysOf(id, bindings);
      return [
        ...(hasLineAbove ? [line] : []),
        {
          id,
          label: title.replaceAll('&', '&&'),
          enabled: enabled.has(id),
          // The page hears its keys itself, in every host alike; the menu only shows them.
          ...(keys !== undefined && { accelerator: toAccelerator(keys), registerAccelerator: false }),
          click: () => run(id),
        },
      ];
    });
}
