import type { ShownSettings } from '@shared/contract/app';
import type { MethodInput } from '@shared/contract/contract';
import { create } from 'zustand';
import { call } from '../transport/client';

const defaults: ShownSettings = { theme: 'system', layout: {}, autoLockMinutes: 0, requestTimeoutMs: 30_000 };
const saveDelayMs = 400;

interface SettingsState {
  settings: ShownSettings;
  isLoaded: boolean;
}

/** ShownSettings of the app; `layout` is the renderer's own: sizes, open tabs, last view. */
export const useSettings = create<SettingsState>(() => ({ settings: defaults, isLoaded: false }));

let pendingSave: ReturnType<typeof setTimeout> | null = null;

/** Reads the settings once, at boot. Without a back end the defaults stand. */
export async function loadSettings(): Promise<void> {
  try {
    const settings = await call('settings.get');
    useSettings.setState({ settings: { ...defaults, ...settings }, isLoaded: true });
  } catch {
    useSettings.setState({ isLoaded: true });
  }
}

/** Changes settings at once in the window, then in the back end. @throws {ClientError} where the back end refuses */
export async function updateSettings(change: MethodInput<'settings.update'>): Promise<void> {
  const before = useSettings.getState().settings;
  useSettings.setState({ settings: { ...before, ...change } as ShownSettings });
  try {
    await call('settings.update', change);
  } catch (error) {
    useSettings.setState({ settings: before });
    throw error;
  }
}

/** Reads one entry of `layout`; the caller checks its shape. */
export function readLayout(key: string): unknown {
  return useSettings.getState().settings.layout[key];
}

/** Remembers one entry of `layout`. Saved a moment later, so that dragging does not write on every pixel. */
export function writeLayout(key: string, value: unknown): void {
  useSettings.setState(({ settings }) => ({
    settings: { ...settings, layout: { ...settings.layout, [key]: value } },
  }));
  if (pendingSave) clearTimeout(pendingSave);
  pendingSave = setTimeout(flushLayout, saveDelayMs);
}

/** Saves the layout now; called when the window goes away. */
export function flushLayout(): void {
  if (!pendingSave) return;
  clearTimeout(pendingSave);
  pendingSave = null;
  // A layout that could not be saved costs a pane's width, nothing else: no error for it.
  call('settings.update', { layout: useSettings.getState().settings.layout }).catch(() => undefined);
}
