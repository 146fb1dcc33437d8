import type { Environment } from '@shared/contract/environments';
import type { MethodInput, MethodOutput } from '@shared/contract/contract';
import { create } from 'zustand';
import { call, subscribe } from '../../transport/client';
import { toClientError, type ClientError } from '../../transport/client-error';
import { updateSettings } from '../../session/settings-store';

export interface SettingsViewState {
  environments: Environment[];
  environmentsError: ClientError | null;
  /** Environment files of the collection that cannot be read. */
  faults: NonNullable<MethodOutput<'environments.list'>['faults']>;
  /** Why the last change of a setting was refused. */
  error: ClientError | null;
  start(): () => void;
  loadEnvironments(): Promise<void>;
  change(settings: MethodInput<'settings.update'>): Promise<void>;
  /** Throws a ClientError for the form that asked. */
  saveEnvironment(input: MethodInput<'environments.save'>): Promise<void>;
  /** Throws a ClientError for the dialog that asked. */
  /** @throws {ClientError} `environments.not_confirmed` … */
  bindAddress(input: MethodInput<'environments.bindAddress'>): Promise<void>;
  /** Throws a ClientError for the row that asked. */
  revealVariable(id: string, name: string): Promise<MethodOutput<'environments.revealVariable'>>;
  deleteEnvironment(id: string): Promise<void>;
  selectEnvironment(id: string): Promise<void>;
}

/** Environments, and changes of settings; the settings themselves are the shell's. */
export const useSettingsStore = create<SettingsViewState>()((set, get) => ({
  environments: [],
  environmentsError: null,
  faults: [],
  error: null,
  start: () => {
    const stop = subscribe('environments.changed', () => void get().loadEnvironments());
    void get().loadEnvironments();
    return stop;
  },
  loadEnvironments: async () => {
    try {
      const { environments, faults } = await call('environments.list');
      set({ environments, faults: faults ?? [], environmentsError: null });
    } catch (error) {
      set({ environmentsError: toClientError(error) });
    }
  },
  change: async (settings) => {
    try {
      await updateSettings(settings);
      set({ error: null });
    } catch (error) {
      set({ error: toClientError(error) });
    }
  },
  saveEnvironment: async (input) => {
    await call('environments.save', input);
    await get().loadEnvironments();
  },
  bindAddress: async (input) => {
    await call('environments.bindAddress', input);
    await get().loadEnvironments();
  },
  revealVariable: (id, name) => call('environments.revealVariable', { id, name }),
  deleteEnvironment: async (id) => {
    await call('environments.delete', { id });
    await get().loadEnvironments();
  },
  selectEnvironment: async (id) => {
    try {
      await call('environments.select', { id });
      set({ environmentsError: null });
    } catch (error) {
      set({ environmentsError: toClientError(error) });
    }
    await get().loadEnvironments();
  },
}));
