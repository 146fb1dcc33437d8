import { execFileSync } from 'node:child_process';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runOnce } from './cli-once';

/** `send` with files as other clients write them, against two services that keep what reaches them. */
interface Received {
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const token = 'opaque+token/of-the-command=line';
const body =
  '{"transaction":{"reference":"R-1","amount":10.00,"service_code":"X"},"originator":{"country":"KE"}}';
let directory: string;
let home: { url: string; received: Received[]; server: Server };
let other: typeof home;

async function serve(): Promise<typeof home> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) });
      if (request.url === '/moved') response.writeHead(302, { Location: `${other.url}/there` });
      if (request.url === '/busy') response.writeHead(429, { 'Retry-After': '30' });
      const echo = request.headers.authorization ?? '';
      response.end(
        JSON.stringify({
          status: '200.100',
          code: 'ACCEPTED',
          echo,
          encoded: Buffer.from(`<${echo}>`).toString('base64'),
        }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, server };
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-send-'));
  mkdirSync(join(directory, 'collection', 'deep'), { recursive: true });
  writeFileSync(join(directory, 'collection', 'collection.json'), '{}');
  writeFileSync(join(directory, 'collection', 'bytes.bin'), Buffer.from([0, 255, 10, 13]));
  writeFileSync(join(directory, 'outside.bin'), 'not for sending');
  writeFileSync(
    join(directory, 'collection', 'dry.http'),
    `POST {{base_url}}/payments/v1/payouts\nAuthorization: Bearer {{token.payout}}\nX-Custom-Signature: {{signature}}\n\n${body}\n`,
  );
  [home, other] = await Promise.all([serve(), serve()]);
});
beforeEach(() => {
  home.received.length = 0;
  other.received.length = 0;
});
afterAll(() => {
  home.server.close();
  other.server.close();
  rmSync(directory, { recursive: true, force: true });
});

function send(text: string, ...more: string[]) {
  const file = join(directory, 'collection', 'deep', 'a.http');
  writeFileSync(file, text);
  return runOnce(['send', file, ...more, '--json'], { env: { COUNTERSIGN_TOKEN: token } });
}
const atHome = () => ['--base-url', home.url];

describe('of a folder that came by git', () => {
  const folder = (): string => join(directory, 'by-git');
  const write = (name: string, text: string): void => writeFileSync(join(folder(), name), text);
  beforeAll(() => {
    mkdirSync(folder());
    write('http-client.env.json', JSON.stringify({ team: { base_url: home.url, currency: 'KES' } }));
    const pay = (headers: string): string =>
      `POST {{base_url}}/payments/v1/payouts\nAuthorization: Bearer {{token.payout}}\nX-Custom-Signature: {{signature}}\n${headers}\n\n${body}\n`;
    write('a.http', pay('X-Api-Key: {{api_key}}\nX-Bank: {{bank}}\nX-Partner: {{vault.partner_secret}}'));
    write('b.http', pay('X-Branch: {{branch}}'));
  });
  const lacking = [
    /The vault has no 'partner_secret' for 'team'\. Give it to an environment of your own in the app \(Environments\)/,
    /No key signs for 'team' yet\. .* --key FILE takes one from a file\./,
    /No consumer key and secret are saved for 'team'\. .* set COUNTERSIGN_CONSUMER_KEY and COUNTERSIGN_CONSUMER_SECRET\./,
  ];
  const variables = [
    /\{\{api_key\}\}: keep it in an environment of yours/,
    /\{\{bank\}\}: .* with --var bank=VALUE/,
  ];
  const given = ['--var', 'api_key=k', '--var', 'bank=b'];

  it.each([
    ['send', ['send', 'a.http'], [...variables, ...lacking]],
    ['send, with its variables', ['send', 'a.http', ...given], lacking],
    [
      'run',
      ['run', 'a.http', 'b.http'],
      [...variables, /b\.http:1: Nobody gives \{\{branch\}\}/, ...lacking],
    ],
    ['run, with its variables', ['run', 'a.http', ...given], lacking],
  ])('%s says at once all that this machine lacks, and how each is given', async (_what, args, patterns) => {
    const where = [
      '--env',
      'team',
      args[0] === 'run' ? '--data-directory' : '--data',
      join(directory, 'data'),
    ];
    mkdirSync(join(directory, 'data'), { recursive: true });
    const { exitCode, stderr } = await runOnce([...args, ...where], { cwd: folder() });
    for (const pattern of patterns) expect(stderr).toMatch(pattern);
    expect([exitCode, home.received]).toEqual([2, []]);
  });
});
const isNowhere = () => expect([...home.received, ...other.received]).toEqual([]);

