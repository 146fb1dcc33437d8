import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One call of a command. */
export interface Row {
  /** Words with blanks between; `D/` is the prepared folder, the words of {@link places} what they say. */
  args: string;
  input?: string;
  env?: Record<string, string>;
  /** Secrets that it is there to print, or that nobody told it. */
  gives?: string[];
  /** It goes on until it is stopped. */
  goesOn?: true;
}

/** What the rows are written with: a prepared folder, planted secrets, servers that are under way. */
export interface Scene {
  folder: string;
  urls: Record<'service' | 'sandbox' | 'listener' | 'proxy', string>;
  given: Readonly<Record<'adminToken' | 'envSecret' | 'envToken' | 'misplaced' | 'storePassword', string>>;
  passphrase: string;
  webhookSecret: string;
}

/** Stand for a new folder, and for two webhooks of the inbox. */
export const places = ['FRESH', 'ID', 'OTHER'] as const;

/** What every command is called with; a new command needs its rows here. */
export function listCommandRows(scene: Scene): Record<string, Row[]> {
  return {
    ...listServers(scene),
    ...listInbox(scene),
    ...listKeys(scene),
    ...listService(scene),
    ...listRest(scene),
  };
}

const data = '--data D/data';
const bySecret = ({ webhookSecret }: Scene) => ({ COUNTERSIGN_WEBHOOK_SECRET: webhookSecret });
const byAdminToken = ({ given }: Scene) => ({ COUNTERSIGN_ADMIN_TOKEN: given.adminToken });

function listServers(scene: Scene): Record<string, Row[]> {
  const { given, webhookSecret, urls } = scene;
  const misplaced = `http://amina:${given.misplaced}@127.0.0.1:1/`;
  const store = `--store postgres://amina:${given.storePassword}@127.0.0.1:1/countersign`;
  return {
    app: [
      { args: '--no-open --port 0 --data FRESH', goesOn: true },
      { args: misplaced },
      { args: `--port ${misplaced} --json` },
    ],
    sandbox: [
      { args: '--port 0 --log --consumer-secret x --admin-token x', goesOn: true },
      { args: `--port 0 --host 0.0.0.0 --admin-token ${given.adminToken}` },
    ],
    'sandbox snapshot': [
      { args: 'save D/out/snapshot.json --data D/sandbox' },
      { args: `save D/out/running.json --base-url ${urls.sandbox}`, env: byAdminToken(scene) },
      { args: `save D/out/none.json --base-url ${urls.service}`, env: byAdminToken(scene) },
      { args: `load D/misplaced.txt --base-url ${urls.sandbox}`, env: byAdminToken(scene) },
    ],
    listen: [
      { args: `--port 0 --data FRESH --secret ${webhookSecret}`, goesOn: true },
      { args: `--port 0 --data FRESH --secret whsec_${given.misplaced}%` },
      { args: `--port 0 ${store}`, env: bySecret(scene) },
      { args: '--port 0 --store postgres://amina@127.0.0.1:1/c', env: { PGPASSWORD: given.storePassword } },
      { args: `--port 0 --data FRESH --forward-to ${misplaced}` },
      { args: '--port 0 --data FRESH --tls-cert D/public.pem --tls-key D/private.pem' },
    ],
    proxy: [
      { args: `--to ${misplaced} ${data}` },
      { args: `--to ${urls.proxy} --public-key D/broken.pem --data FRESH` },
    ],
    // The secrets of the vault are not those of the backend behind it: it masks what the backend sends.
    'proxy export': ['', '--format har '].map((format) => ({
      args: `${format}${data}`,
      gives: ['variable of the vault'],
    })),
    report: ['md', 'html'].flatMap((format) =>
      [data, '--data D/sandbox'].map((of) => ({ args: `--format ${format} ${of}` })),
    ),
    mcp: [{ args: `${data} --allow-send`, env: byAdminToken(scene), input: listAgentCalls(scene) }],
    'check-receiver': [
      { args: `${urls.service} --scenario success --scenario wrong-signature`, env: bySecret(scene) },
      { args: `${urls.service} --scenario success --state-url ${urls.service}`, env: bySecret(scene) },
      { args: `${urls.listener} --scenario success --reporter html`, env: bySecret(scene) },
      { args: `${misplaced} --scenario success --secret ${given.misplaced}` },
    ],
  };
}

