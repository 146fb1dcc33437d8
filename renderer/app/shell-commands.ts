import { actionList, type ActionEntry, type ViewTask } from '@shared/actions/action-list';
import { viewList } from '@shared/actions/view-list';
import type { Settings } from '@shared/contract/app';
import { useMemo } from 'react';
import { useAppStatus } from '../session/app-status';
import { commandOf, useCommands, type AppCommand } from '../session/commands';
import { navigate } from '../session/routes';
import { settingNames } from '../session/setting-names';
import { updateSettings, useSettings } from '../session/settings-store';
import { beginTask } from '../session/tasks';
import { listDistinct } from '../session/environment-options';
import { selectEnvironment, useEnvironments } from '../session/environments';

/** What the palette offers: everything, or the requests of all collections alone. */
export type PaletteContent = 'all' | 'requests';

const themes: readonly [Settings['theme'], string][] = [
  ['system', 'Follow the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

const helpParts = ['welcome', 'shortcuts', 'docs', 'new'] as const;

const isTask = (action: ActionEntry): action is ActionEntry & { id: ViewTask } => action.begins !== undefined;

const ofRunningSandbox: ReadonlySet<string> = new Set<ViewTask>(['resetSandbox', 'moveClock']);

/** Offers what can be done whichever view is shown. */
export function useShellCommands(openPalette: (shows: PaletteContent) => void): void {
  const environments = useEnvironments((state) => state.environments);
  const theme = useSettings((state) => state.settings.theme);
  const isSandboxRunning = useAppStatus((state) => state.status?.sandbox.state === 'running');
  const commands = useMemo(
    (): AppCommand[] => [
      commandOf('palette', { run: () => openPalette('all') }),
      commandOf('quick-open', { run: () => openPalette('requests') }),
      ...helpParts.map((part) => commandOf(`help-${part}`, { run: () => navigate('help', part) })),
      commandOf('toggle-rail-names', { run: toggleRailNames }),
      ...viewList.map(({ id }) => commandOf(`go-${id}`, { run: () => navigate(id) })),
      ...actionList.filter(isTask).map(({ id }) =>
        commandOf(id, {
          isDisabled: ofRunningSandbox.has(id) && !isSandboxRunning,
          run: () => beginTask(id),
        }),
      ),
      ...listDistinct(environments).map(({ id, label, isActive }) => ({
        id: `environment-${id}`,
        title: label,
        group: 'Environment',
        isDisabled: isActive,
        words: 'switch, change, use',
        run: () => void selectEnvironment(id),
      })),
      ...themes.map(([id, label]) => ({
        id: `theme-${id}`,
        title: label,
        group: 'Theme',
        words: 'mode',
        isDisabled: id === theme,
        run: () => void updateSettings({ theme: id }).catch(() => undefined),
      })),
      ...Object.entries(settingNames).map(([id, title]) => ({
        id: `setting-${id}`,
        title,
        group: 'Setting',
        ...(id === 'notifications' && { words: 'notifications, badge' }),
        run: () => navigate('settings', `set/${id}`),
      })),
    ],
    [environments, theme, isSandboxRunning, openPalette],
  );
  useCommands('shell', commands);
}

function toggleRailNames(): void {
  const railNames = !useSettings.getState().settings.railNames;
  void updateSettings({ railNames }).catch(() => undefined);
}
