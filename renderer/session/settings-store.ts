import type { ShownSettings } from '@shared/contract/app';
import type { MethodInput } from '@shared/contract/contract';
import { settingDefaults } from '@shared/contract/setting-limits';
import { createRecord } from '@shared/own-value';
import { create } from 'zustand';
import { call } from '../transport/client';
import { toClientError, type ClientError } from '../transport/client-error';
import { createLatest } from './create-latest';

const defaults: ShownSettings = settingDefaults;
const saveDelayMs = 400;
const saveAgainMs = 5000;

interface SettingsState {
  settings: ShownSettings;
  isLoaded: boolean;
  /** Why they could not be read: what stands there are the defaults. */
  error: ClientError | null;
}

/** ShownSettings of the app; `layout` is the renderer's own: sizes, open tabs, last view. */
export const useSettings = create<SettingsState>(() => ({
  settings: defaults,
  isLoaded: false,
  error: null,
}));

let pendingSave: ReturnType<typeof setTimeout> | null = null;
/** Entries of the layout that are not saved: another window has its own. */
let unsaved = createRecord<unknown>();

/** Reads the settings, at boot and when asked again. Never throws: without a back end the defaults stand, and the error. */
export async function loadSettings(): Promise<void> {
  try {
    const settings = await call('settings.get');
    useSettings.setState({ settings: { ...defaults, ...settings }, isLoaded: true, error: null });
  } catch (error) {
    useSettings.setState({ isLoaded: true, error: toClientError(error) });
  }
}

const begin = createLatest();
/** By name: what is in force of a setting while changes of it are under way. */
const inForce = new Map<string, unknown>();

/** Changes settings at once in the window, then in the back end. @throws {ClientError} where the back end refuses */
export async function updateSettings(change: MethodInput<'settings.update'>): Promise<void> {
  const before = useSettings.getState().settings;
  const own = Object.entries(change).map(([name, value]) => ({ name, value, isLast: begin(name) }));
  for (const { name } of own) if (!inForce.has(name)) inForce.set(name, before[name as keyof ShownSettings]);
  useSettings.setState({ settings: { ...before, ...change } as ShownSettings });
  try {
    await call('settings.update', change);
    for (const { name, value } of own) if (inForce.has(name)) inForce.set(name, value);
  } catch (error) {
    // What was set beside it meanwhile stays, and so does a later change of the same.
    const taken = own.filter(({ isLast }) => isLast()).map(({ name }) => [name, inForce.get(name)]);
    useSettings.setState(({ settings }) => ({ settings: { ...settings, ...Object.fromEntries(taken) } }));
    throw error;
  } finally {
    for (const { name, isLast } of own) if (isLast()) inForce.delete(name);
  }
}

/** Reads one entry of `layout`; the caller checks its shape. */
export function readLayout(key: string): unknown {
  return useSettings.getState().settings.layout[key];
}

/** Remembers one entry of `layout`; null forgets it. Saved a moment later, so that dragging does not write on every pixel. */
export function writeLayout(key: string, value: unknown): void {
  useSettings.setState(({ settings }) => ({
    settings: { ...settings, layout: { ...settings.layout, [key]: value } },
  }));
  unsaved[key] = value;
  if (pendingSave) clearTimeout(pendingSave);
  pendingSave = setTimeout(flushLayout, saveDelayMs);
}

/** Saves the layout now; called when the window goes away. */
export function flushLayout(): void {
  if (!pendingSave) return;
  clearTimeout(pendingSave);
  pendingSave = null;
  // What could not be read is not written over.
  if (useSettings.getState().error !== null) return;
  const layout = unsaved;
  unsaved = createRecord();
  // Drafts are in it: it is tried again, without an error for it.
  call('settings.update', { layout }).catch(() => {
    unsaved = { ...layout, ...unsaved };
    pendingSave ??= setTimeout(flushLayout, saveAgainMs);
  });
}
