import type { Locator, Page } from '@playwright/test';
import { callBackend } from './backend';
import { leaveDialog } from './by-keyboard';
import { expect, pageAlone, test } from './fixtures';
import { findViolations } from '../support/find-look-faults.mjs';
import { KeysPage } from './pages/keys-page';
import { RequestsPage } from './pages/requests-page';
import { Shell } from './pages/shell';
import { typeAtOnce } from './type-at-once';

let palette: Locator;
let found: Locator;

test.beforeEach(async ({ page }) => {
  palette = page.getByRole('dialog', { name: 'Commands' });
  found = palette.getByRole('option');
  await new Shell(page).open('Requests');
});

/** Opens the palette and types until the wanted entry stands first. */
async function find(page: Page, query: string, title: string): Promise<void> {
  // The same keys close one that is still there.
  await expect(palette).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+k');
  await expect(palette.getByRole('combobox', { name: 'Search commands' })).toBeFocused();
  await page.keyboard.type(query);
  await expect(found.first()).toHaveAccessibleName(title);
}

test('letters that stand apart find New request, which asks for its name', pageAlone, async ({ page }) => {
  await new Shell(page).open('Balances');
  await find(page, 'nwreq', 'New request…');
  await expect(found.first().getByText('New request…').locator('mark')).toHaveText(['N', 'w', 'req']);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New request' });
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(palette).toBeHidden();
});

test(
  'letters typed right after a shortcut reach its field, and what is new goes where the tree stands',
  pageAlone,
  async ({ page }) => {
    const tree = page.getByRole('treegrid', { name: 'Requests of the collection' });
    await tree.focus();
    await page.keyboard.press('Home');
    await page.keyboard.type('payouts');
    await typeAtOnce(page, [['alt'], 'n'], 'bonus');
    const dialog = page.getByRole('dialog', { name: 'New request' });
    await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('bonus');
    await expect(dialog).toContainText('In Payments API / Payouts');
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await new Shell(page).open('Signature lab');
    await typeAtOnce(page, [['ctrl', 'shift'], 'f'], 'baraka');
    await expect(page.getByRole('searchbox', { name: 'Text to find' })).toHaveValue('baraka');
    await expect(page.getByRole('option').first()).toContainText(/baraka/i);
    await page.keyboard.press('Escape');
  },
);

test(
  'what is typed while the script of a dialog is under way stands in its field',
  pageAlone,
  async ({ page }) => {
    let fetchDialog = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => (fetchDialog = resolve));
    await page.route(/node-dialog-[^/]*\.js$/, async (route) => {
      await isAsked;
      await route.continue();
    });
    await page.reload();
    const tree = page.getByRole('treegrid', { name: 'Requests of the collection' });
    await tree.focus();
    await typeAtOnce(page, [['alt'], 'n'], 'bonus');
    // Longer than a dialog that is there already ever takes.
    await page.waitForTimeout(1500);
    fetchDialog();
    await expect(
      page.getByRole('dialog', { name: 'New request' }).getByRole('textbox', { name: 'Name' }),
    ).toHaveValue('bonus');
    await leaveDialog(page);
  },
);

test(
  'Enter behind what was typed while the palette was under way takes what that found, once',
  pageAlone,
  async ({ page }) => {
    let fetchPalette = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => (fetchPalette = resolve));
    await page.route(/command-search-[^/]*\.js$/, async (route) => {
      await isAsked;
      await route.continue();
    });
    await page.reload();
    const { main } = new Shell(page);
    await main.getByRole('treegrid', { name: 'Requests of the collection' }).focus();
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('balancesx');
    for (const key of ['Backspace', 'Enter', 'x']) await page.keyboard.press(key);
    fetchPalette();
    await expect(main.getByRole('heading', { level: 1, name: 'Balances' })).toBeVisible();
    await expect(palette).toHaveCount(0);
  },
);

