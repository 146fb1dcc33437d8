import type { MethodInput } from '@shared/contract/contract';
import { create } from 'zustand';
import { toClientError, type ClientError } from '../../transport/client-error';
import { updateSettings } from '../../session/settings-store';

interface SettingsViewState {
  /** Why the last change of a setting was refused. */
  error: ClientError | null;
  change(settings: MethodInput<'settings.update'>): Promise<void>;
}

/** Changes of settings; the settings themselves are the shell's. */
export const useSettingsStore = create<SettingsViewState>()((set) => ({
  error: null,
  change: async (settings) => {
    try {
      await updateSettings(settings);
      set({ error: null });
    } catch (error) {
      set({ error: toClientError(error) });
    }
  },
}));
