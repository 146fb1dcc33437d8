import type { Locator, Page } from '@playwright/test';
import { findCutControls } from '../support/find-look-faults.mjs';
import { callBackend, postWebhook } from './backend';
import { expect, pageAlone, test } from './fixtures';
import { LabPage } from './pages/lab-page';
import { RequestsPage } from './pages/requests-page';
import { SandboxPage } from './pages/sandbox-page';
import { Shell } from './pages/shell';

const heading = (page: Page, name: string): Locator =>
  page.getByRole('grid', { name: 'Requests' }).getByRole('columnheader', { name, exact: true });
const widthOf = async (column: Locator): Promise<number> => (await column.boundingBox())!.width;

test(
  'a column of a table is as wide as it was made, by pointer or keyboard, and orders its rows, also at the next start',
  pageAlone,
  async ({ page }) => {
    const shell = new Shell(page);
    const requests = new RequestsPage(page);
    await shell.open('Requests');
    await requests.openAsSaved('Salary payout');
    await requests.send();
    await expect(requests.response).toContainText('Accepted for processing');
    await shell.open('Sandbox');
    await new SandboxPage(page).show('Requests');

    const verdict = heading(page, 'Verdict');
    const before = await widthOf(verdict);
    const box = (await verdict.boundingBox())!;
    await page.mouse.move(box.x + box.width - 1, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width + 39, box.y + box.height / 2, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => widthOf(verdict)).toBeGreaterThan(before + 30);
    const dragged = await widthOf(verdict);

    await heading(page, 'Verdict').getByRole('slider').focus();
    await page.keyboard.press('Enter');
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await expect.poll(() => widthOf(verdict)).toBeLessThan(dragged - 15);
    const kept = await widthOf(verdict);

    await heading(page, 'Reference').getByText('Reference').click();
    await expect(heading(page, 'Reference')).toHaveAttribute('aria-sort', 'ascending');
    // The layout is saved a moment later.
    await page.waitForTimeout(700);
    await page.reload();
    await expect(verdict).toBeVisible();
    expect(Math.abs((await widthOf(verdict)) - kept)).toBeLessThan(2);
    await expect(heading(page, 'Reference')).toHaveAttribute('aria-sort', 'ascending');
    // The third press leaves the rows as they come: what is newest stands on top for the specs that follow, too.
    await heading(page, 'Reference').getByText('Reference').click();
    await expect(heading(page, 'Reference')).toHaveAttribute('aria-sort', 'descending');
    await heading(page, 'Reference').getByText('Reference').click();
    await expect(heading(page, 'Reference')).toHaveAttribute('aria-sort', 'none');
  },
);

test(
  'lines wrap in the lab, in JSON and in the answer by one switch, which is remembered',
  pageAlone,
  async ({ page }) => {
    const shell = new Shell(page);
    const lab = new LabPage(page);
    await shell.open('Signature lab');
    await lab.body.fill(`{\n  "transaction": { "reference": "${'INV-2026-'.repeat(40)}" }\n}`);
    const sheet = lab.body.locator('xpath=..');
    const measure = () =>
      sheet.evaluate((element) => {
        const typed = element.querySelector('textarea')!;
        const drawn = element.querySelector('pre')!;
        // Its text alone: a text area is never less high than itself.
        typed.style.height = '0';
        const typedHeight = typed.scrollHeight;
        typed.style.height = '';
        return {
          overflow: element.scrollWidth - element.parentElement!.clientWidth,
          drawnHeight: drawn.offsetHeight,
          typedHeight,
          numbers: [...drawn.children].map((line) => line.firstElementChild!.textContent),
        };
      });
    const wrapped = await measure();
    expect(wrapped.overflow).toBeLessThanOrEqual(0);
    expect(wrapped.drawnHeight).toBeGreaterThan(60);
    // What is typed stands over what is drawn, row by row.
    expect(wrapped.typedHeight).toBe(wrapped.drawnHeight);
    expect(wrapped.numbers).toEqual(['1', '2', '3']);

    await page.getByRole('button', { name: 'Do not wrap lines' }).first().click();
    await expect.poll(async () => (await measure()).overflow).toBeGreaterThan(100);
    expect((await measure()).drawnHeight).toBe(60);
    await page.waitForTimeout(700);
    await page.reload();
    await expect(page.getByRole('button', { name: 'Wrap lines' }).first()).toBeVisible();
    await shell.open('Requests');
    await expect(page.getByRole('button', { name: 'Wrap lines' }).first()).toBeVisible();
    await page.getByRole('button', { name: 'Wrap lines' }).first().click();
  },
);

test(
  'the switch for long lines says where they do not wrap, and is not there beside columns of bytes',
  pageAlone,
  async ({ page }) => {
    const requests = new RequestsPage(page);
    await new Shell(page).open('Requests');
    await requests.openAsSaved('Salary payout');
    const editor = page.getByRole('region', { name: 'Request', exact: true });
    await expect(editor.getByRole('button', { name: 'Do not wrap lines' })).toBeEnabled();
    await requests.setBody(`{"note":"${'x'.repeat(100_000)}"}`);
    await expect(
      editor.getByRole('button', { name: 'Texts of more than 100,000 characters' }),
    ).toBeDisabled();
    await expect(editor.getByRole('button', { name: 'Do not wrap lines' })).toHaveCount(0);
    await requests.showPart('File');
    await expect(
      editor.getByRole('button', { name: 'Texts of more than 100,000 characters' }),
    ).toBeDisabled();
    await requests.showPart('Body');
    await requests.close('Salary payout');
    await requests.open('Salary payout');
    await requests.send();
    await expect(requests.response).toContainText('Accepted for processing');
    await expect(requests.response.getByRole('button', { name: 'Do not wrap lines' })).toBeEnabled();
    await requests.showAnswerPart('Wire');
    await expect(requests.response.getByRole('group', { name: 'Bytes sent' })).toBeVisible();
    await expect(requests.response.getByRole('button', { name: 'wrap lines' })).toHaveCount(0);
  },
);

