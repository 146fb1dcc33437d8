import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  payoutBlock,
  startCountingService,
  wrapEcho,
  type CountingService,
} from '../support/counting-service';
import { endWithTests, cliEntry, projectRoot } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';
import { runOnce } from './cli-once';

const token = 'opaque+token/of-the-run=';
let service: CountingService;
let folder: string;

beforeEach(async () => {
  service = await startCountingService();
  folder = makeTemporaryFolder('run');
});
afterEach(() => service.close());

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
const run = (...more: string[]) =>
  runOnce(['run', '.', '--base-url', service.url, '--json', ...more], {
    cwd: folder,
    env: { COUNTERSIGN_TOKEN: token },
  });
const results = (json: Record<string, unknown>[]) => json.filter(({ event }) => event === 'request');
const names = (json: Record<string, unknown>[], outcome: string) =>
  results(json)
    .filter((one) => one['outcome'] === outcome)
    .map(({ name }) => name);
const get = (name: string, ...lines: string[]) =>
  [`### ${name}`, ...lines.map((line) => `# @${line}`), `GET {{base_url}}/${name}`, '', ''].join('\n');

describe('run without a key or credentials', () => {
  const secrets = { COUNTERSIGN_CONSUMER_KEY: 'key-of-the-run', COUNTERSIGN_CONSUMER_SECRET: 'secret-of-it' };
  it.each([
    ['a key', secrets, /--key PEM/],
    ['credentials', {}, /COUNTERSIGN_CONSUMER_KEY/],
  ])('says once that %s is missing, with exit code 2, and sends nothing', async (what, env, words) => {
    const header =
      what === 'a key' ? 'X-Custom-Signature: {{signature}}' : 'Authorization: Bearer {{token.payout}}';
    const ask = `GET {{base_url}}/last\n${header}\n`;
    write({ 'a.http': `${get('first')}### one\n${ask}\n### two\n${ask}` });
    const { exitCode, stderr } = await runOnce(['run', '.', '--base-url', service.url], { cwd: folder, env });
    expect([exitCode, service.requests]).toEqual([2, []]);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(words);
  });
});

it('advises run by the names of its own options where the local sandbox is not known', async () => {
  write({ 'a.http': get('first') });
  const args = ['run', '.', '--env', 'local', '--data-directory', folder];
  const { exitCode, stderr } = await runOnce(args, { cwd: folder });
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/add --sandbox.*needs --data-directory DIR/);
});

it.each([
  [['--tag', 'smoke'], "There is no request with '# @tag smoke' in '.'"],
  [
    ['--tag', 'a', '--tag', 'b', '--grep', 'x'],
    "with '# @tag a' or '# @tag b' and 'x' in its name or path in '.'",
  ],
])('names what nothing has, for %j', async (options, words) => {
  write({ 'a.http': get('first') });
  const { exitCode, stderr } = await run(...options);
  expect([exitCode, service.requests]).toEqual([2, []]);
  expect(stderr).toContain(words);
});

