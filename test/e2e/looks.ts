import AxeBuilder from '@axe-core/playwright';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, projectRoot, type RunningApp } from './fixtures';

export const sizes = [
  { width: 1280, height: 800 },
  { width: 960, height: 600 },
] as const;
export const themes = ['light', 'dark'] as const;
/** Rules whose outcome hangs on size or theme; the others are asked once a view. */
const visualRules = ['color-contrast', 'scrollable-region-focusable', 'target-size'];

/** Where pictures of each view go: named by what they show, for people to look at. */
const pictures = process.env['COUNTERSIGN_TEST_PICTURES'];

export async function setSize(app: RunningApp, size: (typeof sizes)[number]): Promise<void> {
  if (app.electron) {
    await app.electron.evaluate(({ BrowserWindow }, { width, height }) => {
      BrowserWindow.getAllWindows()[0]!.setContentSize(width, height);
    }, size);
    await app.page.waitForFunction((width) => Math.abs(window.innerWidth - width) <= 1, size.width);
  } else await app.page.setViewportSize(size);
}

/** The app follows the system's theme unless told otherwise: the system is what changes here. */
export async function setTheme(page: Page, theme: (typeof themes)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
}

/**
 * React Aria's announcer names what it reads out by the id of an element that may be gone by then, as that of a list that
 * has closed; each goes after 7 seconds. Nobody sees it, and nothing here can name it otherwise: this rule does not look there.
 */
const announcer = { rule: 'role-img-alt', container: '[data-live-announcer]' };

/** What axe finds, in lines that a person can act on. */
export async function findViolations(page: Page, isWhole: boolean): Promise<string[]> {
  // The legacy way asks for no second page: Electron has none to give.
  const ask = (): AxeBuilder => new AxeBuilder({ page }).setLegacyMode(true);
  const asked = isWhole
    ? [
        ask().options({ rules: { 'target-size': { enabled: true }, [announcer.rule]: { enabled: false } } }),
        ask().withRules(announcer.rule).exclude(announcer.container),
      ]
    : [ask().withRules(visualRules)];
  const found: string[] = [];
  for (const one of asked) {
    const { violations } = await one.analyze();
    for (const { id, nodes } of violations)
      for (const { target, failureSummary } of nodes)
        found.push(`${id}: ${target.join(' ')} ${failureSummary?.split('\n')[1] ?? ''}`);
  }
  return found;
}

/** Nothing may stand beyond the right edge of the window: the page itself never scrolls. */
export function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
    return [
      ...(scrollWidth > clientWidth ? [`page is ${scrollWidth} wide in ${clientWidth}`] : []),
      ...(scrollHeight > clientHeight ? [`page is ${scrollHeight} high in ${clientHeight}`] : []),
    ];
  });
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

/** What axe finds, and what stands beyond the window, in every size and theme. @param name - of the pictures */
export async function checkLooks(app: RunningApp, name: string): Promise<string[]> {
  const { page } = app;
  const found: string[] = [];
  const looks = listLooks(app);
  for (const { size, theme } of looks) {
    await setSize(app, size);
    await setTheme(page, theme);
    const isWhole = size === looks[0]!.size && theme === looks[0]!.theme;
    const problems = [...(await findViolations(page, isWhole)), ...(await findOverflow(page))];
    found.push(...problems.map((one) => `${size.width} ${theme} · ${one}`));
    await showPicture(page, `${name.toLowerCase().replaceAll(' ', '-')}-${size.width}-${theme}`);
  }
  await setSize(app, sizes[0]);
  await setTheme(page, 'light');
  return found;
}
