/* global location */
import { fillApp, fillOddly, odd } from './fill-app.mjs';
import { sendPayment } from './made-payments.mjs';
import {
  choose,
  chooseOfRequest,
  chooseRow,
  command,
  escape,
  fill,
  inTurn,
  key,
  open,
  openRequest,
  press,
  see,
  send,
  type,
  views,
} from './steps.mjs';

const reload = async ({ page }) => {
  await page.reload();
  await page.locator('main').waitFor();
};

/** Answers calls of the page in the service's place; null lets one through. */
const answerCalls = (answer) => async (app) => {
  await app.page.route('**/api/call', async (route) => {
    const { method } = route.request().postDataJSON();
    const reply = answer(method);
    if (reply === null) await route.continue();
    else if (reply !== 'never') await route.fulfill({ json: reply });
  });
  await reload(app);
};
const answerAgain = async (app) => {
  await app.page.unrouteAll({ behavior: 'ignoreErrors' });
  await reload(app);
};

const besideDisk = ['app.status', 'environments.list'];
const atBoot = [...besideDisk, 'settings.get', 'settings.update'];
const diskError = {
  ok: false,
  error: {
    code: 'platform.unwritable',
    message: 'The data folder cannot be read: EIO: i/o error, read. Look at the disk, then try again.',
    retryable: true,
  },
};

const sealVault = async ({ call }) => {
  await call('vault.setPassphrase', { current: null, next: 'a passphrase of the gallery' });
  await call('vault.lock');
};

/** A team's inbox without a database: it fares as told, and holds what the one of this machine holds. */
const answerTeam = (inbox) => async (app) => {
  const told = { ...teamInbox, since: Date.now(), ...inbox };
  await app.page.route('**/api/call', async (route) => {
    const { method, input } = route.request().postDataJSON();
    const answers = { 'team.list': { inboxes: [told] }, 'team.open': told };
    const store = input?.store === told.id ? 'local' : input?.store;
    if (answers[method] !== undefined) await route.fulfill({ json: { ok: true, value: answers[method] } });
    else await route.continue({ postData: JSON.stringify({ method, input: { ...input, store } }) });
  });
  await reload(app);
};
const teamInbox = {
  id: 'payments-team',
  name: 'Payments team',
  address: 'postgres://owner@db.payments.example:5432/webhooks',
  state: 'open',
  message: null,
  password: 'vault',
  user: 'owner',
  mayMark: true,
  unreadCount: 12,
};

/** In this order, over one data directory: each begins where the one before ended. */
export const states = [
  { id: 'empty', label: 'Empty', prepare: () => undefined },
  {
    id: 'loading',
    label: 'Loading',
    prepare: answerCalls((method) => (atBoot.includes(method) ? null : 'never')),
    end: answerAgain,
  },
  { id: 'full', label: 'Full', prepare: inTurn(fillApp, reload) },
  { id: 'dialog', label: 'Dialog', prepare: () => undefined },
  { id: 'team', label: 'A team’s inbox, live', prepare: answerTeam({}), end: answerAgain },
  {
    id: 'lost',
    label: 'A team’s inbox whose connection is lost',
    prepare: answerTeam({ state: 'lost', message: 'The server closed the connection.' }),
    // Without the team's inbox the view would go on to say that it is no more.
    end: inTurn((app) => openFirst(app, 'local'), answerAgain),
  },
  { id: 'odd', label: 'Very long, Arabic, emoji and reversed values', prepare: inTurn(fillOddly, reload) },
  {
    id: 'failing',
    label: 'Service gone',
    prepare: inTurn(({ call }) => call('sandbox.stop'), reload),
    end: ({ call }) => call('sandbox.start', { port: 0 }),
  },
  {
    id: 'disk',
    label: 'Disk error',
    prepare: answerCalls((method) => (besideDisk.includes(method) ? null : diskError)),
    end: answerAgain,
  },
  { id: 'locked', label: 'Vault locked', prepare: inTurn(sealVault, reload) },
];

