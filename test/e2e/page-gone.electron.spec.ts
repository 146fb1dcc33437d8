import { expect, test } from './fixtures';

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
