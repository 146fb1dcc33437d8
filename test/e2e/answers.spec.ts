import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { callBackend } from './backend';
import { readClipboard } from './clipboard';
import { takeDownload } from './downloads';
import { expect, test } from './fixtures';
import { checkLooks, showPicture } from './looks';
import { RequestsPage } from './pages/requests-page';
import { Shell } from './pages/shell';

test.setTimeout(120_000);

const environment = 'data/answers';
const file = 'An answer';
let server: Server;
let requests: RequestsPage;
/** What the service does with a payment; each test has its own. */
let answer: (request: IncomingMessage, response: ServerResponse, body: string) => void;
/** What came in: method, path, headers and body. */
let came: { line: string; headers: IncomingMessage['headers']; body: string }[] = [];

test.beforeAll(async ({ app }) => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      if (request.url!.includes('token'))
        return void response.end('{"access_token":"abc.def.ghi","expires_in":3600}');
      came.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
      answer(request, response, body);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { page } = app;
  await new Shell(page).open('Requests');
  await callBackend(page, 'environments.save', { name: 'answers', kind: 'sandbox', baseUrl });
  await callBackend(page, 'credentials.save', {
    environment,
    consumerKey: 'key',
    consumerSecret: 'hush-hush',
  });
  await callBackend(page, 'environments.select', { id: environment });
  const { collections } = await callBackend(page, 'collections.list', {});
  writeFileSync(
    join(collections[0]!.directory, `${file}.http`),
    `# @name ${file}\n# @operation payout\nPOST {{base_url}}/payments/v1/payouts\nAuthorization: Bearer {{token.payout}}\n\n` +
      '{"transaction":{"reference":"{{$uuid}}","amount":1000.00},"recipient":{"account":"2547"}}\n',
  );
});

test.afterAll(async ({ app }) => {
  await callBackend(app.page, 'environments.select', { id: 'local' });
  await callBackend(app.page, 'credentials.delete', { environment });
  await callBackend(app.page, 'environments.delete', { id: environment });
  await new Promise((done) => server.close(done));
});

test.beforeEach(async ({ page }) => {
  came = [];
  requests = new RequestsPage(page);
  await new Shell(page).open('Requests');
  await requests.openAsSaved(file);
});

