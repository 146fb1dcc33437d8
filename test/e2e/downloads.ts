import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningApp } from './fixtures';

/** A file that the app gave the user to save. */
export interface SavedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Does what makes the app offer a file, and gives the file. The desktop window's dialog for its place is answered. */
export async function takeDownload(app: RunningApp, act: () => Promise<void>): Promise<SavedFile> {
  return app.electron === null ? takeInBrowser(app, act) : takeInElectron(app.electron, act);
}

async function takeInBrowser({ page }: RunningApp, act: () => Promise<void>): Promise<SavedFile> {
  const offered = page.waitForEvent('download');
  await act();
  const download = await offered;
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

async function takeInElectron(
  electron: NonNullable<RunningApp['electron']>,
  act: () => Promise<void>,
): Promise<SavedFile> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-e2e-saved-'));
  const path = join(folder, 'saved');
  try {
    // Two calls: one that waits for the file would not say when it listens, and a quick file went by.
    await electron.evaluate(({ session }, place) => {
      const saved = new Promise<string>((resolve) => {
        session.defaultSession.once('will-download', (_event, item) => {
          item.setSavePath(place);
          item.once('done', () => resolve(item.getFilename()));
        });
      });
      Object.assign(globalThis, { savedFile: saved });
    }, path);
    await act();
    const name = await electron.evaluate(
      () => (globalThis as unknown as { savedFile: Promise<string> }).savedFile,
    );
    return { name, bytes: readFileSync(path) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
