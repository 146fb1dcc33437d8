import type { Page } from '@playwright/test';
import { expect } from './fixtures';

/** Presses F6 up to the pane of an element, then Tab until the element has the focus, as anyone without a mouse would. */
export async function focusByTab(
  page: Page,
  role: 'treegrid' | 'tree' | 'textbox' | 'searchbox' | 'listbox' | 'button' | 'radio' | 'tab',
  name: RegExp,
): Promise<void> {
  const wanted = page.getByRole(role, { name }).first();
  await expect(wanted).toBeAttached();
  for (let panes = 0; panes < 7; panes += 1) {
    await page.keyboard.press('F6');
    // Found once a pane: to find it by its name at each stop costs more than all the keys.
    const element = (await wanted.elementHandle())!;
    const look = () =>
      element.evaluate((one) => {
        const pane = document.activeElement?.closest('[data-pane]');
        return { isThere: pane?.contains(one) ?? false, hasFocus: one.contains(document.activeElement) };
      });
    let now = await look();
    for (let stops = 0; stops < 30 && now.isThere; stops += 1) {
      if (now.hasFocus) return;
      await page.keyboard.press('Tab');
      now = await look();
    }
  }
  throw new Error(`${role} ${String(name)} cannot be reached with F6 and Tab.`);
}

/** Closes a dialog by Escape, and by a second one where something was typed into it. */
export async function leaveDialog(page: Page): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0, { timeout: 1000 });
  }).toPass();
}

/**
 * Presses keys, one after the other, and asks after each that the focus stands somewhere and can be seen: by a ring, by that of
 * the row it stands for, or by the caret of a text.
 */
export async function pressSeen(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
    await expect.poll(() => describeFocus(page), { message: `the focus after ${key}` }).toBe('seen');
  }
}

/** @returns 'seen', or what is wrong with the focus */
function describeFocus(page: Page): Promise<string> {
  return page.evaluate(() => {
    const active = document.activeElement;
    if (!(active instanceof HTMLElement) || active === document.body) return 'lost';
    const { width, height, bottom, right } = active.getBoundingClientRect();
    const name = active.getAttribute('aria-label') ?? active.textContent.slice(0, 40);
    const isText = active.matches('input:not([type="checkbox"]), textarea, .native-edit-context');
    if (isText) return 'seen';
    if (width === 0 || height === 0 || bottom <= 0 || right <= 0) return `${name} is not to be seen`;
    const row = document.getElementById(active.getAttribute('aria-activedescendant') ?? '');
    // The ring of a sub-tab stands around its word.
    const hasRing = [active, row, active.firstElementChild].some((one) => {
      if (one === null) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
    });
    // That of a pane is drawn over it, by what the pane stands in.
    const frame = active.matches('[data-pane]') && active.parentElement;
    const over = frame && getComputedStyle(frame, '::after');
    const isFramed = over && over.content !== 'none' && over.borderTopStyle === 'solid';
    return hasRing || isFramed ? 'seen' : `${name} (${active.tagName}) has no ring`;
  });
}
