import type { DataOverview } from '@shared/contract/data';
import { countOf } from '@shared/count-of';
import { create } from 'zustand';
import { call } from '../../transport/client';
import { toClientError, type ClientError } from '../../transport/client-error';
import { saveFile } from '../../ui/save-file';
import { loadSettings } from '../../session/settings-store';

interface DataState {
  overview: DataOverview | null;
  /** What the last action came to, in a sentence. */
  note: string | null;
  error: ClientError | null;
}

/** The data folder as a whole. */
export const useDataStore = create<DataState>(() => ({ overview: null, note: null, error: null }));

const keep = (overview: DataOverview): void => useDataStore.setState({ overview, error: null });

export async function loadDataOverview(): Promise<void> {
  try {
    keep(await call('data.overview', {}));
  } catch (error) {
    useDataStore.setState({ error: toClientError(error) });
  }
}

/** @throws {ClientError} where it is refused: the dialog that asked shows it */
export async function backUpData(file: string): Promise<void> {
  const { fileCount, secretsNote } = await call('data.backup', { file });
  useDataStore.setState({ note: `Backed up ${countOf(fileCount, 'file')} to ${file}. ${secretsNote}` });
}

/** @throws {ClientError} */
export async function restoreData(file: string): Promise<void> {
  const { fileCount, madeOn, secretsNote, leftOut } = await call('data.restore', { file });
  const left = leftOut.length === 0 ? '' : ` Left out, until you say it anew: ${leftOut.join('; ')}.`;
  useDataStore.setState({
    note: `${countOf(fileCount, 'file')}, made on ${madeOn}, ${fileCount === 1 ? 'is' : 'are'} whole. ${secretsNote}${left}`,
  });
  await loadDataOverview();
}

/** @throws {ClientError} */
export const moveData = async (to: string): Promise<void> => keep(await call('data.move', { to }));
/** @throws {ClientError} */
export const resetData = async (word: string): Promise<void> => keep(await call('data.reset', { word }));

/** Calls off the change that waits. */
export async function keepData(): Promise<void> {
  try {
    keep(await call('data.keep', {}));
    useDataStore.setState({ note: null });
  } catch (error) {
    useDataStore.setState({ error: toClientError(error) });
  }
}

const list = (texts: readonly string[]): string =>
  texts.length === 0 ? '' : ` Left out: ${texts.join('; ')}.`;

export async function exportSettings(): Promise<void> {
  try {
    const { text, leftOut } = await call('settings.export', {});
    saveFile('countersign-settings.json', text, 'application/json');
    useDataStore.setState({ note: `The settings were written.${list(leftOut)}`, error: null });
  } catch (error) {
    useDataStore.setState({ error: toClientError(error) });
  }
}

export async function importSettings(file: File): Promise<void> {
  try {
    const { decodeText } = await import('@shared/import/decode-text');
    const text = decodeText(new Uint8Array(await file.arrayBuffer()), file.name);
    const { settings, environments, leftOut } = await call('settings.import', { text });
    await loadSettings();
    const note = `Took over ${countOf(settings.length, 'setting')} and ${countOf(environments.length, 'environment')}.${list(leftOut)}`;
    useDataStore.setState({ note, error: null });
  } catch (error) {
    useDataStore.setState({ error: toClientError(error) });
  }
}