function listInbox(scene: Scene): Record<string, Row[]> {
  const { given, urls } = scene;
  return {
    'inbox list': [
      { args: data },
      { args: `--search R-sweep ${data}` },
      { args: `--store postgres://amina:${given.storePassword}@127.0.0.1:1/c` },
      { args: '--store postgres://amina@127.0.0.1:1/c', env: { PGPASSWORD: given.storePassword } },
    ],
    'inbox show': [{ args: `ID ${data}` }, { args: `ID ${data}`, env: bySecret(scene) }],
    'inbox export': ['jsonl', 'har', 'curl', 'http'].map((format) => ({
      args: `--format ${format} ${data}`,
    })),
    'inbox wait': [{ args: `--reference R-sweep --within 1s ${data}` }],
    'inbox compare': [{ args: `ID OTHER ${data}` }],
    'inbox mark': [{ args: `ID --note seen ${data}` }],
    'inbox replay': [
      { args: `ID --to ${urls.service} ${data}` },
      { args: `ID --to ${urls.service} --resign ${data}`, env: bySecret(scene) },
      { args: `ID --to ${urls.service} --resign --secret whsec_${given.misplaced}% ${data}` },
      { args: `ID --to http://amina:${given.misplaced}@127.0.0.1:1/ ${data}` },
    ],
    'webhook sign': [
      { args: '--body D/body.json', env: bySecret(scene) },
      { args: `--body D/body.json --secret ${given.misplaced}` },
    ],
    'webhook verify': [
      { args: '--body D/body.json --id a --timestamp 1 --signature v1,AAAA', env: bySecret(scene) },
      {
        args: `--body D/body.json --id a --timestamp 1 --signature ${scene.webhookSecret} --secret ${given.misplaced}`,
      },
    ],
  };
}

function listKeys({ given, passphrase }: Scene): Record<string, Row[]> {
  const signature = `--body D/body.json --signature ${given.misplaced}`;
  return {
    'key generate': [{ args: '--out D/made.pem --encrypt', env: { COUNTERSIGN_KEY_PASSPHRASE: passphrase } }],
    'key inspect': [
      { args: 'D/private.pem' },
      { args: 'D/broken.pem', env: { COUNTERSIGN_KEY_PASSPHRASE: passphrase } },
      { args: 'D/misplaced.txt' },
    ],
    'key convert': [
      { args: 'D/private.pem --to pkcs8-encrypted', env: { COUNTERSIGN_NEW_KEY_PASSPHRASE: passphrase } },
      { args: 'D/private.pem --to pkcs1', gives: ['private key'] },
      { args: 'D/broken.pem --to pkcs1' },
    ],
    'key public': [{ args: 'D/private.pem' }, { args: 'D/broken.pem' }],
    sign: [
      { args: '--key D/private.pem --body D/body.json' },
      { args: '--key D/broken.pem --body D/body.json' },
      { args: '--key D/misplaced.txt --body D/misplaced.txt' },
    ],
    verify: [
      { args: `--public-key D/public.pem ${signature}` },
      { args: `--public-key D/private.pem ${signature}` },
    ],
    doctor: [
      { args: `--public-key D/public.pem --body D/body.json --signature-file D/private.pem ${data}` },
      { args: `--public-key D/broken.pem ${signature}` },
    ],
  };
}