describe('what other clients call token, address and answer', () => {
  const foreign =
    'POST {{host}}/payments/v1/payouts\nAuthorization: Bearer {{access_token}}\nX-Id: {{login.response.body.$.id}}\n\n{}\n';
  const advice = [
    /base URL of the environment: write \{\{base_url\}\}/,
    /write \{\{token\.payout\}\} in its place/,
    /`# @capture id = body id` above the request 'login'/,
  ];

  it('is a note of a dry run, and said by send and run', async () => {
    const dry = await send(foreign, '--dry-run');
    const notes = dry.json[0]?.['notes'] as string[];
    for (const one of advice) expect(notes).toContainEqual(expect.stringMatching(one));
    expect(notes.slice(0, 3).map((note) => note.split(':')[0])).toEqual(['Line 1', 'Line 2', 'Line 3']);
    const sent = await send(foreign, ...atHome());
    const file = join(directory, 'foreign.http');
    writeFileSync(file, foreign);
    const ran = await runOnce(['run', file, ...atHome()]);
    for (const { exitCode, stderr } of [sent, ran]) {
      expect(exitCode).toBe(2);
      for (const one of advice) expect(stderr).toMatch(one);
    }
    expect(home.received).toEqual([]);
  });
});

describe('send --dry-run', () => {
  const text = `# @prompt ref\nPOST {{base_url}}/payments/v1/payouts?api_key=the-key-itself\nAuthorization: Bearer {{token.payout}}\nX-Custom-Signature: {{signature}}\nX-Auth-Token: typed-token-value\nX-Plain: {{nobody}}\n\n${body}\n`;

  it('prints what would go out, with secrets masked, and sends nothing', async () => {
    const { exitCode, json, stdout } = await send(text, ...atHome(), '--dry-run');
    expect(exitCode).toBe(0);
    expect(json[0]).toMatchObject({
      method: 'POST',
      body_base64: Buffer.from(body).toString('base64'),
      string_to_sign: 'R-110.00KEX',
      unresolved: ['nobody'],
      notes: [expect.stringMatching(/^Line 1: .*ask for values/)],
    });
    expect(json[0]!['url']).toMatch(`${home.url}/payments/v1/payouts?api_key=`);
    expect((json[0]!['headers'] as string[][]).map(([name]) => name)).toEqual([
      'Authorization',
      'X-Custom-Signature',
      'X-Auth-Token',
      'X-Plain',
    ]);
    expect(stdout).toContain('Bearer ••••••••');
    expect(stdout).not.toMatch(/the-key-itself|typed-token-value|token\.payout|\{\{signature/);
    isNowhere();
  });

  it('masks a secret that would be signed, too', async () => {
    const signed = body.replace('R-1', '{{api_key}}');
    expect(signed).not.toBe(body);
    const head = 'POST {{base_url}}/payments/v1/payouts\nX-Custom-Signature: {{signature}}';
    const { json, stdout, stderr } = await send(
      `@api_key = typed-key-value\n\n${head}\n\n${signed}\n`,
      ...atHome(),
      '--dry-run',
    );
    expect(json[0]!['string_to_sign']).toMatch(/10\.00KEX$/);
    expect(stdout + stderr).not.toContain('typed-key-value');
    isNowhere();
  });

  it('masks a secret in a file of the body', async () => {
    writeFileSync(join(directory, 'collection', 'secret.json'), '{"consumer_secret":"in-a-file-1","a":1.00}');
    const { json, exitCode } = await send('POST http://a\n\n< ../secret.json\n', '--dry-run');
    expect(exitCode).toBe(0);
    const shown = Buffer.from(String(json[0]!['body_base64']), 'base64').toString();
    expect(shown).toMatch(/^\{"consumer_secret":"[^"]+","a":1\.00\}$/);
    expect(shown).not.toContain('in-a-file-1');
  });

  it('asks for no token and no key, and names all that its contract names', async () => {
    const { json, exitCode } = await runOnce(
      ['send', join(directory, 'collection', 'dry.http'), ...atHome(), '--dry-run', '--json'],
      { env: {} },
    );
    expect(exitCode).toBe(0);
    expect(Object.keys(json[0]!)).toEqual(
      expect.arrayContaining([
        'method',
        'url',
        'headers',
        'body_base64',
        'string_to_sign',
        'unresolved',
        'notes',
      ]),
    );
    isNowhere();
  });

  it('needs no environment: what has no value is listed', async () => {
    const { exitCode, json } = await send(text, '--dry-run');
    expect(exitCode).toBe(0);
    expect(json[0]).toMatchObject({ unresolved: ['base_url', 'nobody'], string_to_sign: 'R-110.00KEX' });
  });

  it('shows a foreign host, and says that a send would refuse it', async () => {
    const { exitCode, json } = await send(text.replace('{{base_url}}', other.url), ...atHome(), '--dry-run');
    expect(exitCode).toBe(0);
    expect(json[0]!['url']).toContain(other.url);
    expect(JSON.stringify(json[0]!['notes'])).toContain(home.url);
    isNowhere();
  });

  it('chooses by --name, and reads files of the body', async () => {
    const two = 'GET http://a\n###\n# @name b\nPOST http://b\n\n< ../bytes.bin\n';
    const { json } = await send(two, '--name', 'b', '--dry-run');
    expect(json[0]).toMatchObject({ method: 'POST', body_base64: 'AP8KDQ==', string_to_sign: null });
    expect((await send(two, '--dry-run')).exitCode).toBe(2);
  });
});

describe('send', () => {
  const paying = (url: string, head = '') =>
    `${head}POST ${url}/payments/v1/payouts\nAuthorization: Bearer {{token.payout}}\n\n${body}\n`;

  it.each([
    ['an absolute address', () => paying(other.url)],
    ['a variable of the file', () => paying('{{host}}', `@host = ${other.url}\n`)],
    ['a header of another name', () => `GET ${other.url}/a\nX-Note: {{token.payout}}\n`],
    [
      'user and password before the host',
      () => `GET http://${new URL(home.url).host}@${new URL(other.url).host}/\nA: {{token.payout}}\n`,
    ],
  ])('keeps the token from a foreign host, by %s', async (_name, write) => {
    const { exitCode, stderr, stdout } = await send(write(), ...atHome());
    expect(exitCode).toBe(2);
    expect(stderr).toContain(home.url);
    expect(stderr).toContain(new URL(other.url).host);
    expect(stdout + stderr).not.toContain(token);
    isNowhere();
  });

  it('sends it there where that host is allowed', async () => {
    const { exitCode } = await send(paying(other.url), ...atHome(), '--allow-host', new URL(other.url).host);
    expect(exitCode).toBe(0);
    expect(other.received[0]!.headers.authorization).toBe(`Bearer ${token}`);
  });

  it('takes --base-url before the address that the file gives itself', async () => {
    const { exitCode } = await send(paying('{{base_url}}', `@base_url = ${other.url}\n`), ...atHome());
    expect(exitCode).toBe(0);
    expect(home.received).toHaveLength(1);
    expect(other.received).toEqual([]);
  });

  it.each([
    ['/moved', () => `It points to ${other.url}/there. Nothing was sent there.`],
    ['/busy', () => 'It asks to wait 30.0 s.'],
  ])('says of an answer what there is to know before the next send: %s', async (path, words) => {
    const file = join(directory, 'collection', 'deep', 'b.http');
    writeFileSync(file, `GET {{base_url}}${path}\nAuthorization: Bearer {{token.payout}}\n`);
    // A secret that is mounted as a file mostly ends in one.
    const env = { COUNTERSIGN_TOKEN: `${token}\n` };
    const { exitCode, stderr } = await runOnce(['send', file, ...atHome()], { env });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(words());
    expect(home.received[0]!.headers.authorization).toBe(`Bearer ${token}`);
    expect(other.received).toEqual([]);
  });

  it.each([
    ['/moved', true],
    ['/busy', false],
  ])('says of a payment that was answered and may have been taken to ask first: %s', async (path, isSaid) => {
    const file = join(directory, 'collection', 'deep', 'c.http');
    writeFileSync(
      file,
      `# @operation payout\n${paying('{{base_url}}').replace('/payments/v1/payouts', path)}`,
    );
    const { exitCode, stderr } = await runOnce(['send', file, ...atHome()], {
      env: { COUNTERSIGN_TOKEN: token },
    });
    expect(exitCode).toBe(1);
    expect(stderr.includes('It may have been processed: query its status before you send it again.')).toBe(
      isSaid,
    );
  });

  it('masks a token that the service echoes', async () => {
    const { stdout, stderr } = await send(paying('{{base_url}}'), ...atHome());
    const encoded = Buffer.from(`<Bearer ${token}>`).toString('base64');
    expect(home.received[0]!.headers.authorization).toBe(`Bearer ${token}`);
    expect(stdout + stderr).not.toContain(token);
    expect(stdout + stderr).not.toContain(encoded.slice(12, -8));
  });

  it('says what it does not do, on stderr or in notes', async () => {
    const text = '# @prompt x\nGET {{base_url}}/a HTTP/1.1\n  ?b=1\n\n?? status == 200\n';
    const { exitCode, json } = await send(text, ...atHome());
    expect(exitCode).toBe(0);
    expect(home.received[0]).toMatchObject({ url: '/a', body: Buffer.alloc(0) });
    expect(json[0]!['notes']).toEqual([
      expect.stringMatching(/^Line 1: /),
      expect.stringMatching(/^Line 3: .*not sent/),
      expect.stringMatching(/^Line 5: /),
    ]);
    const plain = await runOnce(['send', join(directory, 'collection', 'deep', 'a.http'), ...atHome()]);
    expect(plain.stderr).toMatch(/Line 1: [^\n]*\nLine 3: /);
  });

  it.each([
    ['a disabled request', '# @disabled\nGET {{base_url}}/a', /disabled/],
    ['a value of another client', 'GET {{base_url}}/{{$processEnv HOME}}', /processEnv/],
    ['a file outside the collection', 'POST {{base_url}}/a\n\n< ../../outside.bin\n', /outside/],
    ['a file of the system', 'POST {{base_url}}/a\n\n< /etc/hostname\n', /outside|no file/],
    [
      'variables in another file',
      'POST {{base_url}}/a\n\n<@ ../bytes.bin\n',
      /Variables inside another file/,
    ],
  ])('refuses %s', async (_name, text, words) => {
    const { exitCode, stderr } = await send(text, ...atHome());
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(words);
    isNowhere();
  });

  it('sends forms joined, and files as bytes between CR and LF', async () => {
    const form =
      'POST {{base_url}}/f\nContent-Type: application/x-www-form-urlencoded\n\na=1\n&b=2&\nc=3\n\n';
    await send(form, ...atHome());
    expect(home.received[0]!.body.toString()).toBe('a=1&b=2&c=3');
    const multipart =
      'POST {{base_url}}/m\nContent-Type: multipart/form-data; boundary=B\n\n--B\nContent-Disposition: form-data; name="f"\n\n< ../bytes.bin\n--B--\n';
    await send(multipart, ...atHome());
    expect(home.received[1]!.body).toEqual(
      Buffer.concat([
        Buffer.from('--B\r\nContent-Disposition: form-data; name="f"\r\n\r\n'),
        Buffer.from([0, 255, 10, 13]),
        Buffer.from('\r\n--B--'),
      ]),
    );
  });
});

/** The app's own folder of a home of its own. */
function makeUsual(): { data: string; usual: string } {
  const data = mkdtempSync(join(directory, 'data-'));
  const isMac = process.platform === 'darwin';
  return { data, usual: join(data, isMac ? 'Library/Application Support/Countersign' : 'countersign') };
}

it.skipIf(process.platform === 'win32')(
  'waits for no settings that are a pipe',
  async () => {
    const { data, usual } = makeUsual();
    mkdirSync(usual, { recursive: true });
    execFileSync('mkfifo', [join(usual, 'settings.json')]);
    const file = join(directory, 'collection', 'piped.http');
    writeFileSync(file, 'GET {{base_url}}/x\n');
    const env = { XDG_DATA_HOME: data, HOME: data };
    const { exitCode } = await runOnce(['send', file, '--base-url', 'http://127.0.0.1:9'], { env });
    expect(exitCode).toBe(3);
  },
  20_000,
);

it('asks before it sends to an address that the app knows as production, though with --base-url nothing else of it counts', async () => {
  const { data, usual } = makeUsual();
  const live = { name: 'live', kind: 'production', baseUrl: 'https://127.0.0.1:9' };
  const input = JSON.stringify(live);
  const env = { XDG_DATA_HOME: data, HOME: data, APPDATA: data, COUNTERSIGN_TOKEN: token };
  const saved = await runOnce(['call', 'environments.save', '--data', usual], { input });
  expect(saved.exitCode).toBe(0);
  const file = join(directory, 'collection', 'live.http');
  writeFileSync(file, 'GET {{base_url}}/x\nAuthorization: Bearer {{token.payout}}\n');
  for (const command of ['send', 'run']) {
    const result = await runOnce([command, file, '--base-url', live.baseUrl], { env });
    expect([result.exitCode, result.stderr]).toEqual([2, expect.stringContaining('(cli.not_confirmed)')]);
    const named = await runOnce([command, file, '--base-url', live.baseUrl, '--production', 'live'], { env });
    expect(named.exitCode).toBe(3);
    const other = ['--base-url', live.baseUrl, command === 'run' ? '--data-directory' : '--data', data];
    expect((await runOnce([command, file, ...other], { env })).exitCode).toBe(2);
  }
});

it('takes an environment of another folder for none of production because the own one has one of its name', async () => {
  const { data, usual } = makeUsual();
  const save = (folder: string, given: object) =>
    runOnce(['call', 'environments.save', '--data', folder], {
      input: JSON.stringify({ name: 'uat', ...given }),
    });
  mkdirSync(usual, { recursive: true });
  await save(usual, { kind: 'production', baseUrl: 'https://live.example.test' });
  const folder = mkdtempSync(join(directory, 'other-'));
  await save(folder, { kind: 'sandbox', baseUrl: home.url });
  const file = join(folder, 'a.http');
  writeFileSync(file, 'GET {{base_url}}/x\n');
  const env = { XDG_DATA_HOME: data, HOME: data, APPDATA: data };
  const { stderr } = await runOnce(['send', file, '--env', 'uat', '--data', folder], { env });
  expect([stderr, home.received]).toEqual([expect.not.stringContaining('production'), [expect.anything()]]);
});

it('asks, too, where an environment of the collection is marked as production, which the app has not open now', async () => {
  const { data, usual } = makeUsual();
  const env = { XDG_DATA_HOME: data, HOME: data, APPDATA: data, COUNTERSIGN_TOKEN: token };
  const call = async (method: string, given: object): Promise<Record<string, never>> => {
    const { stdout } = await runOnce(['call', method, '--data', usual], { input: JSON.stringify(given) });
    return JSON.parse(stdout) as Record<string, never>;
  };
  const shared = mkdtempSync(join(directory, 'shared-'));
  const baseUrl = 'https://127.0.0.1:9';
  writeFileSync(join(shared, 'http-client.env.json'), JSON.stringify({ shop: { base_url: baseUrl } }));
  const file = join(shared, 'a.http');
  writeFileSync(file, 'GET {{base_url}}/x\n');
  const { id } = await call('collections.open', { directory: shared });
  await call('environments.save', { id: `${String(id)}/shop`, name: 'shop', kind: 'production', baseUrl });
  await call('collections.close', { collectionId: id });
  const { exitCode, stderr } = await runOnce(['send', file, '--base-url', baseUrl], { env });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("'shop'")]);
});
