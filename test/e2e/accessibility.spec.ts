import type { Locator, Page } from '@playwright/test';
import { findOverflow, findViolations, visualRules } from '../support/find-look-faults.mjs';
import { postWebhook } from './backend';
import { expect, pageAlone, test, type RunningApp } from './fixtures';
import { checkLooks, setSize, setTheme, showPicture, sizes, themes } from './looks';
import { focusByTab } from './by-keyboard';
import { InboxPage } from './pages/inbox-page';
import { RequestsPage } from './pages/requests-page';
import { Shell, viewNames, type ViewName } from './pages/shell';

function checkView(app: RunningApp, view: ViewName, state: 'empty' | 'full'): Promise<string[]> {
  return checkLooks(app, `${view}-${state}`);
}

/** Longer than any field is wide, written from right to left, and with characters of two UTF-16 units. */
const odd = `مرجع-😀-${'9'.repeat(200)}`;

/** One payment done, one refused, one webhook that reads oddly, one chosen row wherever rows are. */
async function fillApp(page: Page): Promise<void> {
  const shell = new Shell(page);
  const requests = new RequestsPage(page);
  await shell.open('Requests');
  await requests.openAsSaved('Salary payout');
  await requests.replaceInBody('254712345678', '254712340004');
  await requests.send();
  await expect(requests.response.getByRole('button', { name: 'recipient.account' })).toBeVisible();
  await requests.openAsSaved('Salary payout');
  const reference = await requests.readSignedValue('reference');
  await requests.send();
  await expect(requests.response).toContainText('Accepted for processing');
  await postWebhook(page, {
    status: 'SUCCESS',
    amount: 1500,
    client_reference: odd,
    payment_uuid: odd,
    metadata: { [odd]: odd },
  });
  const inbox = new InboxPage(page);
  await shell.open('Inbox');
  await inbox.choose(reference);
  await shell.open('Payments');
  await page.getByRole('listbox', { name: 'Payments' }).getByRole('option').first().click();
  await shell.open('History');
  await page.getByRole('listbox', { name: 'Exchanges' }).getByRole('option').first().click();
  await shell.open('Lookups');
  await shell.queryStatus('Payout', reference);
  await expect(shell.main).toContainText('succeeded');
  await shell.open('Balances');
  await shell.readBalance('Payout', 'KES');
  await shell.open('Sandbox');
  await page.getByRole('grid', { name: 'Requests' }).getByRole('row').nth(1).click();
  await shell.open('Requests');
  await page.getByRole('button', { name: 'Explain a signature' }).click();
  await page.getByRole('textbox', { name: 'Signature as received' }).fill('AAAA');
  await expect(page.getByText('Not a signature', { exact: true })).toBeVisible();
}

/** What an empty view says first. */
const firstWords: Partial<Record<ViewName, string>> = {
  Inbox: 'Waiting for the first webhook',
  Payments: 'No payments yet',
  Lookups: 'What became of a payment?',
  'Signature lab': 'Paste the body and the signature',
};

