import type { Settings } from '@shared/contract/app';
import { useMemo } from 'react';
import { useAppStatus } from '../session/app-status';
import { useCommands, type AppCommand } from '../session/commands';
import { navigate } from '../session/routes';
import { settingNames } from '../session/setting-names';
import { updateSettings, useSettings } from '../session/settings-store';
import { beginTask, type ViewTask } from '../session/tasks';
import { views } from '../session/views';
import { selectEnvironment, useEnvironments } from './environments-store';

/** What the palette offers: everything, or the requests of all collections alone. */
export type PaletteContent = 'all' | 'requests';

const themes: readonly [Settings['theme'], string][] = [
  ['system', 'Follow the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

const tasks: readonly (Pick<AppCommand, 'title' | 'group' | 'keys' | 'otherKeys'> & { task: ViewTask })[] = [
  // A browser keeps the first for a window of its own.
  { task: 'newRequest', title: 'New request…', group: 'Request', keys: 'mod+n', otherKeys: 'alt+n' },
  { task: 'searchRequests', title: 'Find text in requests…', group: 'Collection', keys: 'mod+shift+f' },
  { task: 'openFolder', title: 'Open a folder…', group: 'Collection', keys: 'mod+o' },
  { task: 'newCollection', title: 'New collection…', group: 'Collection' },
  { task: 'importRequests', title: 'Import…', group: 'Collection' },
  { task: 'deletedRequests', title: 'Deleted requests…', group: 'Collection' },
  { task: 'generateKey', title: 'Generate a key…', group: 'Key' },
  { task: 'importKey', title: 'Import a key…', group: 'Key' },
  { task: 'resetSandbox', title: 'Reset sandbox…', group: 'Sandbox' },
];

/** Offers what can be done whichever view is shown. */
export function useShellCommands(openPalette: (shows: PaletteContent) => void): void {
  const environments = useEnvironments((state) => state.environments);
  const theme = useSettings((state) => state.settings.theme);
  const isSandboxRunning = useAppStatus((state) => state.status?.sandbox.state === 'running');
  const commands = useMemo(
    (): AppCommand[] => [
      {
        id: 'palette',
        title: 'Show all commands',
        group: 'Window',
        keys: 'mod+k',
        otherKeys: 'F1',
        run: () => openPalette('all'),
      },
      {
        id: 'quick-open',
        title: 'Open a request…',
        group: 'Request',
        keys: 'mod+p',
        run: () => openPalette('requests'),
      },
      ...views.map((view) => ({
        id: `go-${view.id}`,
        title: view.label,
        group: 'Go to',
        keys: view.keys,
        run: () => navigate(view.id),
      })),
      ...tasks.map(({ task, ...shown }) => ({
        ...shown,
        id: task,
        isDisabled: task === 'resetSandbox' && !isSandboxRunning,
        run: () => beginTask(task),
      })),
      ...environments.map(({ id, label, isActive }) => ({
        id: `environment-${id}`,
        title: label,
        group: 'Environment',
        isDisabled: isActive,
        run: () => void selectEnvironment(id),
      })),
      ...themes.map(([id, label]) => ({
        id: `theme-${id}`,
        title: label,
        group: 'Theme',
        isDisabled: id === theme,
        run: () => void updateSettings({ theme: id }).catch(() => undefined),
      })),
      ...Object.entries(settingNames).map(([id, title]) => ({
        id: `setting-${id}`,
        title,
        group: 'Setting',
        run: () => navigate('settings', `set/${id}`),
      })),
    ],
    [environments, theme, isSandboxRunning, openPalette],
  );
  useCommands('shell', commands);
}