test('an answer is read as text, tree and words, searched, filtered and saved as it came', async ({
  page,
  app,
}) => {
  const body =
    '{"status":"200.100","code":"ACCEPTED","odd":1e3,"results":{"amount":1000.00,"payment_uuid":12345678901234567890}}';
  answer = (_request, response) => response.writeHead(201, { 'Content-Type': 'application/json' }).end(body);
  await requests.send();
  const { response } = requests;
  await expect(response).toContainText('Accepted for processing');
  await expect(response).toContainText('12345678901234567890');

  await response.getByRole('searchbox', { name: 'Find in the answer' }).fill('AMOUNT');
  await expect(response.getByRole('search')).toContainText('1 of 1');
  await response.getByRole('searchbox', { name: 'Find in the answer' }).fill('');
  const filter = response.getByRole('searchbox', { name: 'Filter by JSON Pointer or JSONPath' });
  await filter.fill('$.results.*');
  await expect(response.getByRole('group', { name: 'What the filter finds' })).toContainText('1000.00');
  await filter.fill('$.results');
  await expect(response.getByRole('group', { name: 'What the filter finds' })).toContainText(
    /^\s*\{\s+"amount": 1000\.00,/,
  );
  await filter.fill('$[');
  await expect(response).toContainText('This path cannot be read at character 3');
  await filter.fill('');

  await requests.showBodyAs('Tree');
  const tree = response.getByRole('tree', { name: 'Response body as a tree' });
  await expect(tree.getByRole('treeitem')).toHaveCount(7);
  await tree.press('End');
  await expect(response.getByTitle('$.results.payment_uuid')).toBeVisible();
  for (const [what, text] of [
    ['Copy as JSONPath', '$.results.payment_uuid'],
    ['Copy as JSON Pointer', '/results/payment_uuid'],
    ['Copy the value', '12345678901234567890'],
  ] as const) {
    await response.getByRole('button', { name: what }).click();
    await expect.poll(() => readClipboard(app)).toBe(text);
  }
  await tree.focus();
  await tree.press('ArrowLeft');
  await expect(response.getByTitle('$.results', { exact: true })).toBeVisible();
  await tree.press('ArrowLeft');
  await expect(tree.getByRole('treeitem', { name: 'results' })).toHaveAttribute('aria-expanded', 'false');
  await showPicture(page, 'answer-tree');

  await requests.showBodyAs('In words');
  await expect(response).toContainText('Accepted: the final outcome comes by webhook');
  await expect(response).toContainText('The interface does not name this field');
  await showPicture(page, 'answer-words');

  const saved = await takeDownload(app, () =>
    response.getByRole('button', { name: 'Save the body to a file' }).click(),
  );
  expect([saved.name, saved.bytes.toString('utf8')]).toEqual([`${file} 201.json`, body]);

  await requests.showAnswerPart('Wire');
  await expect(response.getByRole('group', { name: 'Bytes sent' })).toContainText('50 4f 53 54');
  await expect(response).toContainText('Secrets are masked');
  expect(await checkLooks(app, 'answer-wire')).toEqual([]);
  await response.getByRole('radio', { name: 'Connection' }).click();
  await expect(response).toContainText('None: in the clear');
});

test('a refused field is marked in the body, and a redirect is shown, never followed by itself', async ({
  page,
}) => {
  const { response } = requests;
  answer = (_request, reply) =>
    reply
      .writeHead(400)
      .end(
        '{"code":"400.100","status":"REJECTED","data":{"field_errors":[{"field":"recipient.account","message":"is too short"}]}}',
      );
  await requests.send();
  await expect(response).toContainText('Rejected: one field is wrong');
  await response.getByRole('button', { name: 'recipient.account' }).click();
  await expect(page.locator('.monaco-editor .squiggly-error').last()).toBeVisible();

  const elsewhere = createServer((request, reply) => {
    came.push({ line: `elsewhere ${request.method}`, headers: request.headers, body: '' });
    reply.end('{"ok":true}');
  });
  await new Promise<void>((done) => elsewhere.listen(0, '127.0.0.1', done));
  const to = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/x`;
  answer = (_request, reply) => reply.writeHead(307, { Location: to }).end();
  await requests.send();
  await expect(response).toContainText('It points to another host');
  expect(came.map(({ line }) => line)).not.toContain('elsewhere POST');
  await response.getByRole('button', { name: 'Follow with POST and the body' }).click();
  await expect.poll(() => came.at(-1)?.line).toBe('elsewhere POST');
  expect(came.at(-1)!.headers).not.toHaveProperty('authorization');
  expect(came.at(-2)!.headers).toHaveProperty('authorization');
  elsewhere.closeAllConnections();
  await new Promise((done) => elsewhere.close(done));
});

test('after a lost answer the status is asked first; after a 429 the same request waits its turn', async ({
  app,
}) => {
  const { response } = requests;
  let isKnown = false;
  let isLost = true;
  const accepted = '{"status":"200.100","code":"ACCEPTED","data":{"payment_uuid":"7"}}';
  answer = (request, reply) => {
    if (request.url!.includes('/query/')) {
      const found = '{"code":"ACCEPTED","data":{"state":"processing"}}';
      reply
        .writeHead(isKnown ? 200 : 404)
        .end(isKnown ? found : '{"code":"404.001.000","status":"NOT_FOUND"}');
    } else if (isLost) request.socket.destroy();
    else reply.writeHead(201).end(accepted);
  };
  await requests.send();
  await expect(response).toContainText('Nobody knows whether the payment was taken');
  await showPicture(app.page, 'answer-retry');
  isKnown = true;
  await response.getByRole('button', { name: 'Retry safely' }).click();
  await expect(response).toContainText('The service has this payment (processing): nothing was sent again.');
  await expect(response).toContainText('The payment was taken all the same: ');
  await expect(response).not.toContainText('is not known');
  isKnown = isLost = false;
  await response.getByRole('button', { name: 'Retry safely' }).click();
  await expect(response).toContainText('sent again, under the same reference');
  const payments = came.filter(({ line }) => line.includes('payouts'));
  expect(payments).toHaveLength(2);
  expect(payments[1]!.body).toBe(payments[0]!.body);
  await expect(response.getByRole('region', { name: 'Attempts' }).getByRole('listitem')).toHaveCount(2);

  // Nothing is offered that would do nothing: here it was never sent, and an hour nobody waits.
  answer = (_request, reply) => reply.writeHead(429, { 'Retry-After': '3600' }).end('{}');
  await requests.send();
  await expect(response).toContainText('asks to wait 1 h 0 min, longer than this waits by itself');
  await expect(response.getByRole('button', { name: 'Again when it may' })).toHaveCount(0);
  await callBackend(app.page, 'environments.select', { id: 'local' });
  await expect(response).toContainText('to send it again, choose the environment answers');
  await expect(response.getByRole('button', { name: 'Again, same reference' })).toHaveCount(0);
  await callBackend(app.page, 'environments.select', { id: environment });
  // What is sent goes to the environment on show: the window hears of another one a moment later.
  await expect(app.page.getByRole('button', { name: 'Environment: answers' })).toBeVisible();

  let refusals = 1;
  answer = (_request, reply) =>
    refusals-- > 0
      ? reply.writeHead(429, { 'Retry-After': '1' }).end('{}')
      : reply.writeHead(201).end(accepted);
  await requests.send();
  await expect(response).toContainText('asks to wait 1');
  await response.getByRole('button', { name: 'Again when it may' }).click();
  await expect(response).toContainText('attempt 2');
  await expect(response).toContainText('Accepted for processing');
  expect(came.at(-1)!.body).toBe(came.at(-2)!.body);
});

test('a call under way is cancelled by its name, from the keyboard alone', async ({ page }) => {
  answer = () => undefined;
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(requests.response.getByRole('status')).toContainText('Sending…');
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search commands' }).fill('cancel what is being sent');
  await page.keyboard.press('Enter');
  await expect(requests.response).toContainText('sending.canceled');
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible();
});