test.describe('every view, empty', pageAlone, () => {
  test('passes axe and fits its window, in both themes and sizes', async ({ freshApp }) => {
    test.setTimeout(180_000);
    const shell = new Shell(freshApp.page);
    for (const view of viewNames) {
      await shell.open(view);
      await shell.waitUntilShown();
      const words = firstWords[view];
      if (words) await expect(shell.main.getByRole('heading', { level: 2, name: words })).toBeVisible();
      expect.soft(await checkView(freshApp, view, 'empty'), view).toEqual([]);
      // Where what had the focus is gone, one of these takes it.
      expect.soft(await shell.main.locator('[data-pane]').count(), view).toBeGreaterThan(0);
    }
  });

  test('takes the focus of the button that led there, which is gone', async ({ freshApp: { page } }) => {
    const shell = new Shell(page);
    for (const [name, place] of [
      ['Show how', 'Address and credentials'],
      ['Explain one', 'What was signed'],
    ] as const) {
      await page.getByRole('button', { name: 'Help', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Welcome' }).click();
      await page.getByRole('button', { name }).press('Enter');
      await expect(page.getByText(place, { exact: true })).toBeVisible();
      await expect(shell.main.locator(':focus')).toHaveCount(1);
    }
  });
});

test.describe('every view, with data', pageAlone, () => {
  test.beforeAll(async ({ app }) => {
    test.setTimeout(120_000);
    await fillApp(app.page);
  });

  for (const view of viewNames) {
    test(`${view} passes axe and fits its window, in both themes and sizes`, async ({ app }) => {
      const shell = new Shell(app.page);
      await shell.open(view);
      await shell.waitUntilShown();
      expect(await checkView(app, view, 'full')).toEqual([]);
    });
  }

  test('a webhook with long, Arabic and emoji values stays within its pane', async ({ app }) => {
    const inbox = new InboxPage(app.page);
    await new Shell(app.page).open('Inbox');
    await setSize(app, sizes[1]);
    await inbox.row('مرجع').first().click();
    await expect(inbox.detail).toContainText('مرجع');
    expect(await findOverflow(app.page)).toEqual([]);
    const isWithin = await inbox.detail.evaluate(
      (pane) => pane.getBoundingClientRect().right <= window.innerWidth + 1,
    );
    expect(isWithin).toBe(true);
    await setSize(app, sizes[0]);
  });

  test('a key and a value that are read from the right stand left and right of their colon', async ({
    app,
  }) => {
    const inbox = new InboxPage(app.page);
    await postWebhook(app.page, { client_reference: 'R-ink', metadata: { مفتاح: 'قيمة' } });
    await new Shell(app.page).open('Inbox');
    await inbox.row('R-ink').click();
    const placeOf = (text: string) =>
      inbox.detail.getByText(text, { exact: true }).evaluate((part) => {
        const { left, right } = part.getBoundingClientRect();
        return { left, right };
      });
    expect((await placeOf('"مفتاح"')).right).toBeLessThan((await placeOf('"قيمة"')).left);
  });
});

test.describe('the editor', pageAlone, () => {
  test('the menu and the widgets of the editor have our colours, in both themes', async ({ page }) => {
    const requests = new RequestsPage(page);
    await new Shell(page).open('Requests');
    await requests.openAsSaved('Salary payout');
    const colorOf = (token: string): Promise<string> =>
      page.evaluate((name) => {
        const probe = document.body.appendChild(document.createElement('i'));
        probe.style.color = `var(${name})`;
        const { color } = getComputedStyle(probe);
        probe.remove();
        return color;
      }, token);
    const menu = page.locator('.monaco-menu-container .monaco-scrollable-element').first();
    for (const theme of themes) {
      await setTheme(page, theme);
      await requests.editorMark('amount').click({ button: 'right' });
      await expect(menu).toHaveCSS('background-color', await colorOf('--raise'));
      await expect(menu).toHaveCSS('color', await colorOf('--ink'));
      const item = menu.locator('.action-menu-item').filter({ hasText: 'Copy' }).first();
      await item.hover();
      await expect(item).toHaveCSS('background-color', await colorOf('--hover'));
      expect(await findViolations(page, visualRules)).toEqual([]);
      await showPicture(page, `editor-menu-${theme}`);
      await page.keyboard.press('Escape');
      await expect(menu).toHaveCount(0);
      await page.keyboard.press('ControlOrMeta+f');
      const find = page.locator('.find-widget.visible');
      await expect(find).toHaveCSS('background-color', await colorOf('--raise'));
      await page.keyboard.type('nothing like that');
      expect(await findViolations(page, visualRules)).toEqual([]);
      await showPicture(page, `editor-find-${theme}`);
      await page.keyboard.press('Escape');
      await expect(find).toHaveCount(0);
    }
    await setTheme(page, 'light');
  });

  test('long, Arabic and emoji values in a body leave the string to sign in its strip', async ({ app }) => {
    const requests = new RequestsPage(app.page);
    await new Shell(app.page).open('Requests');
    await requests.openAsSaved('Salary payout');
    await setSize(app, sizes[1]);
    await requests.replaceInBody('{{$uuid}}', odd);
    await expect(requests.signedSpan('reference')).toContainText('مرجع');
    expect(await requests.readStringToSign()).toBe(`${odd}1500KEMPESA-B2C`);
    expect(await findOverflow(app.page)).toEqual([]);
    const isWithin = await requests
      .signedSpan('service_code')
      .evaluate((span) => span.getBoundingClientRect().right <= window.innerWidth);
    expect(isWithin).toBe(true);
    // Its list of problems scrolls: what stays in sight below it covers none of the ways to mend one.
    const transaction = { reference: `${odd}\u202e`, amount: 1500, service_code: 'MPESA-B2C' };
    await requests.setBody(JSON.stringify({ transaction, originator: { country: 'KE' } }));
    await expect(requests.signedSpan('reference')).toContainText('[RLO]');
    await expect(
      requests.stringToSign.getByRole('button', { name: /^Show \d+ more problems$/ }),
    ).toBeVisible();
    expect(await findViolations(app.page, visualRules)).toEqual([]);
    await setSize(app, sizes[0]);
    await requests.openAsSaved('Salary payout');
  });
});

test.describe('without a mouse', () => {
  test('a payout is chosen, changed, sent, found in the inbox and looked up by keyboard alone', async ({
    app,
  }) => {
    const { page } = app;
    const { keyboard } = page;
    const requests = new RequestsPage(page);
    await keyboard.press('ControlOrMeta+1');
    await focusByTab(page, 'treegrid', /Requests of the collection/);
    await keyboard.press('Home');
    await keyboard.type('Payout that');
    await keyboard.press('Enter');
    await expect(requests.tab('Payout that fails')).toHaveAttribute('aria-current', 'true');
    await requests.waitForEditor();

    await focusByTab(page, 'textbox', /^Body/);
    await keyboard.press('ControlOrMeta+Home');
    for (let line = 1; line < 4; line += 1) await keyboard.press('ArrowDown');
    await keyboard.press('End');
    await keyboard.press('ArrowLeft');
    await keyboard.type('7');
    await expect(requests.signedSpan('amount')).toHaveText('15007');
    const reference = await requests.readSignedValue('reference');
    const told = requests.response.getByRole('status').first();
    await expect(told).toHaveText('');
    await keyboard.press('ControlOrMeta+Enter');
    await expect(told).toHaveText('201 Accepted for processing');

    await keyboard.press('ControlOrMeta+2');
    const inbox = new InboxPage(page);
    await expect(inbox.row(reference).first()).toContainText('FAILED');
    await focusByTab(page, 'listbox', /Webhooks/);
    await keyboard.press('Home');
    await expect(inbox.detail).toContainText(reference);

    await keyboard.press('ControlOrMeta+4');
    await focusByTab(page, 'textbox', /^Reference/);
    await keyboard.press('ControlOrMeta+a');
    await keyboard.insertText(reference);
    await focusByTab(page, 'button', /Token of product/);
    await keyboard.press('Enter');
    await keyboard.type('Pay');
    await keyboard.press('Enter');
    await focusByTab(page, 'button', /^Query/);
    const answer = page.getByRole('main').locator('[data-pane=lookups-answer]').getByRole('status').first();
    await expect(answer).toHaveText('');
    await keyboard.press('Enter');
    await expect(answer).toContainText('failed');

    await keyboard.press('ControlOrMeta+1');
    await requests.openAsSaved('Payout that fails');
  });

  test(
    'a button that is greyed while it works has the focus again after that',
    pageAlone,
    async ({ app }) => {
      const { page } = app;
      await new Shell(page).open('Balances');
      const read = page.getByRole('main').locator('form').getByRole('button', { name: 'Read now' });
      await expect(page.getByRole('rowgroup', { name: 'Payout' })).toBeVisible();
      await expect(read).toBeEnabled();
      let answer = (): void => undefined;
      const held = new Promise<void>((resolve) => (answer = resolve));
      await page.route('**/api/call', (route) => held.then(() => route.fallback()));
      await read.focus();
      await page.keyboard.press('Enter');
      await expect(read).toBeDisabled();
      answer();
      await expect(read).toBeFocused();
      await page.unroute('**/api/call');
    },
  );

  test(
    'a button that stays greyed once it is done leaves the focus in its pane',
    pageAlone,
    async ({ app }) => {
      const { page } = app;
      const requests = new RequestsPage(page);
      await new Shell(page).open('Requests');
      await requests.openAsSaved('Salary payout');
      await requests.replaceInBody('254712345678', '254712345679');
      const editor = page.locator('[data-pane=requests-editor]');
      const save = editor.getByRole('button', { name: 'Save', exact: true });
      await save.focus();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('status').filter({ hasText: /^Saved$/ })).toBeAttached();
      await expect(save).toBeDisabled();
      await expect(editor).toBeFocused();
      await requests.replaceInBody('254712345679', '254712345678');
      await page.keyboard.press('ControlOrMeta+s');
      await expect(save).toBeDisabled();
    },
  );

  test('the palette finds a view and a request by name', pageAlone, async ({ app }) => {
    const { page } = app;
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('Balances');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Balances' })).toBeAttached();
    await page.keyboard.press('ControlOrMeta+1');
    const requests = new RequestsPage(page);
    await expect(requests.treeItem('Status by reference')).toBeVisible();
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('Status by ref');
    await page.keyboard.press('Enter');
    await expect(requests.tab('Status by reference')).toHaveAttribute('aria-current', 'true');
  });
});

test(
  'menus and arrow keys go as the words do where the system speaks Arabic',
  pageAlone,
  async ({ page }) => {
    const speak = (language: string): Promise<void> =>
      page.evaluate((tag) => {
        Object.defineProperty(navigator, 'language', { value: tag, configurable: true });
        window.dispatchEvent(new Event('languagechange'));
      }, language);
    const requests = new RequestsPage(page);
    await new Shell(page).open('Requests');
    await requests.openAsSaved('Salary payout');
    await speak('ar-EG');
    await page.getByRole('tab', { name: 'Body', exact: true }).first().click();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('tab', { name: 'Query' })).toHaveAttribute('aria-selected', 'true');
    await page.getByRole('button', { name: 'Help', exact: true }).click();
    await expect(page.getByRole('menuitem', { name: 'Welcome' })).toHaveCSS('direction', 'ltr');
    await page.keyboard.press('Escape');
    await speak('en-US');
  },
);

