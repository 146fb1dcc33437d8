import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { Shell } from './pages/shell';

/** Drops a file onto the window, which may be told that it is a folder: no way to drop a real one is open to a test. */
async function drop(page: Page, path: string, isFolder: boolean): Promise<void> {
  const input = await page.evaluateHandle(() => {
    const made = Object.assign(document.createElement('input'), { type: 'file' });
    document.body.append(made);
    return made;
  });
  await input.asElement()!.setInputFiles(path);
  const wasTaken = await input.evaluate((made, toldFolder) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(made.files![0]!);
    made.remove();
    const createReader = () => ({ readEntries: (done: (none: []) => void) => done([]) });
    const entry = toldFolder ? { isDirectory: true, name: 'x', createReader } : null;
    DataTransferItem.prototype.webkitGetAsEntry = () => entry as unknown as FileSystemEntry;
    const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
    return !document.body.dispatchEvent(event);
  }, isFolder);
  expect(wasTaken).toBe(true);
}

test('a folder that is dropped is opened by its path, a file is asked about, and neither is shown in place of the app', async ({
  freshApp: { page, dataDirectory },
}) => {
  const dropped = join(dataDirectory, 'Dropped.http');
  writeFileSync(dropped, 'GET {{base_url}}/\n');
  // Whichever view is shown: what is opened is shown in Requests.
  await new Shell(page).open('Balances');
  await drop(page, dropped, true);
  const said = page.getByRole('alert').filter({ hasText: `${dropped} is a file. A collection is a folder` });
  await expect(said).toBeVisible();
  await drop(page, dropped, false);
  await expect(page.getByRole('dialog', { name: 'Import' })).toContainText(dropped);
});