test(
  'of a name that is read from the right the end is cut, not the beginning, in tree, tab and list',
  pageAlone,
  async ({ page }) => {
    const requests = new RequestsPage(page);
    const shell = new Shell(page);
    await shell.open('Requests');
    const { collections } = await callBackend(page, 'collections.list', {});
    const collectionId = collections.find(({ name }) => name === 'Payments API')!.id;
    const name = `مرجع-${'0123456789-'.repeat(12)}نهاية`;
    const text = 'GET {{base_url}}/nobody\n';
    await callBackend(page, 'collections.create', { collectionId, folder: '', name, kind: 'request', text });
    /** How far the first and the last letter of a text stand outside the box that cuts it, in pixels. */
    const measureCut = (inside: Locator): Promise<{ first: number; last: number }> =>
      inside.locator('bdi', { hasText: 'مرجع' }).evaluate((bdi) => {
        const letters = bdi.firstChild!;
        const outside = (from: number): number => {
          const range = new Range();
          range.setStart(letters, from);
          range.setEnd(letters, from + 1);
          const letter = range.getBoundingClientRect();
          let most = 0;
          for (let box: Element | null = bdi; box !== null; box = box.parentElement) {
            if (getComputedStyle(box).overflowX !== 'hidden') continue;
            const { left, right } = box.getBoundingClientRect();
            most = Math.max(most, left - letter.left, letter.right - right);
          }
          return most;
        };
        return { first: outside(0), last: outside(letters.textContent!.length - 1) };
      });
    const expectEndCut = async (inside: Locator): Promise<void> => {
      const { first, last } = await measureCut(inside);
      expect(first).toBeLessThan(2);
      expect(last).toBeGreaterThan(20);
    };
    const row = page.getByRole('treegrid', { name: 'Requests of the collection' }).getByRole('row', { name });
    await row.click();
    await expectEndCut(row);
    await expectEndCut(requests.openTabs);
    await requests.send();
    await expect(requests.response).toContainText('404');
    await shell.open('History');
    await expectEndCut(page.getByRole('option').filter({ hasText: 'مرجع' }).first());
    await postWebhook(page, { status: 'SUCCESS', client_reference: name.replace('نهاية', '') });
    await shell.open('Inbox');
    await expectEndCut(page.getByRole('option').filter({ hasText: 'مرجع' }).first());
    await shell.open('Requests');
    await row.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect(row).toHaveCount(0);
    // However long its name: the way back is not pushed out of the pane.
    await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeVisible();
    expect(await findCutControls(page)).toEqual([]);
  },
);

test(
  'a pane that is folded away has nothing that Tab, keys or a screen reader come to, and gives the focus to one that is seen',
  pageAlone,
  async ({ page }) => {
    const usual = page.viewportSize()!;
    await new Shell(page).open('Requests');
    const pane = page.locator('[data-pane="requests-tree"]');
    await page.getByRole('treegrid', { name: 'Requests of the collection' }).focus();
    const isFocusSeen = (): Promise<boolean> =>
      page.evaluate(() => {
        const { activeElement: active, body } = document;
        return (
          active !== body && active!.getBoundingClientRect().height > 0 && active!.closest('[inert]') === null
        );
      });
    await page.keyboard.press('ControlOrMeta+b');
    await expect(pane).toHaveJSProperty('inert', true);
    await expect.poll(isFocusSeen).toBe(true);
    await page.keyboard.press('ControlOrMeta+b');
    await expect(pane).toHaveJSProperty('inert', false);
    // A narrow window folds it by itself.
    await page.setViewportSize({ width: 640, height: 400 });
    await expect(pane).toHaveJSProperty('inert', true);
    await page.getByRole('link', { name: 'Settings' }).focus();
    await page.keyboard.press('Tab');
    expect(await isFocusSeen()).toBe(true);
    await page.setViewportSize(usual);
    await expect(pane).toHaveJSProperty('inert', false);
  },
);

test(
  'a list keeps room for two rows, to which its pane scrolls in a low window',
  pageAlone,
  async ({ page }) => {
    const usual = page.viewportSize()!;
    await postWebhook(page, { client_reference: 'R-low', status: 'SUCCESS' });
    await new Shell(page).open('Inbox');
    const row = page.getByRole('option').filter({ hasText: 'R-low' }).first();
    await expect(row).toBeVisible();
    await page.setViewportSize({ width: 427, height: 267 });
    await page.getByRole('listbox', { name: 'Webhooks' }).focus();
    await page.keyboard.press('Home');
    await expect(row).toBeInViewport({ ratio: 0.9 });
    await page.setViewportSize(usual);
    await new Shell(page).open('Requests');
    const requests = new RequestsPage(page);
    await requests.openAsSaved('Salary payout');
    await requests.send();
    await new Shell(page).open('Sandbox');
    const table = page.getByRole('grid', { name: 'Requests' });
    await expect(table.getByRole('row').nth(1)).toBeVisible();
    await page.setViewportSize({ width: 427, height: 267 });
    await expect.poll(async () => (await table.boundingBox())!.height).toBeGreaterThan(80);
    const cell = table.getByRole('row').nth(1).locator('[role="gridcell"], [role="rowheader"]').first();
    await cell.click();
    await expect(cell).toBeInViewport({ ratio: 0.9 });
    await page.setViewportSize(usual);
  },
);