test(
  'what stands by its colour alone can be seen where the system forces its own',
  pageAlone,
  async ({ page }) => {
    const look = (element: Locator): Promise<{ ground: string; ink: string }> =>
      element.evaluate((node) => {
        const { backgroundColor: ground, color: ink } = getComputedStyle(node);
        return { ground, ink };
      });
    const shell = new Shell(page);
    const inbox = new InboxPage(page);
    await postWebhook(page, { status: 'SUCCESS', client_reference: 'R-forced' });
    await shell.open('Inbox');
    await expect(inbox.row('R-forced')).toBeVisible();
    await page.emulateMedia({ forcedColors: 'active' });
    const canvas = (await look(page.locator('body'))).ground;
    const dot = inbox.row('R-forced').first().getByText('Unread:').locator('..');
    expect((await look(dot)).ground).not.toBe(canvas);
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('webhook');
    const mark = page.getByRole('dialog', { name: 'Commands' }).locator('mark').first();
    await expect(mark).toBeVisible();
    const { ground, ink } = await look(mark);
    expect([ground, canvas]).not.toContain(ink);
    await page.keyboard.press('Escape');
    await shell.open('Settings');
    await expect(page.getByText('Under their icons')).toBeVisible();
    const tracks = await page
      .getByText('Under their icons')
      .locator('xpath=ancestor-or-self::label//span')
      .evaluateAll((nodes) => nodes.map((node) => getComputedStyle(node).outlineStyle));
    expect(tracks).toContain('solid');
    // A frame around a switch is the focus, and nothing else.
    const on = page.locator('label[data-selected]:not([data-focus-visible])').first();
    await expect(on).toBeVisible();
    expect(await on.evaluate((label) => getComputedStyle(label).outlineStyle)).toBe('none');
    await page.emulateMedia({ forcedColors: null });
  },
);

