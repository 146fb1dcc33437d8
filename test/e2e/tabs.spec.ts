import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, pageAlone, test } from './fixtures';
import { RequestsPage } from './pages/requests-page';
import { Shell } from './pages/shell';

const names = Array.from({ length: 8 }, (_, index) => `Tab number ${index} of eight`);
let folder: string;
let requests: RequestsPage;

test.beforeEach(async ({ page, app }) => {
  folder = join(app.dataDirectory, 'collections', 'Payments API', 'Tabs');
  mkdirSync(folder, { recursive: true });
  const text = 'POST {{base_url}}/x\nContent-Type: application/json\n\n{}\n';
  for (const name of names) writeFileSync(join(folder, `${name}.http`), text);
  requests = new RequestsPage(page);
  await new Shell(page).open('Requests');
  await requests.openAsSaved(names[0]!);
  await requests.closeOthers(names[0]!);
  for (const name of names.slice(1)) await requests.open(name);
});

test('a greyed button says why, at the pointer and to a screen reader', pageAlone, async ({ page }) => {
  const shell = new Shell(page);
  const expectReason = async (name: string, reason: string): Promise<void> => {
    const button = shell.main.getByTitle(reason).getByRole('button', { name, exact: true });
    await expect(button).toBeDisabled();
    await expect(button).toHaveAccessibleDescription(reason);
  };
  await expectReason('Save', 'It is saved');
  await shell.open('Lookups');
  const reference = page.getByRole('textbox', { name: 'Reference' });
  await reference.fill('');
  await expectReason('Query', 'Enter what to ask for');
  await expectReason('Watch until final', 'Enter what to ask for');
  await reference.fill('R-1');
  const query = shell.main.getByRole('button', { name: 'Query', exact: true });
  await expect(query).toBeEnabled();
  await expect(query).toHaveAccessibleDescription('');
  await reference.fill('');
  await shell.open('Environments');
  await expectReason('Set', 'Enter its name');
  await page.getByRole('button', { name: 'Add an environment' }).first().click();
  await expectReason('Add', 'Name: Give it a name; files and the command line use it.');
  await shell.main.getByRole('button', { name: 'Cancel', exact: true }).click();
  await shell.open('Requests');
});

test.afterEach(async ({ page }) => {
  await requests.tab(names[7]!).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Close all' }).click();
  await expect(requests.openTabs.getByRole('button')).toHaveCount(0);
});

test.setTimeout(120_000);

test('what a tab and its request cannot do now says why', pageAlone, async ({ page }) => {
  await requests.tab(names[7]!).click({ button: 'right' });
  const last = page.getByRole('menuitem', { name: 'Close those to the right' });
  await expect(last).toHaveAccessibleDescription('None is there');
  await page.keyboard.press('Escape');
  await requests.closeOthers(names[0]!);
  await requests.tab(names[0]!).click({ button: 'right' });
  const entry = (name: string): Locator => page.getByRole('menuitem', { name });
  await expect(entry('Save')).toHaveAccessibleDescription('It is saved');
  await expect(entry('Close the others')).toHaveAccessibleDescription('It is the only one');
  await page.keyboard.press('Escape');
  await expect(page.getByTitle('It is saved').getByRole('button', { name: 'Save' })).toBeDisabled();
  await requests.showPart('Expect');
  await expect(
    page.getByTitle('No answer has come yet').getByRole('button', { name: 'Expect what came' }),
  ).toBeDisabled();
  await requests.showPart('Body');
  for (const name of names.slice(1)) await requests.open(name);
});

/** What had the focus is gone: it stays in the pane, and the keys go on from there. */
const focusInPane = (page: Page): Locator => page.locator('[data-pane]:focus, [data-pane] :focus');

test('the keys that the menu of a tab names do the same on the tab itself', pageAlone, async ({ page }) => {
  const tab = requests.tab(names[7]!);
  await tab.focus();
  await page.keyboard.press('F2');
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Name' })).toHaveValue(names[7]!);
  await page.keyboard.press('Escape');
  await expect(tab).toBeFocused();
  await page.keyboard.press('ControlOrMeta+d');
  await expect(requests.tab(`${names[7]} copy`)).toHaveAttribute('aria-current', 'true');
  await requests.choose(`${names[7]} copy`, 'Delete');
  await expect(requests.tab(`${names[7]} copy`)).toHaveCount(0);
});

test(
  'eight requests keep readable tabs; the active one is in view, the others in a list',
  pageAlone,
  async ({ page }) => {
    for (const name of names) {
      const box = await requests.tab(name).locator('..').boundingBox();
      expect(box!.width, name).toBeGreaterThanOrEqual(120);
    }
    await expect(requests.tab(names[7]!)).toBeInViewport({ ratio: 1 });
    await expect(requests.tab(names[0]!)).not.toBeInViewport({ ratio: 1 });
    await page.getByRole('button', { name: 'All 8 open requests' }).click();
    await page.getByRole('menuitem', { name: names[0]! }).click();
    await expect(requests.tab(names[0]!)).toHaveAttribute('aria-current', 'true');
    await expect(requests.tab(names[0]!)).toBeInViewport({ ratio: 1 });
  },
);

