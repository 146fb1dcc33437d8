import type { UpdateCheck } from '@shared/contract/updates';
import { create } from 'zustand';
import { loadSettings } from '../../session/settings-store';
import { call } from '../../transport/client';
import { toClientError, type ClientError } from '../../transport/client-error';

interface UpdatesState {
  isBusy: boolean;
  check: UpdateCheck | null;
  /** Where the file lies that was fetched; null: none was. */
  file: string | null;
  error: ClientError | null;
}

/** What the publisher was last asked, by a click. */
export const useUpdatesStore = create<UpdatesState>(() => ({
  isBusy: false,
  check: null,
  file: null,
  error: null,
}));

async function run(work: () => Promise<Partial<UpdatesState>>): Promise<void> {
  useUpdatesStore.setState({ isBusy: true, error: null });
  try {
    useUpdatesStore.setState(await work());
  } catch (error) {
    useUpdatesStore.setState({ error: toClientError(error) });
  }
  useUpdatesStore.setState({ isBusy: false });
}

/** @throws {ClientError} where it is refused: the dialog that asked shows it */
export async function setUpdateSource(address: string, publicKeyPem: string): Promise<void> {
  await call('updates.setSource', { address, publicKeyPem });
  // What another publisher said is no word of this one.
  useUpdatesStore.setState({ check: null, file: null, error: null });
  await loadSettings();
}

export const checkForUpdates = (): Promise<void> =>
  run(async () => {
    // What an earlier check said is not the answer to this one.
    useUpdatesStore.setState({ check: null, file: null });
    return { check: await call('updates.check', {}) };
  });

export const downloadUpdate = (name: string): Promise<void> =>
  run(async () => ({ file: (await call('updates.download', { name })).file }));