describe('run --sandbox', () => {
  it('runs the starter collection offline, in one command, with every expectation held', async () => {
    const starter = join(projectRoot, 'resources', 'starter', 'Payments API');
    const { exitCode, json, stderr } = await runOnce(['run', starter, '--sandbox', '--json'], {
      cwd: folder,
    });
    expect(results(json).filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    expect(json.at(-1)).toMatchObject({ passed: 12, without_expectations: 0, exit_code: 0 });
    expect(json.at(-1)!['expectations']).toMatchObject({ failed: 0, unfinished: 0 });
    expect([exitCode, stderr.includes('12 passed')]).toEqual([0, true]);
    // What was accepted and failed later says so.
    const later = Object.fromEntries(results(json).map((one) => [one['name'], one['later']]));
    expect(later).toMatchObject({
      'Payout that fails': 'failed',
      'Salary payout': 'succeeded',
      'Send test webhook': 'received',
      Checkout: null,
    });
  });

  it('judges balances of each payment alone, and signatures', async () => {
    const starter = join(
      projectRoot,
      'resources',
      'starter',
      'Payments API',
      'Payouts',
      'Salary payout.http',
    );
    const text = readFileSync(starter, 'utf8').replace(/# @(?:expect|capture).*\n/g, '');
    const payout = (name: string, change: string) =>
      `### ${name}\n${text.replace(/# @name.*\n/, `# @expect balance changes by ${change} within 15s\n# @expect signature valid\n`)}\n`;
    write({ 'a.http': payout('one', '-1515') + payout('two', '-1515.00') + payout('three', '-1500') });
    const { exitCode, json } = await runOnce(['run', 'a.http', '--sandbox', '--json', '--grep', 'o'], {
      cwd: folder,
    });
    expect(names(json, 'passed')).toEqual(['one', 'two']);
    expect(exitCode).toBe(0);
  });
});

describe('run', () => {
  it('sends in the order of the tree, judges, and says 0 where all held', async () => {
    write({
      'collection.json': '{"order":["z","z/second.http"]}',
      'z/first.http': get('first', 'expect status 200'),
      'z/second.http': get('second', 'expect body path == /second'),
      'a/third.http': get('third', 'expect header content-type contains json'),
      'fourth.http': get('fourth'),
    });
    const { exitCode, json } = await run();
    expect(exitCode).toBe(0);
    expect(service.requests.map(({ path }) => path)).toEqual(['/second', '/first', '/third', '/fourth']);
    expect(json.at(-1)).toMatchObject({ event: 'summary', passed: 4, exit_code: 0, without_expectations: 1 });
    expect(results(json)[0]).toMatchObject({ folder: 'z', file: 'z/second.http', http_status: 200 });
  });

  it('says 1 where an expectation failed, with expected, received, place and advice', async () => {
    write({ 'a.http': get('a', 'expect status 201', 'expect body path == /b') });
    const { exitCode, json } = await run();
    expect(exitCode).toBe(1);
    const [first, second] = results(json)[0]!['expectations'] as Record<string, string>[];
    expect(first).toMatchObject({
      line: 2,
      outcome: 'failed',
      expected: 'status == 201',
      advice: expect.stringMatching(/\S/) as string,
    });
    expect(second).toMatchObject({ line: 3, received: '"/a"' });
    const plain = await runOnce(['run', 'a.http', '--base-url', service.url], { cwd: folder });
    expect(plain.stdout).toMatch(
      /✗ .*a.*\n {4}a\.http:2: status 201\n {6}expected status == 201\n {6}received 200/,
    );
    expect(plain.stdout).not.toContain('\x1b');
    expect(plain.stderr).toBe('');
  });

  it.each([
    [
      'a wrong expression',
      { 'ok.http': get('ok'), 'x/bad.http': get('bad', 'expect stauts 200') },
      /x\/bad\.http:2: .*stauts/,
    ],
    ['a wrong capture', { 'a.http': get('a', 'capture x body') }, /a\.http:2: .*capture/],
    [
      'a hostile pattern',
      { 'a.http': get('a', 'expect body path matches /(?=x)/') },
      /a\.http:2: .*Look-around/,
    ],
    ['a dependency on nobody', { 'a.http': get('a', 'depends-on b') }, /a\.http:2: .*No other request/],
    [
      'a variable that nobody gives',
      { 'ok.http': get('ok'), 'z.http': 'GET {{base_url}}/{{nothing}}\n' },
      /z\.http:1: .*\{\{nothing\}\}/,
    ],
    ['a file that is none', { 'a.http': 'hello world\n' }, /a\.http:1: /],
    ['nothing to run', { 'a.txt': '' }, /no request/],
  ])('refuses %s before anything is sent', async (_name, files, words) => {
    write(files);
    const { exitCode, stderr, stdout } = await run();
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(words);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
    expect(service.requests).toEqual([]);
  });

  it('says 3 where nobody answers, and 2 for wrong options', async () => {
    write({ 'a.http': get('a', 'expect status 200') });
    const closed = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => closed.once('listening', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const none = await runOnce(['run', '.', '--base-url', `http://127.0.0.1:${port}`], { cwd: folder });
    expect(none.exitCode).toBe(3);
    for (const more of [
      ['--reporter', 'xml'],
      ['--reporter', 'junit', '--reporter', 'tap'],
      ['--sandbox'],
      ['--data', 'no.csv'],
    ]) {
      const wrong = await runOnce(['run', '.', '--base-url', service.url, ...more], { cwd: folder });
      expect([more, wrong.exitCode]).toEqual([more, 2]);
    }
    expect(service.requests).toEqual([]);
  });

  it('lets fifty waits of 1.5 s overlap, and keeps the order of sending', async () => {
    const blocks = Array.from({ length: 50 }, (_, index) =>
      payoutBlock(
        `p${index}`,
        ['expect status 201', 'expect webhook within 10s status == SUCCESS'],
        `R-${index}`,
      ),
    );
    write({ 'a.http': blocks.join('') });
    service.answer = () => ({ webhookAfterMs: 1500 });
    const { exitCode, json } = await run();
    expect(exitCode).toBe(0);
    expect(service.references).toEqual(Array.from({ length: 50 }, (_, index) => `R-${index}`));
    // One after the other they would take 75 s; sending fifty takes a busy machine ten.
    expect(json.at(-1)!['duration_ms']).toBeLessThan(30_000);
    expect((results(json)[0]!['webhooks'] as unknown[]).length).toBe(1);
  });

  it('judges webhooks by reference: their count at the end of the window, their values at the first that fits', async () => {
    write({
      'a.http':
        payoutBlock('one', ['expect webhook within 1s [count == 1]', 'expect no webhook for 1s'], 'R-1') +
        payoutBlock(
          'two',
          ['expect webhook within 20s body amount == 1500.00', 'capture ref = webhook client_reference'],
          'R-2',
        ) +
        '### three\n# @expect body path == /R-2\nGET {{base_url}}/{{ref}}\n\n' +
        payoutBlock('refused', ['expect status 400', 'expect webhook within 60s'], 'R-3'),
    });
    service.answer = (reference) =>
      reference === 'R-3' ? { httpStatus: 400, body: { error: 'x', message: 'y' } } : {};
    const startedAt = performance.now();
    const { exitCode, json } = await run();
    expect(exitCode).toBe(1);
    expect(names(json, 'passed').sort()).toEqual(['three', 'two']);
    const one = results(json).find(({ name }) => name === 'one')!['expectations'] as Record<string, string>[];
    expect(one.map(({ outcome }) => outcome)).toEqual(['held', 'failed']);
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  });

  it('knows whose webhook it is and judges it, however long it is', async () => {
    const note = 'x'.repeat(2 * 1024 * 1024);
    write({
      'a.http': payoutBlock('long', ['expect webhook within 5s status == SUCCESS body note exists'], 'R-1'),
    });
    service.answer = () => ({ webhook: { note } });
    const { json } = await run();
    expect(names(json, 'passed')).toEqual(['long']);
  });

  it('asks for the state at most four times a second on this machine', async () => {
    write({
      'a.http': payoutBlock(
        'one',
        ['expect state within 3s == canceled', 'expect state within 3s != succeeded'],
        'R-1',
      ),
    });
    service.answer = () => ({ webhookAfterMs: null });
    const { json } = await run();
    expect(names(json, 'failed')).toEqual(['one']);
    const gaps = service.queries.slice(2).map(({ at }, index) => at - service.queries[index]!.at);
    expect(Math.min(...gaps, Infinity)).toBeGreaterThan(230);
  });

  it('takes @skip, @only, @tag, @depends-on, --grep, --bail and --iterations', async () => {
    write({
      'a.http':
        get('a', 'expect status 500') +
        get('b', 'depends-on a', 'tag x') +
        get('c', 'skip later') +
        get('d', 'tag x y'),
    });
    const all = await run();
    expect(names(all.json, 'skipped')).toEqual(['b', 'c']);
    expect(results(all.json).map(({ reason }) => reason)).toEqual([
      null,
      "depends on 'a', which did not pass",
      'later',
      null,
    ]);
    const tagged = await run('--tag', 'y', '--iterations', '2');
    expect(results(tagged.json).map(({ title }) => title)).toEqual(['d', 'd (2)']);
    expect(results((await run('--grep', 'B')).json).map(({ name }) => name)).toEqual(['a', 'b']);
    const bailed = await run('--bail');
    expect(results(bailed.json).map(({ name }) => name)).toEqual(['a']);
  });

  it('compares with an example that the app kept, or with a JSON file beside the request', async () => {
    const lines = ['expect same as example good ignoring echo', 'expect same as example plain ignoring echo'];
    write({
      'x/one.http': get('one', ...lines),
      'x/one.good.example.http': '# GET http://x/one\nHTTP/1.1 200 OK\nX: y\n\n{ "path": "/one", "echo": 1 }',
      'x/plain.example.json': '{"path": "/two", "echo": {}}',
    });
    const { json } = await run();
    const [good, plain] = results(json)[0]!['expectations'] as Record<string, string>[];
    expect(results(json)).toHaveLength(1);
    expect([good!['outcome'], plain!['outcome'], plain!['received']]).toEqual(['held', 'failed', '"/one"']);
  });

  it('never pays twice on --retry: what was taken is waited for, what may have been is asked for', async () => {
    write({
      'a.http':
        payoutBlock('taken', ['expect status 200'], 'R-taken') +
        payoutBlock('dropped', ['expect status 201'], 'R-dropped') +
        payoutBlock('limited', ['expect status 201'], 'R-limited') +
        payoutBlock('failing', ['expect status 201'], 'R-failing'),
    });
    service.answer = (reference, times) => {
      if (reference === 'R-dropped') return { isDropped: true };
      if (reference === 'R-limited' && times === 1)
        return { httpStatus: 429, body: { error: 'rate', message: 'x' } };
      return reference === 'R-failing' && times === 1 ? { httpStatus: 500, body: {} } : {};
    };
    const { json } = await run('--retry', '2');
    expect(service.references).toEqual([
      'R-taken',
      'R-dropped',
      'R-limited',
      'R-limited',
      'R-failing',
      'R-failing',
    ]);
    expect(service.queries.map(({ reference }) => reference)).toEqual(['R-dropped', 'R-failing']);
    expect(names(json, 'passed')).toEqual(['limited', 'failing']);
  });

  const waits = 'expect webhook within 60s';
  it.each<[string, string, string, ('SIGINT' | 'SIGTERM' | 'SIGHUP')?]>([
    ['waits', payoutBlock('one', [waits]) + get('two'), 'tests="2" failures="0" errors="1"'],
    [
      'has failed and waits',
      payoutBlock('one', [waits, 'expect status 299']) + get('two'),
      'tests="2" failures="1" errors="0"',
    ],
    ['is tried again', get('two', 'expect status 418'), 'tests="1" failures="1" errors="0"'],
    [
      'waits, and SIGTERM comes',
      payoutBlock('one', [waits]) + get('two'),
      'tests="2" failures="0" errors="1"',
      'SIGTERM',
    ],
    [
      'waits, and its terminal is closed',
      payoutBlock('one', [waits]) + get('two'),
      'tests="2" failures="0" errors="1"',
      'SIGHUP',
    ],
  ])(
    'says on Ctrl+C (130), SIGTERM (143) or SIGHUP (129) that it was ended where the last %s, and reports what ran',
    async (_what, text, counts, signal = 'SIGINT') => {
      write({ 'a.http': text });
      service.answer = () => ({ webhookAfterMs: null });
      const child = endWithTests(
        spawn(
          process.execPath,
          [
            cliEntry,
            'run',
            '.',
            '--base-url',
            service.url,
            '--reporter',
            'junit',
            '--out',
            'out',
            '--retry',
            '9',
          ],
          {
            cwd: folder,
            env: { ...process.env, COUNTERSIGN_TOKEN: token },
            stdio: ['ignore', 'ignore', 'pipe'],
          },
        ),
      );
      let said = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
      const exited = new Promise((resolve) => child.once('close', resolve));
      while (!service.requests.some(({ path }) => path === '/two'))
        await new Promise((resolve) => setTimeout(resolve, 50));
      child.kill(signal);
      expect(await exited).toBe({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal]);
      expect(said).toMatch(/^Ending with the request under way; once more ends it at once/);
      const junit = readFileSync(join(folder, 'out', 'junit.xml'), 'utf8');
      expect(junit).toContain(counts);
      expect(junit).toContain('<system-err>The run was ended while it waited; all was sent.</system-err>');
    },
  );

  it.each([
    ['--reporter', 'spec', '--reporter', 'junit'],
    ['--json', '--reporter', 'junit'],
  ])('goes on to its end and its true exit code though nobody reads %s any more', async (...reporters) => {
    write({ 'a.http': Array.from({ length: 60 }, (_, at) => get(`n${at}`, 'expect status 418')).join('') });
    const options = ['run', '.', '--base-url', service.url, '--out', 'out', '--delay', '20', ...reporters];
    const child = endWithTests(
      spawn(process.execPath, [cliEntry, ...options], {
        cwd: folder,
        env: { ...process.env, COUNTERSIGN_TOKEN: token },
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    );
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.stdout.once('data', () => child.stdout.destroy());
    expect(await exited).toBe(1);
    const junit = readFileSync(join(folder, 'out', 'junit.xml'), 'utf8');
    expect(junit).toMatch(/tests="60" failures="60" errors="0"/);
  });

  it('writes every report, none with a secret in it, whatever the answers hold', async () => {
    const hostile = 'end ]]> \u0007 <b>"x" \u202e';
    write({
      'a.http':
        `### ${hostile}\n# @expect body echo.authorization == nothing-like-it\n# @expect body wrapped == ${'w'.repeat(12)}\n# @expect body packed == ${'p'.repeat(12)}\n# @expect body echo.x-api-key == ${'k'.repeat(12)}\n# @capture api_key = header X-None\n# @capture kept_token = body echo.x-plain\nGET {{base_url}}/a\nAuthorization: Bearer {{token.payout}}\nX-Api-Key: {{api_secret}}\nX-Plain: captured-value-1\n\n` +
        '### again\n# @expect body echo.x-plain == {{kept_token}}\nGET {{base_url}}/b\nX-Plain: {{kept_token}}\n\n' +
        '### row\n# @expect body echo.x-row == no\n# @expect body echo.x-repeat == no\n# @expect same as example kept\nGET {{base_url}}/c\nX-Row: {{row.pin}}\nX-Repeat: body-secret-1\n\n{"password":"body-secret-1"}\n',
      'kept.example.json': '{"access_token":"example-secret-1"}',
      'rows.csv': 'pin,staff\nrow-secret-1,Joe\n',
    });
    const { exitCode, stdout, stderr } = await runOnce(
      [
        'run',
        '.',
        '--base-url',
        service.url,
        '--out',
        'out',
        '--var',
        'api_secret=very-secret-value',
        '--data',
        'rows.csv',
        ...['json', 'junit', 'html', 'tap', 'spec', 'github'].flatMap((name) => ['--reporter', name]),
      ],
      { cwd: folder, env: { COUNTERSIGN_TOKEN: token } },
    );
    expect(exitCode).toBe(1);
    expect(readdirSync(join(folder, 'out')).sort()).toEqual([
      'junit.xml',
      'report.html',
      'report.json',
      'report.tap',
      'resume.json',
    ]);
    const told = readdirSync(join(folder, 'out')).map((name) => [
      name,
      readFileSync(join(folder, 'out', name), 'utf8'),
    ]);
    const secrets = [
      token,
      'very-secret-value',
      'captured-value-1',
      'row-secret-1',
      'body-secret-1',
      'example-secret-1',
      ...Object.values(wrapEcho({ authorization: `Bearer ${token}` })).map((text) => text.slice(20, 50)),
    ];
    for (const [name, text] of [...told, ['terminal', stdout + stderr]]) {
      expect([name, secrets.filter((secret) => text!.includes(secret))]).toEqual([name, []]);
    }
    expect(stdout).toContain('row [Joe]');
    const junit = readFileSync(join(folder, 'out', 'junit.xml'), 'utf8');
    // eslint-disable-next-line no-control-regex -- what no XML document may hold
    expect(junit).not.toMatch(/[\x00-\x08\x0b\x0c\x0e-\x1f]|\]\]>/);
    expect(junit).toContain('end ]]&gt; \\u0007 &lt;b&gt;&quot;x&quot;');
    const html = readFileSync(join(folder, 'out', 'report.html'), 'utf8');
    expect(html).not.toMatch(/<b>"x"|src=|href=|url\(/);
  });
});