test('keys go round, arrows move the focus, Ctrl+W and Delete close', async ({ page, app }) => {
  // A browser keeps Ctrl+Tab for its own tabs.
  const [next, previous] =
    app.host === 'electron' ? ['Control+Tab', 'Control+Shift+Tab'] : ['Alt+PageDown', 'Alt+PageUp'];
  await page.keyboard.press(next);
  await expect(requests.tab(names[0]!)).toHaveAttribute('aria-current', 'true');
  await page.keyboard.press(previous);
  await expect(requests.tab(names[7]!)).toHaveAttribute('aria-current', 'true');
  await page.keyboard.press(previous);
  // A browser closes its own tab by Ctrl+W.
  await page.keyboard.press(app.host === 'electron' ? 'Control+w' : 'Alt+w');
  await expect(requests.tab(names[6]!)).toHaveCount(0);
  await requests.tab(names[7]!).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(requests.tab(names[5]!)).toBeFocused();
  await page.keyboard.press('Delete');
  await expect(requests.tab(names[5]!)).toHaveCount(0);
  await expect(focusInPane(page)).toHaveCount(1);
});

test(
  'a tab is closed by a press on its own cross, though the row moves before the pointer is let go',
  pageAlone,
  async ({ page }) => {
    const crossOf = (index: number): Locator =>
      requests.openTabs.getByRole('button', { name: `Close ${names[index]}`, exact: true });
    const pressAnd = async (index: number, meanwhile: () => Promise<void>): Promise<void> => {
      await crossOf(index).scrollIntoViewIfNeeded();
      const box = (await crossOf(index).boundingBox())!;
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.down();
      await meanwhile();
      await page.mouse.up();
    };
    // As it does where a tab to the left of it is marked as not saved, or the one on show is brought into view.
    await pressAnd(6, () => requests.openTabs.evaluate((row) => void (row.scrollLeft -= 60)));
    await expect(crossOf(6)).toHaveCount(0);
    await expect(requests.openTabs.getByRole('button', { name: /^Close / })).toHaveCount(7);
    // Who moves away takes the press back.
    await pressAnd(5, () => page.mouse.move(5, 5));
    await pressAnd(4, () => Promise.resolve());
    await expect(crossOf(4)).toHaveCount(0);
    await expect(requests.openTabs.getByRole('button', { name: /^Close / })).toHaveCount(6);
    await expect(crossOf(5)).toHaveCount(1);
  },
);

test(
  'the tab on show stays in view as it grows by the mark of what is not saved',
  pageAlone,
  async ({ page }) => {
    const edges = (): Promise<number[]> =>
      requests.openTabs.evaluate((row) => {
        const cross = [...row.querySelectorAll('button')].at(-1)!;
        return [cross.getBoundingClientRect().right, row.getBoundingClientRect().right].map(Math.round);
      });
    await requests.setBody('{"typed": true}');
    await expect(requests.openTabs.getByRole('img', { name: 'not saved' })).toBeVisible();
    await expect.poll(async () => (await edges())[0]! <= (await edges())[1]!).toBe(true);
    await requests.openAsSaved(names[7]!);
    await expect(page.getByRole('dialog')).toHaveCount(0);
  },
);

test('closing offers to save what was typed', async ({ page }) => {
  const file = join(folder, `${names[7]!}.http`);
  const type = async (text: string): Promise<void> => {
    await page.getByRole('combobox', { name: 'Address' }).fill(text);
    await expect(requests.tab(names[7]!).getByRole('img', { name: 'not saved' })).toBeVisible();
  };
  await type('{{base_url}}/saved');
  await page.keyboard.press('Control+w');
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(requests.tab(names[7]!)).toBeVisible();
  await page.keyboard.press('Control+w');
  await expect(dialog.getByRole('button', { name: 'Save and close' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(requests.tab(names[7]!)).toHaveCount(0);
  expect(readFileSync(file, 'utf8')).toContain('/saved');
  await requests.open(names[7]!);
  await type('{{base_url}}/lost');
  await requests.tab(names[7]!).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Close', exact: true }).click();
  await dialog.getByRole('button', { name: 'Close without saving' }).click();
  await expect(requests.tab(names[7]!)).toHaveCount(0);
  await expect(focusInPane(page)).toHaveCount(1);
  expect(readFileSync(file, 'utf8')).not.toContain('/lost');
  await requests.open(names[7]!);
});

/** A strip scrolls by whole pixels, and what stands in it may end at a part of one. */
const wholeButForRounding = 0.95;

test('parts of a request that do not fit are all in a menu', pageAlone, async ({ page }) => {
  const parts = page.getByRole('tablist', { name: 'Parts of the request' });
  const all = page.getByRole('button', { name: /^Parts of the request: all/ });
  await expect(all).toHaveCount(0);
  await page.setViewportSize({ width: 640, height: 400 });
  await all.click();
  await page.getByRole('menuitem', { name: 'File' }).click();
  await expect(parts.getByRole('tab', { name: 'File' })).toHaveAttribute('aria-selected', 'true');
  await expect(parts.getByRole('tab', { name: 'File' })).toBeInViewport({ ratio: wholeButForRounding });
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(all).toHaveCount(0);
});

test('a send beside one that is under way says that it was not', pageAlone, async ({ page }) => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await page.getByRole('combobox', { name: 'Address' }).fill(`http://127.0.0.1:${port}/slow`);
    await page.keyboard.press('ControlOrMeta+s');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(requests.response).toContainText('Sending…');
    await expect(requests.response).not.toContainText('Nothing else was sent');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(requests.response).toContainText('Nothing else was sent');
    await page.getByRole('button', { name: /Cancel$/ }).click();
    await expect(requests.response).not.toContainText('Nothing else was sent');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
