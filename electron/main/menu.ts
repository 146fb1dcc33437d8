import { Menu, type MenuItemConstructorOptions } from 'electron';

/** Sets the application menu: the system's own roles, so that copy, undo, zoom and quit work as everywhere. */
export function setApplicationMenu({ hasDevTools }: { hasDevTools: boolean }): void {
  const isMac = process.platform === 'darwin';
  const template: MenuItemConstructorOptions[] = [
    ...(isMac ? [{ role: 'appMenu' } satisfies MenuItemConstructorOptions] : []),
    {
      label: 'File',
      // Ctrl+W closes a request; a window must not go by the same keys.
      submenu: [
        { role: 'close', accelerator: 'CmdOrCtrl+Shift+W' },
        ...(isMac ? [] : [{ role: 'quit' } as const]),
      ],
    },
    { role: 'editMenu' },
    {
      label: 'View',
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
        ...(hasDevTools ? [{ role: 'toggleDevTools' } satisfies MenuItemConstructorOptions] : []),
      ],
    },
    { role: 'windowMenu' },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