const starter = [
  'Remittance to M-Pesa',
  'Remittance to bank',
  'Corporate remittance',
  'Payout that fails',
  'Payout at the rate limit',
  'Checkout',
  'Status by reference',
  'Status of a payout',
  'Balances of payout wallets',
];
const tenTabs = inTurn(...starter.map(openRequest), openRequest('Salary payout'));
const accepted = 'Accepted for processing';
/** The next string to sign is signed a moment after the answer is there. */
const seeSignature = ({ page }) => page.getByRole('button', { name: /^Copy signature/ }).waitFor();
const requests = open('requests');
const signedWrongly = async ({ page, call }) => {
  const body = `{
  "transaction": { "reference": "INV-2041", "amount": 1500, "service_code": "MPESA-B2C" },
  "originator": { "country": "KE" }
}`;
  await page.getByRole('textbox', { name: 'Body, exactly as it was sent' }).fill(body);
  const { signature } = await call('signing.sign', {
    environment: 'local',
    body: body.replace('1500', '1500.00'),
  });
  await page.getByRole('textbox', { name: 'Signature as received' }).fill(signature);
  await page.getByRole('region', { name: 'Verdict' }).getByRole('heading', { level: 2 }).first().waitFor();
};
const sandboxTab = (name, ...then) => inTurn(open('sandbox'), press(new RegExp(`^${name}`), 'tab'), ...then);
const bulkLookup = inTurn(
  open('lookups'),
  press('Many', 'radio'),
  fill(
    'Payments, one a line or CSV',
    'reference,product\nINV-2026-2001,payout\nINV-2026-2002,remittance\nINV-2026-2003,payout\nINV-0000,payout\n',
  ),
  press('Query all'),
  see('4 of 4'),
);
const selectEnvironment =
  (id) =>
  ({ call }) =>
    call('environments.select', { id });

/** Help has a menu in the rail in place of a link. */
const openHelp = (part, text) =>
  inTurn(async ({ page }) => {
    await page.evaluate((hash) => void (location.hash = hash), `#/help/${encodeURIComponent(part)}`);
  }, see(text));

/** What the pictures of a full app show: view, part of it, and the way there. */
const full = [
  ['requests', '', inTurn(requests, tenTabs, send(accepted), seeSignature)],
  ['requests', 'form', press('Form'), press('Form')],
  ['requests', 'wire', press('Wire', 'tab')],
  [
    'requests',
    'tree',
    async ({ page }) => {
      const parts = page.getByRole('tablist', { name: 'Parts of the response' });
      await parts.getByRole('tab', { name: 'Body' }).click();
      await page.getByRole('radio', { name: 'Tree' }).click({ force: true });
    },
  ],
  ['requests', 'headers', press(/^Headers/, 'tab')],
  ['requests', 'expect', press(/^Expect/, 'tab')],
  ['requests', 'refused', inTurn(openRequest('Payout that fails'), send(accepted))],
  ['requests', 'run', inTurn(chooseOfRequest('Payouts', 'Run'), see(/\d passed/))],
  ['inbox', '', inTurn(open('inbox'), choose('Webhooks'))],
  ['inbox', 'attempts', press(/^Attempts/, 'tab')],
  [
    'inbox',
    'compare',
    inTurn(async ({ page }) => {
      await page
        .getByRole('listbox', { name: 'Webhooks' })
        .getByRole('option')
        .nth(3)
        .click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Compare with the one on show' }).click();
    }),
  ],
  ['payments', '', inTurn(open('payments'), choose('Payments', 'PAY-2026-1002'))],
  ['payments', 'refused', choose('Payments', 'PAY-2026-1003')],
  [
    'lookups',
    '',
    inTurn(
      open('lookups'),
      choose('Payments sent lately', 'INV-2026-2019'),
      press('Query'),
      see('The payment succeeded'),
    ),
  ],
  ['lookups', 'bulk', bulkLookup, press('One', 'radio')],
  ['balances', '', inTurn(open('balances'), press('Read now'), press(/^KES/), see('When it changed'))],
  ['lab', '', inTurn(open('lab'), signedWrongly)],
  ['sandbox', '', sandboxTab('Requests', chooseRow('Requests', 'signature refused'))],
  ['sandbox', 'payments', sandboxTab('Payments', chooseRow('Payments of the sandbox'))],
  ['sandbox', 'deliveries', sandboxTab('Deliveries', chooseRow('Deliveries'))],
  ['sandbox', 'wallets', sandboxTab('Wallets', chooseRow('Wallets of the sandbox'))],
  ['sandbox', 'outcomes', sandboxTab('Outcomes')],
  ['sandbox', 'your-backend', sandboxTab('Your backend')],
  ['sandbox', 'behaviour', sandboxTab('Behaviour')],
  ['sandbox', 'report', sandboxTab('Go-live report', see('signature.sent'))],
  ['backend', '', inTurn(open('backend', 'proxy'), chooseRow('Exchanges', 'PAY-2026-1003'))],
  ['backend', 'receiver', inTurn(open('backend', 'receiver'), see('answered 500'))],
  ['backend', 'report', inTurn(open('backend', 'report'), see('signature.sent'))],
  ['keys', '', inTurn(open('keys'), choose('Keys and tokens', 'Sandbox 2026'))],
  ['keys', 'token', choose('Keys and tokens', 'payout')],
  ['keys', 'credentials', open('keys', 'credentials/data%2Fproduction')],
  ['keys', 'vault', choose('Keys and tokens', 'Vault')],
  ['keys', 'inspect', inTurn(press('New key'), press('Inspect any key', 'menuitem'))],
  ['history', '', inTurn(open('history'), choose('Exchanges'))],
  [
    'history',
    'compare',
    inTurn(key('c'), async ({ page }) => {
      await page.getByRole('listbox', { name: 'Exchanges' }).getByRole('option').nth(2).click();
      await page.getByRole('region', { name: 'Comparison' }).waitFor();
    }),
    press('Compare with none'),
  ],
  ['settings', '', open('settings')],
  [
    'settings',
    'found',
    fill('Search the settings', 'keep', 'searchbox'),
    fill('Search the settings', '', 'searchbox'),
  ],
  ['help', '', openHelp('welcome', 'Welcome to Countersign')],
  ['help', 'shortcuts', openHelp('shortcuts', 'Show all commands')],
  [
    'help',
    'taken',
    inTurn(press(/^Keys of Save:/), key('ControlOrMeta+k'), see('Take them away there first')),
  ],
  ['help', 'docs', openHelp('docs/sandbox', 'The whole payments service on your machine')],
  ['help', 'new', openHelp('new', 'What is new')],
  ['help', 'menu', press(/^Help/), escape],
  ['environments', '', inTurn(open('environments'), choose('Environments', 'production'))],
];

