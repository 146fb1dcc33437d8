import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, pageAlone, test, type RunningApp } from './fixtures';
import { notesWhenMade } from '../support/temporary';
import { callBackend } from './backend';
import { pressSeen } from './by-keyboard';
import { RequestsPage } from './pages/requests-page';
import { Shell } from './pages/shell';

let requests: RequestsPage;
let team: string;

test.setTimeout(45_000);

test.beforeAll(async ({ app }) => {
  team = join(app.dataDirectory, 'team');
  mkdirSync(join(team, 'Refunds'), { recursive: true });
  mkdirSync(join(team, 'Empty'));
  writeFileSync(join(team, 'Refunds', 'Refund.http'), 'GET {{base_url}}/refund\n');
  writeFileSync(join(team, 'Ping.http'), 'GET {{base_url}}/ping\n');
  requests = new RequestsPage(app.page);
  await new Shell(app.page).open('Requests');
  await openTeam(app);
});

test.afterAll(async ({ app }) => {
  const { collections } = await callBackend(app.page, 'collections.list', {});
  for (const { id, name } of collections.slice(1)) {
    if (name !== 'Payments API') await callBackend(app.page, 'collections.close', { collectionId: id });
  }
  rmSync(team, { recursive: true });
});

/** Opens the folder as a user does: by the system's dialog in the desktop app, by its path in the browser. */
async function openTeam({ page, electron }: RunningApp): Promise<void> {
  await electron?.evaluate(({ dialog }, directory) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [directory] });
  }, team);
  await page.keyboard.press('ControlOrMeta+o');
  if (electron === null) {
    await page.getByRole('textbox', { name: 'Path' }).fill(team.slice(0, -1));
    await page.getByRole('option', { name: team, exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('textbox', { name: 'Path' })).toHaveValue(`${team}/`);
    await expect(page.getByRole('option', { name: join(team, 'Refunds') })).toBeVisible();
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  await expect(requests.treeItem('team')).toHaveAttribute('aria-level', '1');
}

/** Every file of a folder: its path, when it was written and what is in it. */
const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => {
    const stat = statSync(join(folder, path));
    return `${path} ${stat.isFile() ? `${stat.mtimeMs} ${readFileSync(join(folder, path), 'utf8')}` : ''}`;
  });

/** Puts the keyboard onto a row without opening anything else. */
async function goTo(name: string): Promise<void> {
  await requests.treeItem(name).click();
  await requests.page.getByRole('treegrid', { name: 'Requests of the collection' }).focus();
}

test('a folder opens beside the starter, closes, and opens again from the recent ones', async ({ page }) => {
  await expect(requests.treeItem('Payments API')).toBeVisible();
  await expect(requests.treeItem('Refund')).toHaveAttribute('aria-level', '3');
  await requests.choose('team', 'Close team');
  await expect(requests.treeItem('Refund')).toHaveCount(0);
  await page.getByRole('button', { name: 'Open, make or close collections' }).click();
  await page.getByRole('menuitem', { name: 'Open team again' }).click();
  await expect(requests.treeItem('Refund')).toBeVisible();
  // The keyboard goes on where the new requests stand.
  await expect(page.getByRole('treegrid', { name: 'Requests of the collection' })).toBeFocused();
});

test('a folder that others share is written to by Save alone', async ({ page }) => {
  const added = ['http-client.env.json', 'Settle.http'].map((name) => join(team, name));
  writeFileSync(added[0]!, '{"shared":{"base_url":"http://127.0.0.1:9"}}\n');
  writeFileSync(added[1]!, 'POST {{base_url}}/x\nContent-Type: application/json\n\n{}\n');
  const before = listFiles(team);
  await requests.open('Settle');
  await requests.setBody('{"typed": 1}');
  await expect(requests.tab('Settle').getByRole('img', { name: 'not saved' })).toBeVisible();
  await requests.send();
  await expect(requests.response).toContainText('404');
  await requests.choose('Refunds', 'Run');
  await expect(page.getByRole('status', { name: 'Outcomes' })).toHaveText(/^1 passed/, { timeout: 30_000 });
  await requests.choose('team', 'Close team');
  await page.getByRole('button', { name: 'Open, make or close collections' }).click();
  await page.getByRole('menuitem', { name: 'Open team again' }).click();
  await requests.open('Settle');
  await expect(requests.tab('Settle').getByRole('img', { name: 'not saved' })).toBeVisible();
  expect(listFiles(team)).toEqual(before);
  await page.keyboard.press('ControlOrMeta+s');
  await expect(requests.tab('Settle').getByRole('img', { name: 'not saved' })).toBeHidden();
  const [changed, ...more] = listFiles(team).filter((file) => !before.includes(file));
  expect([changed, more]).toEqual([expect.stringMatching(/^Settle\.http .*"typed": 1/s), []]);
  for (const file of added) rmSync(file);
});