test('a region that the keyboard scrolls has a whole ring of its own', pageAlone, async ({ page }) => {
  const shell = new Shell(page);
  const requests = new RequestsPage(page);
  await shell.open('Requests');
  await requests.openAsSaved('Checkout');
  await requests.send();
  const body = page.getByRole('group', { name: 'Response body' });
  await expect(body).toContainText('checkout_url');
  await page.keyboard.press('Shift');
  await body.focus();
  // The ring is around the numbers of the lines, too, which stay in their place over the region's own edge.
  const ring = await body.evaluate((region) => {
    const { borderLeftWidth, borderLeftStyle, zIndex } = getComputedStyle(region.parentElement!, '::after');
    return [borderLeftWidth, borderLeftStyle, zIndex, getComputedStyle(region).outlineStyle];
  });
  expect(ring).toEqual(['2px', 'solid', '3', 'none']);
  await shell.open('Keys and tokens');
  const pem = page.locator('pre[tabindex="0"]').first();
  await page.keyboard.press('Shift');
  await pem.focus();
  expect(await pem.evaluate((one) => getComputedStyle(one).outlineOffset)).toBe('1px');
  await shell.open('Balances');
  const pane = shell.main.locator('[data-pane]').first();
  await page.keyboard.press('Shift');
  await pane.focus();
  // Heads and rows of a table reach to the pane's edges: its ring lies over them.
  const paneRing = await pane.evaluate((one) => {
    const { borderTopStyle, zIndex } = getComputedStyle(one.parentElement!, '::after');
    return [borderTopStyle, zIndex, getComputedStyle(one).outlineStyle];
  });
  expect(paneRing).toEqual(['solid', '3', 'none']);
  await shell.open('Sandbox');
  const view = shell.main.locator('[data-pane="sandbox"]');
  await page.keyboard.press('Shift');
  await view.focus();
  const viewRing = await view.evaluate((one) => {
    const { borderTopStyle, zIndex } = getComputedStyle(one, '::after');
    return [borderTopStyle, zIndex, getComputedStyle(one).outlineStyle];
  });
  expect(viewRing).toEqual(['solid', '3', 'none']);
});

