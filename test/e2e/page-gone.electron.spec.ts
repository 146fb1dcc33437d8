import { expect, test } from './fixtures';
import { callBackend } from './backend';

test('a page that ends by itself leaves no empty window: it is said, and the page is loaded again', async ({
  freshApp: { electron },
}) => {
  await electron!.evaluate(({ BrowserWindow, dialog }) => {
    const told: string[] = [];
    Object.assign(globalThis, { told });
    dialog.showMessageBox = (...given: unknown[]) => {
      told.push((given.at(-1) as { message: string }).message);
      return Promise.resolve({ response: 0, checkboxChecked: false });
    };
    const [window] = BrowserWindow.getAllWindows();
    window!.webContents.once('did-finish-load', () => told.push('loaded'));
    window!.hide();
    window!.webContents.forcefullyCrashRenderer();
  });
  await expect
    .poll(() =>
      electron!.evaluate(({ BrowserWindow }) => {
        const [window] = BrowserWindow.getAllWindows();
        const { told } = globalThis as unknown as { told: string[] };
        return [...told, window!.isVisible(), window!.webContents.isCrashed()];
      }),
    )
    .toEqual(['This window has failed.', 'loaded', true, false]);
});

test('a fault after the start is not said to be one of the start', async ({
  freshApp: { electron, page },
}) => {
  // Answered once it has started.
  await callBackend(page, 'proxy.status', {});
  let said = '';
  const app = electron!.process();
  app.stderr!.on('data', (part: Buffer) => (said += part.toString()));
  const ended = new Promise<number | null>((resolve) => app.once('close', resolve));
  await electron!.evaluate(() => {
    setTimeout(() => {
      throw new Error('by hand');
    });
  });
  expect(await ended).toBe(1);
  expect(said).toContain('countersign: Countersign has ended: a fault of its own.');
  expect(said).not.toContain('could not start');
});