test('a folder that cannot be opened is said, and nothing else changes', async ({ page, app }) => {
  test.skip(app.host === 'electron', 'there the system’s own dialog offers folders alone');
  await page.keyboard.press('ControlOrMeta+o');
  await page.getByRole('textbox', { name: 'Path' }).fill('/no/such/folder');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('is not there');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(requests.treeItem('Ping')).toBeVisible();
});

test('files are renamed, cut, pasted, doubled and deleted by keyboard, and all of it is taken back', async ({
  page,
}) => {
  const { keyboard } = page;
  await goTo('Ping');
  await keyboard.press('F2');
  await page.getByRole('textbox', { name: 'Name' }).fill('Pong');
  await keyboard.press('Enter');
  await expect(requests.treeItem('Pong')).toBeVisible();
  await goTo('Pong');
  await keyboard.press('ControlOrMeta+x');
  await goTo('Empty');
  await keyboard.press('ControlOrMeta+v');
  await expect.poll(() => existsSync(join(team, 'Empty', 'Pong.http'))).toBe(true);
  await expect(requests.tab('Pong')).toHaveAttribute('title', 'team › Empty/Pong.http');
  await goTo('Pong');
  await keyboard.press('ControlOrMeta+d');
  await expect(requests.treeItem('Pong copy')).toBeVisible();
  await goTo('Pong copy');
  await keyboard.press('Delete');
  await expect(requests.treeItem('Pong copy')).toHaveCount(0);
  await expect(page.getByRole('status').filter({ hasText: 'Deleted “Pong copy”.' })).toBeVisible();
  await keyboard.press('ControlOrMeta+z');
  await expect(requests.treeItem('Pong copy')).toBeVisible();
  await goTo('Pong copy');
  await keyboard.press('Delete');
  await expect(requests.treeItem('Pong copy')).toHaveCount(0);
  await page.getByRole('button', { name: 'Open, make or close collections' }).click();
  await page.getByRole('menuitem', { name: 'Deleted requests…' }).click();
  const putBack = page.getByRole('button', { name: 'Put Empty/Pong copy.http back' });
  const dialog = page.getByRole('dialog');
  const before = await dialog.boundingBox();
  await putBack.click();
  await expect(putBack).toHaveCount(0);
  // What is deleted stands as high whatever it holds, and the focus goes on to the next, at last to what closes.
  await expect(dialog.getByRole('button').first()).toBeFocused();
  expect(await dialog.boundingBox()).toEqual(before);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(requests.treeItem('Pong copy')).toBeVisible();
});

test('keys for files say of a whole collection why they do nothing to it', pageAlone, async ({ page }) => {
  const notice = page.getByRole('status');
  await requests.treeItem('Lookups').click();
  const tree = page.getByRole('treegrid', { name: 'Requests of the collection' });
  await tree.focus();
  await page.keyboard.press('Home');
  for (const [key, said] of [
    ['F2', /“.+” has the name of its folder: rename the folder \/.+ and open it again\./],
    [
      'Delete',
      /A whole collection is not deleted here\. “Close .+” in its menu lists it no more; its folder .+ stays\./,
    ],
    ['ControlOrMeta+x', /“.+” is a whole collection, which is neither copied nor moved here/],
    ['ControlOrMeta+c', /“.+” is a whole collection, which is neither copied nor moved here/],
    ['ControlOrMeta+d', /“.+” is a whole collection, which is neither copied nor moved here/],
  ] as const) {
    await page.keyboard.press(key);
    await expect(notice.filter({ hasText: said }), key).toBeVisible();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await tree.focus();
  }
});

test('a notice of the tree with a long name keeps its ways out in the pane', pageAlone, async ({ page }) => {
  const name = `long-${'x'.repeat(90)}`;
  writeFileSync(join(team, `${name}.http`), 'GET http://127.0.0.1:9/\n');
  await requests.choose(name, 'Delete');
  const undo = page.getByRole('status').getByRole('button', { name: 'Undo' });
  await expect(undo).toBeVisible();
  const pane = (await page.getByRole('treegrid', { name: 'Requests of the collection' }).boundingBox())!;
  for (const way of [undo, page.getByRole('button', { name: 'Dismiss' })]) {
    const box = (await way.boundingBox())!;
    expect(box.x + box.width).toBeLessThanOrEqual(pane.x + pane.width);
  }
});

