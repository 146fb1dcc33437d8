import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { decodeText } from '@shared/import/decode-text';
import { callBackend } from './backend';
import { readClipboard } from './clipboard';
import { expect, pageAlone, test } from './fixtures';
import { checkLooks } from './looks';
import { KeysPage } from './pages/keys-page';
import { RequestsPage } from './pages/requests-page';
import { Shell } from './pages/shell';

let requests: RequestsPage;
const fixtures = join(import.meta.dirname, '..', 'fixtures', 'import');

test.setTimeout(45_000);

test.beforeEach(async ({ page }) => {
  requests = new RequestsPage(page);
  await new Shell(page).open('Requests');
  // Whoever takes what is dropped and pasted stands once the tree does.
  await expect(page.getByRole('treegrid', { name: 'Requests of the collection' })).toBeVisible();
});

test.afterEach(async ({ page }) => {
  const { environments } = await callBackend(page, 'environments.list', {});
  for (const { id, name, source } of environments)
    if (source === 'data' && ['Shop', '127.0.0.1:4999'].includes(name))
      await callBackend(page, 'environments.delete', { id });
  const { collections } = await callBackend(page, 'collections.list', {});
  for (const { id, name, directory } of collections) {
    if (name !== 'Shop') continue;
    await callBackend(page, 'collections.close', { collectionId: id });
    rmSync(directory, { recursive: true });
  }
});

test('a Postman collection becomes a collection of its own, by the keyboard, with counts and notes before and after', async ({
  app,
  page,
}) => {
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('postman');
  await expect(page.getByRole('option').first()).toContainText('Import');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Import', exact: true });
  await dialog.getByRole('textbox', { name: 'Paste a curl command' }).waitFor();
  await dialog
    .getByLabel('Or choose a file')
    .setInputFiles(join(fixtures, 'postman', 'collection-2.1', 'input.json'));
  await expect(dialog.getByText('Postman: 5 requests, 1 folder, 1 environment')).toBeVisible();
  expect(await checkLooks(app, 'import question')).toEqual([]);
  // It has a name of its own: nothing of it is mixed into the collection on show.
  await expect(dialog.getByRole('button', { name: /Into/ })).toContainText('A new collection');
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Shop');
  await expect(dialog.getByText('Postman: 5 requests, 1 folder, 1 environment')).toBeVisible();
  await expect(dialog.getByRole('list', { name: 'Notes' })).toContainText(
    'Its pre-request script is not taken over',
  );
  await dialog.getByRole('button', { name: 'Import', exact: true }).press('Enter');
  const done = page.getByRole('dialog', { name: 'Imported' });
  await expect(done.getByRole('list', { name: 'Notes' })).toContainText('it lies in the vault');
  // A dialog has the keyboard to itself.
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog', { name: 'Commands' })).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(done).toHaveCount(0);
  // The keyboard goes on in the request that is on show now.
  await expect(page.getByRole('combobox', { name: 'Address' })).toBeFocused();
  await expect(requests.treeItem('Shop')).toBeVisible();
  await expect(requests.treeItem('Create / start')).toBeVisible();
});