test('an environment is switched to by name', async ({ page }) => {
  const shell = new Shell(page);
  const input = { name: 'rehearsal', kind: 'sandbox' as const, variables: {} };
  await callBackend(page, 'environments.save', { ...input, baseUrl: 'https://rehearsal.example.com' });
  await find(page, 'rhrsl', 'rehearsal');
  await page.keyboard.press('Enter');
  await expect(shell.status).toContainText('rehearsal');
  await find(page, 'env local', 'Local sandbox');
  await page.keyboard.press('Enter');
  await expect(shell.status).toContainText('Local sandbox');
  await callBackend(page, 'environments.delete', { id: 'data/rehearsal' });
});

test(
  'Enter takes what stands first after a paste and a correction, and where it came late',
  pageAlone,
  async ({ page }) => {
    const shell = new Shell(page);
    await page.evaluate(() => navigator.clipboard.writeText('Status by reference'));
    await find(page, '', 'Open a request…');
    await page.keyboard.press('ControlOrMeta+v');
    await expect(found.first()).toHaveAccessibleName('Status by reference');
    await page.keyboard.press('Enter');
    await expect(new RequestsPage(page).tab('Status by reference')).toHaveAttribute('aria-current', 'true');

    await find(page, 'balances', 'Balances');
    await page.keyboard.type('x');
    await page.keyboard.press('Backspace');
    await expect(found.first()).toHaveAccessibleName('Balances');
    await page.keyboard.press('Enter');
    await expect(shell.main.getByRole('heading', { level: 1, name: 'Balances' })).toBeVisible();

    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('late comer');
    await expect(palette).toContainText('Nothing is called that');
    const baseUrl = 'https://late.example.com';
    await callBackend(page, 'environments.save', { name: 'late-comer', kind: 'sandbox', baseUrl });
    await expect(found.first()).toHaveAccessibleName('late-comer');
    await page.keyboard.press('Enter');
    await expect(shell.status).toContainText('late-comer');
    await callBackend(page, 'environments.select', { id: 'local' });
    await callBackend(page, 'environments.delete', { id: 'data/late-comer' });
  },
);

test('a setting is found and its control has the focus', pageAlone, async ({ page }) => {
  await find(page, 'give up', 'Give up on a request after');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: /^Give up on a request after/ })).toBeFocused();
  await find(page, 'sett theme', 'Theme');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('radio', { name: 'As the system' })).toBeFocused();
});

test('what a view holds leads to it, and is shown where it was found alone', pageAlone, async ({ page }) => {
  await find(page, 'callback url', 'Inbox callback URL');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('inbox');
  await expect(found.first()).toHaveAccessibleName('Inbox');
  await page.keyboard.press('Escape');
});

test('the sandbox is reset only after the usual question', pageAlone, async ({ page }) => {
  await find(page, 'reset', 'Reset sandbox…');
  await page.keyboard.press('Enter');
  const question = page.getByRole('alertdialog', { name: 'Reset the sandbox?' });
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
});

test('a request and a key are gone to from any view', pageAlone, async ({ page }) => {
  await new Shell(page).open('Inbox');
  await find(page, 'status by ref', 'Status by reference');
  await page.keyboard.press('Enter');
  await expect(new RequestsPage(page).tab('Status by reference')).toHaveAttribute('aria-current', 'true');
  const { keys } = await callBackend(page, 'keys.list', {});
  await find(page, `key ${keys[0]!.name}`, keys[0]!.name);
  await page.keyboard.press('Enter');
  const details = page.getByRole('region', { name: 'Details' });
  await expect(details).toContainText(keys[0]!.name);
  await new KeysPage(page).row('Inspect any key').click();
  const title = details.getByRole('heading', { level: 2 });
  await expect(title).not.toHaveText(keys[0]!.name);
  await find(page, `key ${keys[0]!.name}`, keys[0]!.name);
  await page.keyboard.press('Enter');
  await expect(title).toHaveText(keys[0]!.name);
});