function listService({ given, urls }: Scene): Record<string, Row[]> {
  const uat = `--env uat ${data}`;
  const byCredentials = { COUNTERSIGN_CONSUMER_KEY: 'ck_env', COUNTERSIGN_CONSUMER_SECRET: given.envSecret };
  const byToken = { COUNTERSIGN_TOKEN: given.envToken };
  const address = `--base-url ${urls.service}`;
  const withUser = `--base-url ${urls.service.replace('//', `//amina:${given.misplaced}@`)}`;
  const typed = `--var api_secret=${given.misplaced}`;
  // Without a folder there is no vault that could tell what it holds.
  const gives = ['consumer secret of the vault', 'variable of the vault', 'token of the service'];
  const run = 'D/collection --env uat --data-directory D/data';
  return {
    token: [
      { args: `--product payout ${uat}`, gives: ['token of the service'] },
      { args: `--product payout --env proxied ${data}` },
      { args: `--product payout ${address}`, env: byToken, gives: ['token by environment'] },
      { args: '--product payout --base-url http://127.0.0.1:1', env: byCredentials },
      { args: `--product payout ${withUser}`, env: byCredentials },
    ],
    send: [
      { args: `D/collection/payout.http ${uat}` },
      { args: `D/collection/payout.http ${uat} --dry-run` },
      { args: `D/collection/payout.http --env proxied ${data} --key D/private.pem ${typed}` },
      { args: `D/collection/payout.http ${address} --key D/private.pem ${typed}`, env: byToken, gives },
      { args: `D/collection/payout.http ${address} --dry-run ${typed}`, env: byToken },
      { args: `D/collection/payout.http ${withUser} ${typed}`, env: byToken },
      { args: `D/collection/payout.http ${address} --key D/broken.pem`, env: byCredentials },
    ],
    run: [
      { args: run },
      { args: `${run} --reporter github` },
      { args: `${run} --reporter json --reporter junit --reporter html --reporter tap --out FRESH` },
      { args: `D/collection ${address} --key D/private.pem ${typed}`, env: byToken, gives },
    ],
    status: [
      { args: `--reference R-sweep ${uat}` },
      { args: `--list D/refs.csv --csv --per-second 50 ${uat}` },
      { args: `--reference R-sweep ${address}`, env: byToken, gives },
      { args: `--reference R-sweep --env proxied ${data}` },
    ],
    balances: [
      { args: uat },
      { args: `--history ${uat}` },
      { args: `--around R-sweep ${uat}` },
      { args: address, env: byToken, gives },
    ],
    trigger: [
      { args: `--callback-url ${urls.listener}/x?api_key=${given.misplaced} ${uat}` },
      { args: `--callback-url ${urls.listener} ${address}`, env: byToken, gives },
    ],
    journey: [{ args: `R-sweep ${data}` }, { args: `R-sweep --format html ${data}` }],
  };
}

function listRest({ given }: Scene): Record<string, Row[]> {
  const asked = (method: string, input: object | string = {}): Row => ({
    args: `${method} ${data}`,
    input: typeof input === 'string' ? input : JSON.stringify(input),
  });
  const listed = [
    'history',
    'journey',
    'environments',
    'credentials',
    'tokens',
    'keys',
    'inbox',
    'proxy',
  ].map((area) => `${area}.list`);
  const misplacedUrl = `https://amina:${given.misplaced}@127.0.0.1:1/latest.json`;
  return {
    import: [
      { args: 'auto D/curl.txt --into D/imported' },
      { args: `curl D/curl.txt --into D/imported-sealed ${data}` },
      { args: 'postman D/misplaced.txt --into D/imported' },
    ],
    export: [
      ...['curl', 'postman', 'openapi', 'har'].map((format) => ({ args: `D/collection --format ${format}` })),
      { args: 'D/collection --format httpyac --out FRESH' },
    ],
    data: [
      { args: `show ${data}` },
      { args: `backup D/out/backup.tar.gz ${data}` },
      { args: 'restore D/misplaced.txt --data FRESH' },
    ],
    settings: [
      { args: `export - ${data}` },
      { args: `export D/out/settings.json ${data}` },
      { args: `import D/misplaced.txt ${data}` },
    ],
    update: [{ args: `set ${misplacedUrl} --public-key D/public.pem ${data}` }, { args: `check ${data}` }],
    call: [
      {
        args: data,
        input: listed.map((method, id) => `${JSON.stringify({ id, method, input: {} })}\n`).join(''),
      },
      asked('credentials.save', {
        environment: 'nowhere',
        consumerKey: 'ck',
        consumerSecret: given.misplaced,
      }),
      asked('history.list', `{"limit":"${given.misplaced}"`),
    ],
    completion: [{ args: 'bash' }],
  };
}

/** What an agent asks, a line each, as it goes over standard input. */
function listAgentCalls({ folder, given }: Scene): string {
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const tools: [string, object][] = [
    ['explain_signature', { public_key: read('private.pem'), body: '{}', signature: given.misplaced }],
    ['string_to_sign', { body: read('body.json') }],
    ['sandbox_state', {}],
    ['list_webhooks', {}],
    ['read_journey', { reference: 'R-sweep' }],
    ['payment_status', { reference: 'R-sweep' }],
    ['send_request', { file: join(folder, 'collection', 'payout.http') }],
    ['run_collection', { path: join(folder, 'collection') }],
    ['golive_report', {}],
  ];
  const about = { capabilities: {}, clientInfo: { name: 'sweep', version: '1' } };
  const first = { method: 'initialize', params: { protocolVersion: '2025-03-26', ...about } };
  const calls = tools.map(([name, input]) => ({ method: 'tools/call', params: { name, arguments: input } }));
  return [first, ...calls].map((call, id) => `${JSON.stringify({ jsonrpc: '2.0', id, ...call })}\n`).join('');
}
