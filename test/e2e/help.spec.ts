import { expect, pageAlone, test } from './fixtures';
import { findViolations } from '../support/find-look-faults.mjs';

test(
  'finds a place of the documentation by its words, by keyboard, and shows it',
  pageAlone,
  async ({ page }) => {
    await page.evaluate(() => void (location.hash = '#/help/docs'));
    const search = page.getByRole('searchbox', { name: 'Search the documentation' });
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await expect(pages.getByRole('link').first()).toBeVisible();

    await search.fill('where VALUE comes');
    const found = page.getByRole('navigation', { name: 'Found' });
    const place = found.getByRole('link', { name: /^Where a value comes from/ });
    await expect(place.locator('mark')).toHaveText(/where|value|comes/i);
    await place.focus();
    await page.keyboard.press('Enter');
    const text = page.getByRole('group', { name: 'Page' });
    await expect(text.getByRole('heading', { name: 'Where a value comes from' })).toBeInViewport();
    await expect(text.getByRole('heading', { level: 2 })).not.toBeInViewport();
    await expect(place).toHaveAttribute('aria-current', 'page');
    // It leads there again once somebody has read on.
    await text.evaluate((element) => element.scrollTo({ top: 0 }));
    await expect(text.getByRole('heading', { level: 2 })).toBeInViewport();
    await place.press('Enter');
    await expect(text.getByRole('heading', { name: 'Where a value comes from' })).toBeInViewport();
    expect(await findViolations(page)).toEqual([]);

    await search.fill('qzvxj wkqzj');
    await expect(page.getByRole('status').filter({ hasText: 'Nothing in the documentation' })).toBeVisible();
    await search.focus();
    await page.keyboard.press('Escape');
    await pages.getByRole('link').nth(1).click();
    await expect(text.getByRole('heading', { level: 2 })).toBeInViewport();
  },
);

test('a link to a place of another page leads there', pageAlone, async ({ page }) => {
  await page.evaluate(() => void (location.hash = '#/help/docs%2Fenvironments'));
  const text = page.getByRole('group', { name: 'Page' });
  await expect(text.getByRole('heading', { name: 'Environments', exact: true })).toBeVisible();
  await text.getByRole('link', { name: 'http-files.md' }).first().click();
  await expect(text.getByRole('heading', { name: 'Where a value comes from' })).toBeInViewport();
});