test(
  'a curl with secrets says where they go, and its request how to use them',
  pageAlone,
  async ({ app, page }) => {
    // One collection alone has no row of its own: its name in the head has the menu.
    await page.getByRole('heading', { name: 'Payments API', exact: true }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Import into Payments API…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import', exact: true });
    await dialog
      .getByRole('textbox', { name: 'Paste a curl command' })
      .fill(
        `curl -X POST http://127.0.0.1:4999/probe -H 'X-Api-Key: abcdef0123456789' -d '{"consumer_secret":"cs_y"}'`,
      );
    const counts = '1 request, 0 folders, 0 environments in the files; 1 environment of your own';
    await expect(dialog.getByText(counts)).toBeVisible();
    await expect(dialog.getByRole('list', { name: 'Notes' })).toContainText(
      "in your environment '127.0.0.1:4999'",
    );
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    const done = page.getByRole('dialog', { name: 'Imported' });
    await expect(done.getByText(counts)).toBeVisible();
    await page.keyboard.press('Enter');
    const missing = page.getByText(/No value for .*They are among the variables of “127.0.0.1:4999”/);
    await expect(missing).toHaveCount(1);
    expect(await checkLooks(app, 'missing value that another environment has')).toEqual([]);
    await page.getByRole('button', { name: 'Use “127.0.0.1:4999”' }).click();
    await expect(page.getByText('No value for')).toHaveCount(0);
    await callBackend(page, 'environments.select', { id: 'local' });
    await requests.close('POST /probe');
    await requests.choose('POST /probe', 'Delete');
  },
);

test('a curl that is pasted into the tree is asked about, as long as no file of the tree was copied', async ({
  page,
}) => {
  await page.evaluate(() => navigator.clipboard.writeText("curl -X PUT 'https://api.example.com/v2/pasted'"));
  await requests.treeItem('Payout that fails').click();
  await page.keyboard.press('ControlOrMeta+v');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('1 request');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('a dialog that cannot be loaded any more says so, and the window stays', async ({
  freshApp,
  hostKind,
}) => {
  test.skip(
    hostKind === 'electron',
    'the desktop window reads its files from the package that it was started from',
  );
  const { page } = freshApp;
  await page.route(/import-dialog-[^/]*\.js$/, (route) => route.fulfill({ status: 404 }));
  await page.reload();
  await page.getByRole('link', { name: 'Requests' }).click();
  const tree = page.getByRole('treegrid', { name: 'Requests of the collection' });
  await expect(tree).toBeVisible();
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', "curl 'https://api.example.com/v2/pasted'");
    document.body.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  });
  await expect(page.getByRole('dialog', { name: 'This could not be opened' })).toBeVisible();
  await page.unroute(/import-dialog-[^/]*\.js$/);
  await page.getByRole('button', { name: 'Reload the window' }).click();
  await expect(tree).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a curl that is pasted into the address becomes the request', pageAlone, async ({ page }) => {
  await requests.openAsSaved('Payout that fails');
  const address = page.getByRole('combobox', { name: 'Address' });
  await address.focus();
  await address.evaluate((field) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData(
      'text/plain',
      `curl -X PUT 'https://api.example.com/v2/things?a=1' -H 'X-Api-Key: k-9876543' -H 'Content-Type: application/json' -d '{"n":1.50}'`,
    );
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  await expect(address).toHaveValue('https://api.example.com/v2/things?a=1');
  await expect(page.getByRole('button', { name: 'Method: PUT' })).toBeVisible();
  await expect(requests.tab('Payout that fails')).toContainText('PUT');
  await expect(requests.treeItem('Payout that fails')).toContainText('PUT');
  await expect(page.getByText('give {{x_api_key}} a value')).toBeVisible();
  await requests.close('Payout that fails');
});

/** Drops files onto the window, all at once. @returns whether the browser was kept from showing them in place of the app */
const drop = (
  page: Page,
  ...files: readonly (readonly [name: string, content: string | Buffer])[]
): Promise<boolean> =>
  page.evaluate(
    (given) => {
      const dataTransfer = new DataTransfer();
      for (const [name, base64] of given) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        dataTransfer.items.add(new File([bytes], name));
      }
      const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      document.body.dispatchEvent(event);
      return event.defaultPrevented;
    },
    files.map(([name, content]) => [name, Buffer.from(content).toString('base64')] as const),
  );

/** Pastes into what has the focus, or into nothing. @returns whether somebody took it */
const paste = (page: Page, text: string): Promise<boolean> =>
  page.evaluate((given) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', given);
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    (document.activeElement ?? document.body).dispatchEvent(event);
    return event.defaultPrevented;
  }, text);

const formats = [
  ['curl/bash/input.sh', 'curl: '],
  ['curl/cmd/input.bat', 'curl: '],
  ['curl/powershell/input.ps1', 'curl: '],
  ['postman/collection-2.0/input.json', 'Postman: '],
  ['postman/collection-2.1/input.json', 'Postman: '],
  ['postman/environment-utf16/input.json', 'Postman: 0 requests, 0 folders, 1 environment'],
  ['openapi/petstore-3.0/input.yaml', 'OpenAPI: '],
  ['openapi/webhooks-3.1/input.json', 'OpenAPI: '],
  ['bruno/unused-parts/input.bru', 'Bruno: 1 request'],
  ['bruno/export/input.json', 'Bruno: '],
  ['insomnia/v4/input.json', 'Insomnia: '],
  ['insomnia/v4-yaml/input.yaml', 'Insomnia: '],
  ['insomnia/v5/input.yaml', 'Insomnia: '],
  ['har/browser/input.har', 'HAR: '],
] as const;