const curl =
  "curl -X POST 'https://api.example.com/v2/things?a=1' -H 'X-Api-Key: k-9876543' -d '{\"n\":1.50}'";
const dialogs = [
  ['requests', 'palette', inTurn(requests, key('ControlOrMeta+k'), type('pay'))],
  [
    'requests',
    'import',
    inTurn(requests, command('Import…'), fill('Paste a curl command', curl), see('1 request')),
  ],
  ['requests', 'export', inTurn(requests, command('Export the collection…'), see('Values of variables'))],
  ['requests', 'new', inTurn(requests, command('New request…'))],
  [
    'requests',
    'find',
    inTurn(
      requests,
      command('Find text in requests…'),
      fill('Text to find', 'baraka', 'searchbox'),
      see('Baraka'),
    ),
  ],
  ['requests', 'open-folder', inTurn(requests, command('Open a folder…'))],
  ['requests', 'collection', inTurn(requests, command('New collection…'))],
  ['requests', 'deleted', inTurn(requests, command('Deleted requests…'))],
  [
    'requests',
    'production',
    inTurn(
      requests,
      selectEnvironment('data/production'),
      openRequest('Salary payout'),
      press('Send'),
      see('Send to production'),
    ),
    inTurn(escape, selectEnvironment('local')),
  ],
  ['inbox', 'forward', inTurn(open('inbox'), press('Forward…'))],
  ['inbox', 'tunnel', inTurn(open('inbox'), press('Open a tunnel…'))],
  ['inbox', 'rules', inTurn(open('inbox'), press('Rules'))],
  ['inbox', 'answer', inTurn(open('inbox'), press('Change'))],
  ['inbox', 'team', inTurn(open('inbox'), press('More'), press('Add a team inbox…', 'menuitem'))],
  ['inbox', 'replay', inTurn(open('inbox'), choose('Webhooks'), press('Replay…'))],
  ['inbox', 'test', inTurn(open('inbox'), press('Send a test webhook…'))],
  ['inbox', 'palette', inTurn(open('inbox'), choose('Webhooks'), key('ControlOrMeta+k'), type('webhook'))],
  ['settings', 'backup', inTurn(open('settings'), press('Back up…'))],
  ['settings', 'restore', press('Restore…')],
  ['settings', 'move', press('Move…')],
  ['settings', 'reset', press('Reset…')],
  ['sandbox', 'clock', inTurn(open('sandbox'), press('Move…'))],
  ['sandbox', 'reset', inTurn(open('sandbox'), command('Reset sandbox…'))],
  ['sandbox', 'register-key', sandboxTab('Your backend', press('Register a key'))],
  ['backend', 'proxy', inTurn(open('backend', 'proxy'), press('Set up…'))],
  ['keys', 'generate', inTurn(open('keys'), press('New key'), press('Generate a key…', 'menuitem'))],
  ['keys', 'import', inTurn(open('keys'), press('New key'), press('Import a key…', 'menuitem'))],
  ['history', 'keep', inTurn(open('history'), press('What the history keeps'))],
  ['environments', 'new', inTurn(open('environments'), press('Add an environment'))],
];

