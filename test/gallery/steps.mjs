/* global location */
/** Ways through the app that several pictures share; each gives a function of the app. */
export const views = [
  'requests',
  'inbox',
  'payments',
  'lookups',
  'balances',
  'lab',
  'sandbox',
  'backend',
  'keys',
  'history',
  'environments',
  'settings',
];

/** Does one step after the other. */
export const inTurn =
  (...steps) =>
  async (app) => {
    for (const step of steps) await step(app);
  };

/** Goes to a view by its address, and waits until no grey lines stand in for what is being read. */
export const open =
  (view, rest = '') =>
  async ({ page }) => {
    await page.evaluate((hash) => void (location.hash = hash), `#/${view}${rest && `/${rest}`}`);
    await page.locator(`nav[aria-label="Views"] a[href="#/${view}"][aria-current="page"]`).waitFor();
    await page
      .getByRole('main')
      .getByRole('status', { name: /^(?:Loading|Reading)/ })
      .first()
      .waitFor({ state: 'detached' });
  };

export const press =
  (name, role = 'button') =>
  ({ page }) =>
    page
      .getByRole(role, { name, exact: typeof name === 'string' })
      .first()
      .click();

export const fill =
  (name, text, role = 'textbox') =>
  ({ page }) =>
    page.getByRole(role, { name }).first().fill(text);

export const key =
  (combination) =>
  ({ page }) =>
    page.keyboard.press(combination);

/** Types into whatever has the focus. */
export const type =
  (text) =>
  ({ page }) =>
    page.keyboard.type(text);

/** Waits until a text stands somewhere. */
export const see =
  (text) =>
  ({ page }) =>
    page.getByText(text).first().waitFor();

/** Chooses the row of a list that has a text. */
export const choose =
  (list, text = '') =>
  ({ page }) =>
    page.getByRole('listbox', { name: list }).getByRole('option').filter({ hasText: text }).first().click();

/** Chooses the row of a table that has a text; the first where there is none. */
export const chooseRow =
  (table, text = '') =>
  ({ page }) =>
    page
      .getByRole('grid', { name: table })
      .getByRole('row')
      .filter({ has: page.getByRole('gridcell') })
      .filter({ hasText: text })
      .first()
      // At its beginning: what looks like an id copies where it is pressed, and says so.
      .click({ position: { x: 12, y: 10 } });

const treeRow = (page, name) =>
  page.getByRole('treegrid', { name: 'Requests of the collection' }).getByRole('row', { name, exact: true });

export const openRequest =
  (name) =>
  async ({ page }) => {
    await treeRow(page, name).click();
    await page
      .getByRole('navigation', { name: 'Open requests' })
      .getByRole('button', { name })
      .first()
      .waitFor();
  };

export const chooseOfRequest =
  (name, action) =>
  async ({ page }) => {
    await treeRow(page, name).click({ button: 'right' });
    await page.getByRole('menuitem', { name: action }).click();
  };

/** Sends the request on show. */
export const send = (expected) => inTurn(press('Send'), see(expected));

/** Does what the palette offers under a name. */
export const command = (title) => async (app) => {
  await app.page.keyboard.press('ControlOrMeta+k');
  await app.page.getByRole('combobox', { name: 'Search commands' }).fill(title);
  // Not any option of the page: those of a list behind the dialog are inert, but found by their role all the same.
  const commands = app.page.getByRole('listbox', { name: 'Commands' });
  await commands.getByRole('option').first().filter({ hasText: title }).waitFor();
  await app.page.keyboard.press('Enter');
};

/** Gives up whatever dialog or menu is open. */
export const escape = async ({ page }) => {
  for (let count = 0; count < 3; count += 1) {
    await page.keyboard.press('Escape');
    await page.waitForTimeout(60);
    if (
      (await page
        .getByRole('dialog')
        .or(page.getByRole('alertdialog'))
        .or(page.getByRole('menu'))
        .count()) === 0
    )
      return;
  }
};