test(
  'what another tool made is asked about in any view, dropped or pasted, whatever its format',
  pageAlone,
  async ({ page }) => {
    test.setTimeout(120_000);
    await new Shell(page).open('Balances');
    const dialog = page.getByRole('dialog', { name: 'Import', exact: true });
    for (const [path, said] of formats) {
      const file = readFileSync(join(fixtures, path));
      for (const give of ['drop', 'paste'] as const) {
        await test.step(`${give} ${path}`, async () => {
          if (give === 'drop') await drop(page, [path.replace(/^.*\//, ''), file]);
          else expect(await paste(page, decodeText(file, path))).toBe(true);
          await expect(dialog.getByText(said)).toBeVisible();
          await page.keyboard.press('Escape');
          await expect(dialog).toHaveCount(0);
        });
      }
    }
    await expect(page.getByRole('heading', { name: 'Balances', level: 1 })).toBeAttached();
  },
);

test(
  'a file that nobody can read is held and refused by name; a field keeps what is pasted; what is dropped over a dialog is asked about over it, or is the file that it asks for',
  pageAlone,
  async ({ page }) => {
    await new Shell(page).open('Lookups');
    expect(await drop(page, ['photo.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0xfd])])).toBe(
      true,
    );
    const dialog = page.getByRole('dialog', { name: 'Import', exact: true });
    await expect(dialog.getByRole('alert')).toContainText('photo.png is neither UTF-8 nor UTF-16 text');
    await expect(dialog.getByRole('button', { name: 'Import', exact: true })).toBeDisabled();
    // What comes while one is on show waits for its turn.
    expect(await paste(page, "curl 'https://api.example.com/v2/second'")).toBe(true);
    await expect(dialog).toContainText('One more was given, and is asked about next.');
    await page.keyboard.press('Escape');
    await expect(dialog.getByText('curl: 1 request')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await page.getByRole('main').getByRole('textbox').first().focus();
    expect(await paste(page, "curl 'https://api.example.com/v2/field'")).toBe(false);
    expect(await paste(page, 'INV-2041')).toBe(false);
    await page.keyboard.press('ControlOrMeta+k');
    const palette = page.getByRole('dialog', { name: 'Commands' });
    await expect(palette).toBeVisible();
    expect(await drop(page, ['a.sh', "curl 'https://api.example.com/v2/behind'"])).toBe(true);
    await expect(dialog.getByText('curl: 1 request')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(palette.getByRole('combobox')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(palette).toHaveCount(0);

    await new Shell(page).open('Keys and tokens');
    await new KeysPage(page).choose('Import a key…');
    const key = page.getByRole('dialog', { name: 'Import a key' });
    expect(await drop(page, ['dropped.pem', '-----BEGIN PRIVATE KEY-----'])).toBe(true);
    await expect(key.getByRole('textbox', { name: 'Private key' })).toHaveValue(
      '-----BEGIN PRIVATE KEY-----',
    );
    await expect(key.getByRole('textbox', { name: 'Name' })).toHaveValue('dropped');
    await expect(dialog).toHaveCount(0);
    await key.getByRole('button', { name: 'Cancel' }).click();
    await expect(key).toHaveCount(0);
  },
);

test(
  'a pasted export is asked about however long a name in it is; of what is none, and of one too large, that is said',
  pageAlone,
  async ({ page }) => {
    await new Shell(page).open('Balances');
    const dialog = page.getByRole('dialog', { name: 'Import', exact: true });
    const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
    const item = Array.from({ length: 300 }, () => ({ name: 'Pay', request: 'https://api.example.com/pay' }));
    await paste(page, JSON.stringify({ info: { name: 'x'.repeat(100_000), schema }, item }));
    await expect(dialog.getByText('Postman: 300 requests')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    expect(await paste(page, `{"info":${'x'.repeat(1_000_000)}`)).toBe(true);
    await expect(page.getByText('What was pasted is no command or export that is known here.')).toBeVisible();
    await paste(page, `curl https://api.example.com/${'x'.repeat(48 * 1024 * 1024)}`);
    await expect(dialog.getByRole('alert')).toContainText('What was pasted is larger than 48 MiB.');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  },
);

test('what was pasted in another view is shown once it is imported', pageAlone, async ({ page }) => {
  await new Shell(page).open('Balances');
  await paste(page, "curl -X PUT 'https://api.example.com/v2/elsewhere'");
  const dialog = page.getByRole('dialog', { name: 'Import', exact: true });
  await expect(dialog.getByText('curl: 1 request')).toBeVisible();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Imported' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(requests.tab('PUT /v2/elsewhere')).toHaveAttribute('aria-current', 'true');
  await expect(page.getByRole('combobox', { name: 'Address' })).toBeFocused();
  await requests.close('PUT /v2/elsewhere');
  await requests.choose('PUT /v2/elsewhere', 'Delete');
});

test('files that are dropped together are asked about in one question, and imported by the keyboard', async ({
  app,
  page,
}) => {
  const read = (...path: string[]): string => readFileSync(join(fixtures, ...path), 'utf8');
  await drop(
    page,
    ['a-staging.json', JSON.stringify({ name: 'Staging', values: [{ key: 'api_key', value: 'v-123456' }] })],
    ['one.sh', "curl -X PUT 'https://api.example.com/v2/together'"],
    ['deep.json', '['.repeat(100_000)],
    ['photo.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0xfd])],
    ['shop.json', read('postman', 'collection-2.1', 'input.json')],
  );
  const dialog = page.getByRole('dialog', { name: 'Import', exact: true });
  await expect(dialog).toContainText('3 of 5 files can be imported.');
  const files = dialog.getByRole('list', { name: 'Files' }).getByRole('listitem');
  await expect(files).toHaveText([
    /^a-staging\.json.*Postman: 0 requests, 0 folders, 1 environment/,
    /^one\.sh.*curl: 1 request/,
    /^deep\.json.*nested deeper than/,
    /^photo\.png.*neither UTF-8 nor UTF-16/,
    /^shop\.json.*Postman: 5 requests, 1 folder, 1 environment/,
  ]);
  await expect(dialog.getByRole('list', { name: 'Notes' })).toContainText('shop.json: ');
  expect(await checkLooks(app, 'import together')).toEqual([]);
  // The collection is not there yet, and its address is told already: a credential is to go there.
  const notes = dialog.getByRole('list', { name: 'Notes' });
  await expect(notes).toContainText(
    /It had no base_url: https:\S+ is added, as the collection it joins has it/,
  );
  await expect(notes).toContainText(
    /\{\{api_key\}\} is a credential: it stays out of the files, and goes to/,
  );
  await dialog.getByRole('button', { name: 'Import', exact: true }).press('Enter');
  const done = page.getByRole('dialog', { name: 'Imported' });
  await expect(done).toContainText('3 of 5 files were imported.');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(requests.treeItem('Shop')).toBeVisible();
  // The environment was given first, and is the collection's that was given with it.
  const { collections } = await callBackend(page, 'collections.list', {});
  const shop = collections.find(({ name }) => name === 'Shop');
  const { Staging, ...known } = JSON.parse(
    readFileSync(join(shop!.directory, 'http-client.env.json'), 'utf8'),
  ) as Record<string, Record<string, unknown>>;
  expect(Object.values(known)).toContainEqual(expect.objectContaining(Staging!));
  await expect(requests.tab('PUT /v2/together')).toHaveAttribute('aria-current', 'true');
  await expect(page.getByRole('combobox', { name: 'Address' })).toBeFocused();
  await requests.close('PUT /v2/together');
  await requests.choose('PUT /v2/together', 'Delete');
});

test('what is dropped together is taken up to what one import may hold, in number and in size', async ({
  page,
}) => {
  const dialog = page.getByRole('dialog', { name: 'Import', exact: true });
  const many = Array.from({ length: 101 }, (_, at) => [`${at}.sh`, 'curl x.example'] as const);
  await drop(page, ...many);
  await expect(dialog.getByRole('alert')).toContainText('At most 100 files are asked about at once.');
  await expect(dialog).toContainText('101 files');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    const blank = ' '.repeat(30 * 1024 * 1024);
    for (const name of ['a', 'b'])
      dataTransfer.items.add(new File([`curl x.example/${name}`, blank], `${name}.sh`));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  });
  await expect(dialog).toContainText('1 of 2 files can be imported.', { timeout: 20_000 });
  await expect(dialog).toContainText(
    'What was dropped, with b.sh, is larger than 48 MiB. Import it in parts.',
  );
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('a file that is dropped on the window is asked about; a hostile one says why it is not taken', async ({
  page,
}) => {
  await drop(page, ['browser.har', readFileSync(join(fixtures, 'har', 'browser', 'input.har'), 'utf8')]);
  const dialog = page.getByRole('dialog', { name: 'Import', exact: true });
  await expect(dialog.getByText(/HAR: \d requests/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await drop(page, ['deep.json', '['.repeat(100_000)]);
  await expect(dialog.getByRole('alert')).toContainText('nested deeper than');
  await expect(dialog.getByRole('button', { name: 'Import', exact: true })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test(
  'of very many notes the first are shown, what is so of many once, and all can be copied',
  pageAlone,
  async ({ page, app }) => {
    const body = (at: number) => ({ mode: 'file', file: { src: `rows-${at}.csv` } });
    const item = (_: unknown, at: number) => ({
      name: `Step ${at}`,
      event: [{ listen: 'test', script: { exec: ['pm.test("x")'] } }],
      request: { method: 'POST', url: 'https://api.example.com/', body: body(at) },
    });
    const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
    const collection = { info: { name: 'Many', schema }, item: Array.from({ length: 230 }, item) };
    await drop(page, ['many.json', JSON.stringify(collection)]);
    const dialog = page.getByRole('dialog', { name: 'Import', exact: true });
    await expect(dialog.getByText('Step 4.http and 225 more')).toHaveCount(1);
    await expect(dialog.getByText('And 32 more.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Copy all 461' }).click();
    const read = (): Promise<string> => readClipboard(app);
    await expect.poll(read).toContain('Step 229.http\tIts test script is not taken over');
    expect((await read()).split('\n')).toHaveLength(461);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  },
);

test(
  'a folder of another tool is read as it is dropped; one of our own says how it is opened',
  pageAlone,
  async ({ page, hostKind }) => {
    const devtools = await page.context().newCDPSession(page);
    const dropFolder = async (path: string): Promise<void> => {
      const data = { items: [], files: [path], dragOperationsMask: 1 };
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
        await devtools.send('Input.dispatchDragEvent', { type, x: 600, y: 400, data });
    };
    const dialog = page.getByRole('dialog', { name: 'Import', exact: true });
    await new Shell(page).open('Balances');
    for (const [folder, said] of [
      ['folder', 'Bruno: 2 requests, 1 folder, 1 environment'],
      ['opencollection', 'Bruno: '],
    ] as const) {
      await dropFolder(join(fixtures, 'bruno', folder, 'input'));
      await expect(dialog.getByText(said)).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
    }
    // Opened, a folder of files that other tools exported would be an empty collection.
    await dropFolder(join(fixtures, 'postman', 'environment-utf16'));
    await expect(dialog).toContainText('1 of 2 files can be imported.');
    await expect(dialog.getByText('Postman: 0 requests, 0 folders, 1 environment')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    // Others do not take such names, which a browser does not give the file of.
    if (process.platform === 'linux') {
      const folder = test.info().outputPath('exports');
      mkdirSync(folder, { recursive: true });
      for (const last of [0x61, 0xff])
        writeFileSync(
          Buffer.concat([Buffer.from(`${folder}/one.`), Buffer.of(last), Buffer.from('.json')]),
          '{"name":"E","values":[{"key":"shopId","value":"7"}]}',
        );
      await dropFolder(folder);
      await expect(dialog).toContainText('1 of 2 files can be imported.');
      await expect(dialog).toContainText('cannot be read: look at its permissions, and rename it');
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
    }
    // The desktop app knows where it is, and opens it: drop-folder.electron.spec.
    if (hostKind === 'electron') return;
    await dropFolder(join(fixtures, 'openapi'));
    const refused = page.getByRole('alert').filter({ hasText: 'Use Open a folder, and type its path.' });
    await expect(refused).toContainText('A browser does not say where “openapi” is.');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect(refused).toHaveCount(0);
  },
);