test(
  'at 200 % of a small window nothing of the status bar is drawn over another, and what is searched, rows and reports can be read',
  pageAlone,
  async ({ app, page }) => {
    const usual = page.viewportSize()!;
    await setSize(app, { width: 480, height: 300 });
    const shell = new Shell(page);
    for (const view of ['Inbox', 'Payments'] as const) {
      await shell.open(view);
      const search = page.getByRole('searchbox', { name: /^Search (?:webhooks|payments)/ });
      expect((await search.boundingBox())!.width).toBeGreaterThan(120);
      const drawnOver = await page.locator('[data-pane="status"] > *').evaluateAll((parts) =>
        parts
          .filter((part) => getComputedStyle(part).overflowX === 'visible')
          .filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0)
          .map((part) => part.textContent),
      );
      expect(drawnOver).toEqual([]);
    }
    await shell.open('Inbox');
    await postWebhook(page, {
      client_reference: 'tagged',
      status: 'SUCCESS',
      amount: '1500.00',
      currency: 'KES',
    });
    const row = page.getByRole('option').filter({ hasText: 'tagged' }).first();
    await expect(row).toBeVisible();
    // A mark of each kind, as a webhook has them that came again, was cut and is noted.
    const titleWidth = await row.locator('b').evaluate((title) => {
      for (const word of ['bad signature', 'pinned', 'month end']) {
        const mark = title.nextElementSibling!.cloneNode(true);
        mark.textContent = word;
        title.parentElement!.append(mark);
      }
      title.textContent = 'Payout KES 1,500.00 of a long month';
      return title.getBoundingClientRect().width;
    });
    expect(titleWidth).toBeGreaterThan(40);
    await shell.open('Sandbox');
    await page.getByRole('tab', { name: 'Go-live report' }).click();
    const summary = page.getByRole('status', { name: 'Summary' });
    await expect(summary).toContainText('broken');
    expect((await summary.boundingBox())!.width).toBeGreaterThan(150);
    await setSize(app, usual);
  },
);

test(
  'arrow keys go on in the list of a view that a shortcut opened, though nothing had the focus and its part comes late',
  pageAlone,
  async ({ freshApp: { page } }) => {
    await page.route(/inbox-view[^/]*\.js$/, async (route) => {
      await page.waitForTimeout(500);
      await route.continue();
    });
    await postWebhook(page, { client_reference: 'R-1', status: 'SUCCESS' });
    await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(true);
    await page.keyboard.press('ControlOrMeta+2');
    await expect(page.getByRole('region', { name: 'Webhooks' })).toBeFocused();
    const webhook = page.getByRole('option', { name: /R-1/ });
    await expect(webhook).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('listbox', { name: 'Webhooks' })).toBeFocused();
    await expect(webhook).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('ControlOrMeta+Shift+E');
    await expect(page.getByRole('region', { name: 'Environments' })).toBeFocused();
    const environment = page.getByRole('option', { name: /Local sandbox/ });
    await expect(environment).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await expect(environment).toBeFocused();
  },
);