/** Many a dialog is loaded when it is first asked for. */
const waitForDialog = ({ page }) =>
  page.getByRole('dialog').or(page.getByRole('alertdialog')).first().waitFor();
const ofDialogs = dialogs.map(([view, part, show, leave]) => [
  view,
  part,
  view === 'environments' ? show : inTurn(show, waitForDialog),
  leave,
]);

const openFirst = async (app, store) => {
  const { webhooks } = await app.call('inbox.list', {});
  await open('inbox', `${store}/${webhooks[0].id}`)(app);
};
const openTeam = async (app) => {
  await openFirst(app, teamInbox.id);
  await see('Payments team')(app);
};

const oddly = [
  ['requests', '', inTurn(requests, openRequest(/a request whose name/), press('Send'))],
  ['inbox', '', inTurn(open('inbox'), choose('Webhooks', 'مرجع'))],
  ['payments', '', inTurn(open('payments'), choose('Payments', 'مرجع'))],
  ['lookups', '', inTurn(open('lookups'), choose('Payments sent lately', 'مرجع'))],
  [
    'lab',
    '',
    inTurn(
      open('lab'),
      fill(
        'Body, exactly as it was sent',
        JSON.stringify(
          {
            transaction: { reference: odd, amount: 1500, service_code: 'MPESA' },
            originator: { country: 'KE' },
          },
          null,
          2,
        ),
      ),
      fill('Signature as received', 'AAAA'),
    ),
  ],
  ['sandbox', '', sandboxTab('Requests', chooseRow('Requests', 'مرجع'))],
  ['keys', '', inTurn(open('keys'), choose('Keys and tokens', 'مرجع'))],
  ['history', '', inTurn(open('history'), choose('Exchanges', 'مرجع'))],
  ['environments', '', inTurn(open('environments'), choose('Environments', 'a-team-name'))],
];

const failing = [
  ['requests', '', inTurn(requests, openRequest('Salary payout'), send('Cannot reach'))],
  ['inbox', '', open('inbox')],
  [
    'payments',
    '',
    async (app) => {
      await sendPayment(app, 'payout', 'INV-2026-3001').catch(() => undefined);
      await inTurn(open('payments'), choose('Payments'))(app);
    },
  ],
  [
    'lookups',
    '',
    inTurn(open('lookups'), choose('Payments sent lately', 'INV-2026'), press('Query'), see('reach')),
  ],
  ['balances', '', inTurn(open('balances'), press('Read now'), see('reach'))],
  ['sandbox', '', open('sandbox')],
  ['sandbox', 'report', sandboxTab('Go-live report')],
  ['backend', '', open('backend', 'proxy')],
  ['history', '', inTurn(open('history'), choose('Exchanges'))],
];

const locked = [
  ['requests', '', inTurn(requests, openRequest('Salary payout'))],
  ['requests', 'unlock', press('Send')],
  ['keys', '', open('keys')],
  ['lookups', '', inTurn(open('lookups'), choose('Payments sent lately', 'INV-2026'), press('Query'))],
  ['balances', '', inTurn(open('balances'), press('Read now'))],
];

const listShots = (state, rows, leaveAll) =>
  rows.map(([view, part, show, leave = leaveAll]) => ({ state, view, part, show, leave }));
const everyView = (state, show) =>
  listShots(
    state,
    views.map((view) => [view, '', show(view)]),
  );

/** Goes to a view that never loads. */
const openUnread =
  (view) =>
  async ({ page }) => {
    await page.evaluate((hash) => void (location.hash = hash), `#/${view}`);
    await page.waitForTimeout(500);
  };

/** The shell has read these already, or they ask for nothing. */
const readsNothing = new Set(['lab', 'environments']);

/** Goes to a view that says what could not be read. */
const openBroken = (view) => inTurn(open(view), readsNothing.has(view) ? () => undefined : see('EIO'));

/** Every picture, of all sizes and themes: state, view, part of the view, how to get there, and how to leave it. */
export const shots = [
  ...listShots('empty', [['help', 'first', see('Welcome to Countersign')]]),
  ...everyView('empty', (view) => open(view)),
  ...everyView('loading', openUnread),
  ...listShots('full', full),
  ...listShots('dialog', ofDialogs, escape),
  ...listShots('team', [['inbox', '', openTeam]]),
  ...listShots('lost', [['inbox', '', openTeam]]),
  ...listShots('odd', oddly),
  ...listShots('failing', failing),
  ...everyView('disk', openBroken),
  ...listShots('locked', locked, escape),
];