test('the keyboard goes on at what was moved, which no notice hides', pageAlone, async ({ page }) => {
  writeFileSync(join(team, 'Zebra.http'), 'GET {{base_url}}/zebra\n');
  await goTo('Refund');
  await goTo('Zebra');
  await page.keyboard.press('ControlOrMeta+x');
  // Its tab is not the one on top: nothing but the move itself leads back to it.
  await requests.tab('Refund').click();
  await page.setViewportSize({ width: 1280, height: 400 });
  await goTo('Refunds');
  await page.keyboard.press('ControlOrMeta+v');
  await expect.poll(() => existsSync(join(team, 'Refunds', 'Zebra.http'))).toBe(true);
  await expect(page.getByRole('status').filter({ hasText: 'Moved “Zebra”.' })).toBeVisible();
  const row = requests.treeItem('Zebra');
  const grid = page.getByRole('treegrid', { name: 'Requests of the collection' });
  await expect(row).toBeInViewport({ ratio: 1 });
  await expect(grid).toHaveAttribute('aria-activedescendant', (await row.getAttribute('id'))!);
  await page.keyboard.press('Delete');
  await expect(row).toHaveCount(0);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('a draft follows its file to another folder and to another collection', async ({ page }) => {
  writeFileSync(join(team, 'Draft.http'), 'POST {{base_url}}/x\nContent-Type: application/json\n\n{}\n');
  await requests.open('Draft');
  await requests.setBody('{"typed": 1}');
  const isUnsaved = requests.tab('Draft').getByRole('img', { name: 'not saved' });
  await expect(isUnsaved).toBeVisible();
  await requests.treeItem('Draft').dragTo(requests.treeItem('Refunds'));
  await expect.poll(() => existsSync(join(team, 'Refunds', 'Draft.http'))).toBe(true);
  await expect(isUnsaved).toBeVisible();
  await goTo('Draft');
  await page.keyboard.press('ControlOrMeta+x');
  await goTo('Lookups');
  await page.keyboard.press('ControlOrMeta+v');
  await expect(requests.tab('Draft')).toHaveAttribute('title', 'Payments API › Lookups/Draft.http');
  await page.keyboard.press('ControlOrMeta+s');
  await expect(isUnsaved).toBeHidden();
  const { collections } = await callBackend(page, 'collections.list', {});
  const starter = collections.find(({ name }) => name === 'Payments API')!;
  const moved = join(starter.directory, 'Lookups', 'Draft.http');
  expect(readFileSync(moved, 'utf8')).toContain('{"typed": 1}');
  await requests.choose('Draft', 'Delete');
  await expect(requests.tab('Draft')).toHaveCount(0);
});

test('a folder that was renamed is the same collection where it is opened next, with its tab and its draft', async ({
  app,
  page,
}) => {
  test.skip(
    !notesWhenMade(app.dataDirectory),
    'this disk does not note when a folder was made: by that it is known',
  );
  const [before, now] = [join(app.dataDirectory, 'before'), join(app.dataDirectory, 'now')];
  mkdirSync(before);
  writeFileSync(join(before, 'Stays.http'), 'POST {{base_url}}/x\nContent-Type: application/json\n\n{}\n');
  const { id } = await callBackend(page, 'collections.open', { directory: before });
  await requests.open('Stays');
  await requests.setBody('{"typed": 1}');
  const isUnsaved = requests.tab('Stays').getByRole('img', { name: 'not saved' });
  await expect(isUnsaved).toBeVisible();

  renameSync(before, now);
  await expect(page.getByText('or open it where it is now')).toBeVisible();
  expect(await callBackend(page, 'collections.open', { directory: now })).toMatchObject({ id });
  await expect(requests.treeItem('now')).toHaveAttribute('aria-level', '1');
  await expect(requests.treeItem('before')).toHaveCount(0);
  await expect(isUnsaved).toBeVisible();
  await page.keyboard.press('ControlOrMeta+s');
  await expect(isUnsaved).toBeHidden();
  expect(readFileSync(join(now, 'Stays.http'), 'utf8')).toContain('{"typed": 1}');

  await callBackend(page, 'collections.close', { collectionId: id });
  await expect(requests.treeItem('now')).toHaveCount(0);
  rmSync(now, { recursive: true });
});

test('a new request begins with what its folder does, complete and valid', pageAlone, async ({ page }) => {
  await requests.choose('Payouts', 'New request…');
  await expect(page.getByRole('button', { name: /Initiate payout, signed/ })).toBeVisible();
  await page.getByRole('textbox', { name: 'Name' }).fill('Fresh payout');
  await page.keyboard.press('Enter');
  await expect(requests.tab('Fresh payout')).toHaveAttribute('aria-current', 'true');
  await requests.waitForEditor();
  // The keyboard goes on in the new request, whatever had it before.
  await expect(page.getByRole('combobox', { name: 'Address' })).toBeFocused();
  expect(JSON.parse(await requests.readBody())).toMatchObject({ originator: { country: 'KE' } });
  await requests.send();
  await expect(requests.response).toContainText(/201|ACCEPTED/);
  await requests.choose('Fresh payout', 'Delete');
});

test('a new folder has the keyboard go on at it', pageAlone, async ({ page }) => {
  await page.getByRole('button', { name: 'New request or folder' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Name' }).fill('Fresh folder');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('treegrid', { name: 'Requests of the collection' })).toBeFocused();
  // What is pressed next is about it.
  await page.keyboard.press('Delete');
  await expect(page.getByRole('status').filter({ hasText: 'Deleted “Fresh folder”.' })).toBeVisible();
});

test(
  'a new request is never blank, even where nothing tells what its folder does',
  pageAlone,
  async ({ page }) => {
    await requests.choose('Empty', 'New request…');
    await expect(page.getByRole('button', { name: /Initiate remittance, signed/ })).toBeVisible();
    await page.keyboard.press('Escape');
  },
);

test('a collection is made, empty or as the starter', async ({ page }) => {
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('New collection');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Second');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(requests.treeItem('Second')).toBeVisible();
  await expect(requests.treeItem('Payouts')).toHaveCount(2);
  await requests.choose('Second', 'Close Second');
  await expect(requests.treeItem('Payouts')).toHaveCount(1);
});

test('the folder that a collection is made in is completed, by the keyboard alone', async ({ app, page }) => {
  const places = join(app.dataDirectory, 'places');
  mkdirSync(join(places, 'Refunds'), { recursive: true });
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible();
  await page.keyboard.type('New collection');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New collection' });
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Within');
  await pressSeen(page, 'Tab', 'Tab');
  const folder = dialog.getByRole('textbox', { name: 'Folder to make it in' });
  await expect(folder).toBeFocused();
  await expect(dialog.getByRole('listbox', { name: 'Folders' })).toHaveCount(0);
  await page.keyboard.type(`${places}/Ref`);
  await expect(dialog.getByRole('option')).toHaveText([join(places, 'Refunds')]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(folder).toHaveValue(`${places}/Refunds/`);
  await expect(dialog.getByRole('option', { name: 'Refunds' })).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(requests.treeItem('Within')).toBeVisible();
  expect(existsSync(join(places, 'Refunds', 'Within', 'collection.json'))).toBe(true);
  await requests.choose('Within', 'Close Within');
  rmSync(places, { recursive: true });
});

test('what requests hold is searched for, and opens where it stands', async ({ page }) => {
  await page.keyboard.press('ControlOrMeta+Shift+f');
  await page.getByRole('searchbox', { name: 'Text to find' }).fill('baraka foods');
  const first = page.getByRole('option').first();
  await expect(first).toContainText('body, line');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await requests.waitForEditor();
  expect(await requests.readBody()).toContain('Baraka Foods');
});

test('Ctrl+P opens a request of any collection by a few letters', async ({ page }) => {
  await page.keyboard.press('ControlOrMeta+p');
  await page.getByRole('combobox', { name: 'Search commands' }).fill('rfnd');
  await expect(page.getByRole('option').first()).toContainText('Refund');
  // Two folders may have a request of the same name: the folder counts, and stands there.
  await page.getByRole('combobox', { name: 'Search commands' }).fill('refunds refund');
  await expect(page.getByRole('option').first()).toContainText('team / Refunds');
  await page.keyboard.press('Enter');
  await expect(requests.tab('Refund')).toHaveAttribute('aria-current', 'true');
});

test('a folder in a git repository shows its branch and what git does not have', async ({ page }) => {
  test.skip(spawnSync('git', ['--version']).status !== 0, 'git is not installed');
  execFileSync('git', ['init', '-q', '-b', 'main', team]);
  execFileSync('git', ['-C', team, 'add', 'Refunds/Refund.http']);
  writeFileSync(join(team, 'Refunds', 'Refund.http'), 'GET {{base_url}}/refund?all\n');
  await expect(requests.treeItem('team')).toContainText('main');
  await expect(requests.treeItem('Refund').getByRole('img', { name: /^changed/ })).toBeVisible();
  await expect(requests.treeItem('Payouts').getByRole('img')).toHaveCount(0);
  await page.keyboard.press('Escape');
});
