import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import {
  findCutControls,
  findOverflow,
  findViolations,
  themeRules,
  visualRules,
} from '../support/find-look-faults.mjs';
import { expect, projectRoot, type RunningApp } from './fixtures';

export const sizes = [
  { width: 1280, height: 800 },
  { width: 960, height: 600 },
] as const;
/** A window of 960 × 600 at 150 %: nothing is out of reach there. */
const lowest = { width: 640, height: 400 };
export const themes = ['light', 'dark'] as const;
/** Where pictures of each view go: named by what they show, for people to look at. */
const pictures = process.env['COUNTERSIGN_TEST_PICTURES'];

export async function setSize(app: RunningApp, size: { width: number; height: number }): Promise<void> {
  if (app.electron) {
    await app.electron.evaluate(({ BrowserWindow }, { width, height }) => {
      BrowserWindow.getAllWindows()[0]!.setContentSize(width, height);
    }, size);
    // Not at each frame: a window that another covers draws none.
    const isAsWide = (width: number): boolean => Math.abs(window.innerWidth - width) <= 1;
    await app.page.waitForFunction(isAsWide, size.width, { polling: 50 });
  } else await app.page.setViewportSize(size);
}

/** The app follows the system's theme unless told otherwise: the system is what changes here. */
export async function setTheme(page: Page, theme: (typeof themes)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
}

export async function showPicture(page: Page, name: string): Promise<void> {
  if (!pictures) return;
  const folder = join(projectRoot, pictures);
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** The page is the same in both hosts: every size in every theme is asked in the browser, the wide dark one in Electron, too. */
function listLooks({
  electron,
}: RunningApp): { size: (typeof sizes)[number]; theme: (typeof themes)[number] }[] {
  if (electron) return [{ size: sizes[0], theme: 'dark' }];
  return sizes.flatMap((size) => themes.map((theme) => ({ size, theme })));
}

/** What axe finds, what stands beyond the window, and which controls are cut, in every size and theme. @param name - of the pictures */
export async function checkLooks(app: RunningApp, name: string): Promise<string[]> {
  const { page } = app;
  const found: string[] = [];
  let before: (typeof sizes)[number] | undefined;
  for (const { size, theme } of listLooks(app)) {
    await setSize(app, size);
    await setTheme(page, theme);
    // The tooltip of what was pressed last lies over what stands beside it.
    await page.mouse.move(size.width / 2, size.height - 4);
    await expect(page.getByRole('tooltip')).toHaveCount(0);
    const rules = before === size ? themeRules : before && visualRules;
    before = size;
    const problems = [...(await findViolations(page, rules)), ...(await findBeyond(page))];
    found.push(...problems.map((one) => `${size.width} ${theme} · ${one}`));
    await showPicture(page, `${name.toLowerCase().replaceAll(' ', '-')}-${size.width}-${theme}`);
  }
  if (!app.electron) {
    await setSize(app, lowest);
    found.push(...(await findBeyond(page)).map((one) => `${lowest.width} · ${one}`));
  }
  await setSize(app, sizes[0]);
  await setTheme(page, 'light');
  return found;
}

const findBeyond = async (page: Page): Promise<string[]> => [
  ...(await findOverflow(page)),
  ...(await findCutControls(page)),
];
