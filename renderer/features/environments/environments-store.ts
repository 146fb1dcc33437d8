import type { MethodInput, MethodOutput } from '@shared/contract/contract';
import type { Environment } from '@shared/contract/environments';
import type { KeySummary } from '@shared/contract/vault';
import { create } from 'zustand';
import { afterReconnect, call, subscribe } from '../../transport/client';
import { loadEnvironments, useEnvironments } from '../../session/environments';
import { forgetEnvironment, tellRenamed, whenRenamed } from '../../session/renamed-environments';
import { replaceRoute, useRoute } from '../../session/routes';
import { moveUnsaved } from '../../session/unsaved';
import {
  formOf,
  listTypedCredentials,
  toSaveInput,
  toSetupInput,
  type EnvironmentDraft,
} from './environment-draft';
import { deleteHere, keepTyped } from './keep-typed';

export interface EnvironmentsViewState {
  /** Keys that an environment can sign with; none while the vault is locked. */
  keys: readonly KeySummary[];
  start(): () => void;
  loadKeys(): Promise<void>;
  /** Saves whatever the form changed; the rest throws a ClientError for the form. @returns id of the environment */
  save(draft: EnvironmentDraft, environment: Environment | null): Promise<string>;
  /** Throws a ClientError for the dialog that asked. */
  bindAddress(input: MethodInput<'environments.bindAddress'>): Promise<void>;
  /** Throws a ClientError for the row that asked. */
  revealVariable(id: string, name: string): Promise<MethodOutput<'environments.revealVariable'>>;
  /** Throws a ClientError for the row that asked. */
  setSessionValue(id: string, name: string, value: string | null): Promise<void>;
  /** Throws a ClientError for the dialog that asked. */
  remove(id: string): Promise<void>;
}

// From the first look on, whatever is on show: what is typed here is kept beyond it.
useEnvironments.subscribe((now, before) => keepTyped(before.environments, now.environments));

/** What can be done with environments; the environments themselves are the shell's. */
export const useEnvironmentsStore = create<EnvironmentsViewState>()((set, get) => ({
  keys: [],
  start: () => {
    void get().loadKeys();
    const read = (): void => void get().loadKeys();
    const stops = [subscribe('vault.changed', read), afterReconnect(read), whenRenamed(followRename)];
    return () => stops.forEach((stop) => stop());
  },
  loadKeys: async () => set({ keys: await listKeys() }),
  save: async (draft, environment) => {
    const { id } = await call('environments.save', toSaveInput(draft, environment));
    if (environment !== null && environment.id !== id) tellRenamed({ from: environment.id, to: id });
    try {
      await call('environments.setUp', toSetupInput(draft, id));
    } catch (error) {
      // A new one that was refused is no half of one: the form still has all of it.
      if (environment === null) await call('environments.delete', { id });
      throw error;
    }
    for (const input of listTypedCredentials(draft, id)) await call('credentials.save', input);
    await bindKey(draft.keyId, environment?.keyId ?? '', id);
    await loadEnvironments();
    return id;
  },
  bindAddress: async (input) => {
    await call('environments.bindAddress', input);
    await loadEnvironments();
  },
  revealVariable: (id, name) => call('environments.revealVariable', { id, name }),
  setSessionValue: async (id, name, value) => {
    await call('environments.setSessionValue', { id, name, value });
    await loadEnvironments();
  },
  remove: async (id) => {
    await deleteHere(id, () => call('environments.delete', { id }));
    forgetEnvironment(id);
    await loadEnvironments();
  },
}));

/** What is typed, and what is on show, stays that of an environment that gets another name, here or in another window. */
function followRename(from: string, to: string): void {
  moveUnsaved(formOf({ id: from }), formOf({ id: to }));
  const { view, rest } = useRoute.getState();
  if (view === 'environments' && rest === `show/${from}`) replaceRoute('environments', `show/${to}`);
}

/** A vault that cannot be read has no keys to choose from, and the Keys view says why. */
async function listKeys(): Promise<readonly KeySummary[]> {
  try {
    return (await call('keys.list')).keys;
  } catch {
    return [];
  }
}

async function bindKey(wanted: string, current: string, environment: string): Promise<void> {
  if (wanted === current) return;
  if (current !== '') await call('keys.update', { id: current, environment: null });
  if (wanted !== '') await call('keys.update', { id: wanted, environment });
}