test('a request that was gone to before is gone to again, from another and from a run', async ({ page }) => {
  const requests = new RequestsPage(page);
  const goTo = async (title: string): Promise<void> => {
    await page.keyboard.press('ControlOrMeta+p');
    const chooser = page.getByRole('dialog', { name: 'Open a request' });
    await expect(chooser.getByRole('combobox')).toBeFocused();
    await page.keyboard.type(title);
    await expect(chooser.getByRole('option').first()).toContainText(title);
    await page.keyboard.press('Enter');
    await expect(requests.tab(title)).toHaveAttribute('aria-current', 'true');
  };
  await goTo('Salary payout');
  await requests.treeItem('Payout that fails').click();
  await expect(requests.tab('Payout that fails')).toHaveAttribute('aria-current', 'true');
  await goTo('Salary payout');
  await find(page, 'run this request', 'Run this request with its expectations');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Run', exact: true })).toContainText('1 passed');
  // Behind the run nobody sees what would be sent.
  await find(page, 'send', 'Send test webhook');
  await page.keyboard.press('Escape');
  await goTo('Salary payout');
  await find(page, 'send', 'Send');
  await page.keyboard.press('Escape');
});

test('F1 in the editor opens it and no other; Escape gives the focus back to where it was', async ({
  page,
}) => {
  const requests = new RequestsPage(page);
  await requests.openAsSaved('Salary payout');
  const body = page.getByRole('textbox', { name: /^Body/ });
  await body.focus();
  await page.keyboard.press('F1');
  await expect(palette).toBeVisible();
  await expect(page.locator('.quick-input-widget')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();
  await expect(body).toBeFocused();
  await page.keyboard.press('ControlOrMeta+Shift+p');
  await expect(page.locator('.quick-input-widget')).toHaveCount(0);
});

test(
  'passes axe, goes round by arrows, and says where nothing is called that',
  pageAlone,
  async ({ page }) => {
    await find(page, 'set', 'Settings');
    await page.keyboard.press('ArrowDown');
    const input = palette.getByRole('combobox');
    const second = await found.nth(1).getAttribute('id');
    await expect(input).toHaveAttribute('aria-activedescendant', second!);
    await expect(input).toBeFocused();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.type('zzzz');
    await expect(found).toHaveText('Nothing is called that.');
    await page.keyboard.press('Escape');
    await expect(palette).toBeHidden();
  },
);

test(
  'one Escape closes it, whatever is typed; so does going back in the browser',
  pageAlone,
  async ({ page }) => {
    await find(page, 'give up', 'Give up on a request after');
    await page.keyboard.press('Escape');
    await expect(palette).toBeHidden();
    await page.keyboard.press('ControlOrMeta+k');
    await expect(palette).toBeVisible();
    await page.evaluate(() => void (window.location.hash = '#/balances'));
    await expect(palette).toBeHidden();
  },
);

test('what a command needs is read first, however long that takes', pageAlone, async ({ page, hostKind }) => {
  test.skip(hostKind === 'electron', 'no call of the page goes over the network there');
  await page.route('**/api/call', async (route) => {
    if (route.request().postData()?.includes('"collections.list"'))
      await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue();
  });
  await page.reload();
  await new Shell(page).open('Balances');
  await find(page, 'nwreq', 'New request…');
  await page.keyboard.press('Enter');
  await page.keyboard.type('early');
  const dialog = page.getByRole('dialog', { name: 'New request' });
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('early');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.unrouteAll({ behavior: 'wait' });
});

test('folders to open are looked for until they are known', pageAlone, async ({ page, hostKind }) => {
  test.skip(hostKind === 'electron', 'no call of the page goes over the network there');
  await find(page, 'open folder', 'Open a folder…');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: /Open a folder/ });
  const path = dialog
    .getByRole('combobox')
    .or(dialog.getByRole('searchbox'))
    .or(dialog.getByRole('textbox'))
    .first();
  await path.fill('/none-begins-so');
  await expect(dialog.getByText('No folder that can be read begins so')).toBeVisible();
  await page.route('**/api/call', async (route) => {
    if (route.request().postData()?.includes('"collections.completeFolder"'))
      await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue();
  });
  await path.fill('/nor-so');
  await expect(dialog.getByText('Looking…')).toBeVisible();
  await expect(dialog.getByText('No folder that can be read begins so')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.unrouteAll({ behavior: 'wait' });
});

test.describe('a very first start', () => {
  test.use({ isGreeted: true });

  test('the welcome is shown once, sends the first payout, and stands under Help; a shortcut is changed there by keys alone', async ({
    freshApp: { page },
  }) => {
    const welcome = page.getByRole('heading', { name: 'Welcome to Countersign' });
    await expect(welcome).toBeVisible();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send it' }).click();
    await expect(new RequestsPage(page).response).toContainText('201', { timeout: 20_000 });
    await page.reload();
    await expect(page.getByRole('main')).toBeVisible();
    await expect(welcome).toBeHidden();

    await page.keyboard.press('ControlOrMeta+/');
    const keys = page.getByRole('button', { name: /^Keys of Save:/ });
    await keys.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ControlOrMeta+k');
    await expect(page.getByRole('alert').filter({ hasText: 'taken' })).toContainText('“Show all commands”');
    await expect(page.getByRole('dialog', { name: 'Commands' })).toBeHidden();
    await page.keyboard.press('ControlOrMeta+Shift+l');
    await expect(keys).toHaveAccessibleName(/Shift\+L|⇧L/);
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Reset all' }).click();
    await expect(keys).toHaveAccessibleName(/: (?:Ctrl\+|⌘)S$/);
    await page.getByRole('button', { name: 'Help', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Welcome' }).click();
    await expect(welcome).toBeVisible();
  });
});

test('the number of a view opens it, and its keys go to a pane of it', pageAlone, async ({ page }) => {
  await new Shell(page).open('Requests');
  for (const [keys, view, pane] of [
    ['Control+8', 'Your backend', 'backend'],
    ['Control+9', 'Keys and tokens', 'keys'],
  ] as const) {
    await page.getByRole('main').getByRole('button').first().focus();
    await page.keyboard.press(keys);
    await expect(page.getByRole('link', { name: view, exact: true })).toHaveAttribute('aria-current', 'page');
    const place = (): Promise<string> =>
      page.evaluate(() => document.activeElement?.closest('[data-pane]')?.getAttribute('data-pane') ?? '');
    await expect.poll(place).toContain(pane);
  }
});

test('no letter is lost to a way that is still under way', pageAlone, async ({ page }) => {
  // One task of the page: that the view was changed is told after it.
  await page.evaluate(() => {
    document.querySelector<HTMLElement>('nav a[href="#/balances"]')?.click();
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'p', ctrlKey: true, bubbles: true }));
  });
  await page.waitForFunction(() => location.hash === '#/balances');
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
  await expect(page.getByRole('dialog', { name: 'Open a request' })).toBeVisible();
  await page.keyboard.press('Escape');

  await find(page, 'settings', 'Settings');
  await page.evaluate(() => {
    const keys = { key: 'F', ctrlKey: true, shiftKey: true, bubbles: true };
    // The palette is gone by then, and what was chosen in it not done yet.
    const observer = new MutationObserver(() => {
      if (document.querySelector('[data-modal]') !== null) return;
      observer.disconnect();
      document.body.dispatchEvent(new KeyboardEvent('keydown', keys));
    });
    observer.observe(document.body, { childList: true, subtree: true });
  });
  await page.keyboard.press('Enter');
  await page.keyboard.type('pay');
  const search = page.getByRole('searchbox', { name: 'Text to find' });
  await expect(search).toHaveValue('pay');
  // As when the window has lost the focus and gets it again.
  await search.evaluate((field: HTMLElement) => {
    field.blur();
    field.focus();
  });
  await page.keyboard.type('out');
  await expect(search).toHaveValue('payout');
  await page.keyboard.press('Escape');
});

test(
  'a dialog that Escape called off before it came does not come',
  pageAlone,
  async ({ page, hostKind }) => {
    test.skip(hostKind === 'electron', 'no script of the page goes over the network there');
    let fetchDialog = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => (fetchDialog = resolve));
    const fetched = page.waitForResponse(/node-dialog-[^/]*\.js$/);
    await page.route(/node-dialog-[^/]*\.js$/, async (route) => {
      await isAsked;
      await route.continue();
    });
    await page.reload();
    await page.getByRole('treegrid', { name: 'Requests of the collection' }).focus();
    await page.keyboard.press('Alt+n');
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+p');
    fetchDialog();
    await (await fetched).finished();
    await page.keyboard.type('ref');
    await expect(page.getByRole('dialog')).toHaveCount(1);
    await expect(page.getByRole('combobox', { name: 'Search commands' })).toHaveValue('ref');
    await page.keyboard.press('Escape');
  },
);
