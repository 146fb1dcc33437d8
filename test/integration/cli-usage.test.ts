import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { commandList } from '../../electron/cli/command-list';
import { cliEntry } from '../support/run-cli';
import { runOnce, type CliResult } from './cli-once';
import { makeTemporaryFolder } from '../support/temporary';

const directory = makeTemporaryFolder('cli-usage');
const at = (name: string) => join(directory, name);
const commands = Object.keys(commandList);
const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

/** One clear line on stderr, nothing on stdout, no trace of our insides. */
function expectRefusal(result: CliResult, exitCode: number, code: string): void {
  if (result.stderr.startsWith('{')) {
    expect(result.stderr).toMatch(/^[^\n]+\n$/);
    expect(JSON.parse(result.stderr)).toMatchObject({ event: 'error', code, exit_code: exitCode });
  } else {
    expect(result.stderr).toMatch(/^countersign: [^\n]+ \([a-z]+\.[a-z_0-9]+\)\n$/);
    expect(result.stderr).toContain(`(${code})`);
  }
  expect(result.stderr).not.toMatch(/\n\s+at |node:internal|Error:/);
  expect(result.stdout).toBe('');
  expect(result.exitCode).toBe(exitCode);
}

beforeAll(() => {
  mkdirSync(at('data'));
  writeFileSync(at('file'), 'x');
  writeFileSync(at('body.json'), '{}');
  writeFileSync(at('list.txt'), 'R-1\n');
});

describe('help', () => {
  it('lists every command', async () => {
    const { stdout, exitCode } = await runOnce(['--help']);
    expect(exitCode).toBe(0);
    for (const command of commands) expect(stdout).toContain(`\n  ${command} `);
  });

  it.each(commands)('%s has its own', async (command) => {
    const { stdout, stderr, exitCode } = await runOnce([...command.split(' '), '--help']);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`Usage: countersign ${command}`);
    expect(stdout).toContain('--json');
  });

  it('tells the commands of a group', async () => {
    expect((await runOnce(['key', '--help'])).stdout).toContain('key generate');
  });

  it('tells the version', async () => {
    expect((await runOnce(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('wrong usage', () => {
  it.each([
    [[], 'Name a command'],
    [['frobnicate'], "'frobnicate'"],
    [['snadbox'], 'Did you mean countersign sandbox?'],
    [['help', 'snadbox'], 'Did you mean countersign sandbox?'],
    [['-v'], 'countersign --version'],
    [['version'], 'countersign --version'],
    [['run', 'test/fixtures', '--reporter', 'xml', '--sandbox'], '--reporter is one of'],
    [['key'], 'key generate'],
    [['sign', '--body', 'b'], '--key'],
    [['sign', '--kay', 'b'], '--kay'],
    [['sign', '--key'], '--key'],
    [['sign', '--key', '-', '--body', '-'], '--key and --body'],
    [['sign', '--json=1'], '--json'],
    [['sandbox', '--port', '70000'], '--port'],
    [['sandbox', '--port', '4o10'], '--port'],
    [['sandbox', '--retries', 'often'], '--retries'],
    [['sandbox', 'extra'], "'extra'"],
    [['listen', '--respond', '99'], '--respond'],
    [['inbox', 'show'], 'ID'],
    [['token', '--product', 'gold', '--base-url', 'http://x'], '--product'],
    [['token', '--product', 'payout', '--env', 'a', '--base-url', 'http://x'], '--env'],
    [['status', '--base-url', 'http://x'], '--reference'],
    [['status', '--reference', 'a', '--payment-uuid', '1', '--base-url', 'http://x'], '--reference'],
    [['balances', '--history', '--base-url', 'http://x'], '--data'],
    [['balances', '--around', 'R-1', '--base-url', 'http://x'], '--data'],
    [['report', '--since', 'yesterday'], '--since'],
    [
      ['update', 'set', 'https://x.test/latest.json', '--data', at('data')],
      'update set URL takes --public-key PEM',
    ],
    [['report', '--json', '--format', 'md'], '--json and --format md'],
    [['proxy'], '--to'],
    [['proxy', '--to', 'ftp://x'], '--to'],
    [['proxy', '--to', 'http://x/?a=1'], '--to'],
    [['check-receiver'], 'URL'],
    [['check-receiver', 'ftp://x'], 'URL'],
    [['check-receiver', 'http://127.0.0.1:1', '--scenario', 'sucess'], "'sucess'"],
    [['check-receiver', 'http://127.0.0.1:1', '--scenario', 'old-signature'], '--secret'],
    [['check-receiver', 'http://127.0.0.1:1', '--reporter', 'spec'], '--reporter'],
    [['trigger', '--callback-url', 'nowhere', '--base-url', 'http://x'], '--callback-url'],
    [['trigger', '--callback-url', 'http://x', '--amount', '1,5', '--base-url', 'http://x'], '--amount'],
    [['trigger', '--callback-url', 'http://x', '--metadata', '[1]', '--base-url', 'http://x'], '--metadata'],
  ])('%j is refused with a line that names the flag', async (args, named) => {
    const result = await runOnce(args);
    expectRefusal(result, 2, 'cli.usage');
    expect(result.stderr).toContain(named);
  });
});

describe('errors with --json', () => {
  it.each([
    [['frobnicate', '--json'], 2, 'cli.usage', "'frobnicate'"],
    [['--json', 'sign'], 2, 'cli.usage', 'countersign COMMAND --json'],
    [['sign', '--json', '--kay', 'b'], 2, 'cli.usage', '--kay'],
    [['inbox', 'list', '--json', '--data', at('nope')], 2, 'cli.no_data', at('nope')],
    [
      ['balances', '--json', '--product', 'payout', '--base-url', 'http://127.0.0.1:1'],
      3,
      'sending.unreachable',
      '127.0.0.1',
    ],
  ])('%j is one object on stderr', async (args, exitCode, code, said) => {
    const result = await runOnce(args, { env: { COUNTERSIGN_TOKEN: 'a.b.c' } });
    const told = JSON.parse(result.stderr) as Record<string, unknown>;
    expect(Object.keys(told)).toEqual(['event', 'code', 'message', 'exit_code', 'retryable', 'details']);
    expect(told).toMatchObject({ event: 'error', code, exit_code: exitCode });
    expect(told['message']).toContain(said);
    expect([result.exitCode, result.stdout, result.stderr.split('\n').length]).toEqual([exitCode, '', 2]);
  });

  it('what is said besides is an object, too', async () => {
    const { stderr, exitCode } = await runOnce([
      'inbox',
      'wait',
      '--reference',
      'R',
      '--within',
      '1s',
      '--data',
      at('new'),
      '--json',
    ]);
    const told = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(exitCode).toBe(3);
    expect(told).toMatchObject([
      { event: 'remark', message: expect.stringContaining(at('new')) },
      { event: 'error', code: 'cli.timed_out' },
    ]);
  });

  it('a method that is none makes no folder, and says where they are listed', async () => {
    const mistyped = await runOnce(['call', 'history.lst', '--data', at('unmade')]);
    expectRefusal(mistyped, 2, 'app.unknown_method');
    expect(mistyped.stderr).toMatch(/Did you mean history\.list\? countersign call --list/);
    expect(existsSync(at('unmade'))).toBe(false);
    const { json } = await runOnce(['call', '--list', '--json']);
    const listed = json.find(({ method }) => method === 'history.list');
    expect(listed).toMatchObject({ effect: 'read', input: { properties: { limit: {} } } });
  });

  it('what stands behind -- asks for no JSON', async () => {
    expectRefusal(await runOnce(['sign', '--', '--json']), 2, 'cli.usage');
    expect((await runOnce(['sign', '--', '--json'])).stderr).toMatch(/^countersign: /);
  });
});

describe('standard output that takes nothing', () => {
  it.runIf(existsSync('/dev/full')).each([['--help'], ['--version'], ['completion bash'], ['key generate']])(
    '%s says so, and ends with exit code 2',
    async (command) => {
      const full = openSync('/dev/full', 'w');
      const child = spawn(process.execPath, [cliEntry, ...command.split(' ')], {
        stdio: ['ignore', full, 'pipe'],
      });
      let stderr = '';
      child.stderr!.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
      const code = await new Promise((resolve) => child.once('close', resolve));
      closeSync(full);
      expect(code).toBe(2);
      expect(stderr).toContain('Cannot write to standard output: no space is left on its disk.');
    },
  );
});

describe.skipIf(process.platform === 'win32')('standard output that takes a part', () => {
  const shell = (script: string) =>
    spawnSync('bash', ['-c', script, 'bash', process.execPath, cliEntry], {
      encoding: 'utf8',
      env: { ...process.env, KEPT: at('kept.sh') },
    });

  it('says so where the last piece found no room, and ends with exit code 2', () => {
    const { status, stderr } = shell('ulimit -f 1; "$1" "$2" completion bash > "$KEPT"');
    expect(readFileSync(at('kept.sh'))).toHaveLength(1024);
    expect([status, stderr]).toEqual([
      2,
      'countersign: Cannot write to standard output: a file may not become that large. What stands there is not whole. (cli.unwritable_file)\n',
    ]);
  });

  it('has all of what found room behind what stood there', () => {
    const { stdout } = shell('"$1" "$2" completion bash');
    expect(shell('echo before > "$KEPT"; "$1" "$2" completion bash >> "$KEPT"').status).toBe(0);
    expect(readFileSync(at('kept.sh'), 'utf8')).toBe(`before\n${stdout}`);
  });

  it('ends as other programs do by whose reader left, without a word', () => {
    const script = '{ sleep 0.2; "$1" "$2" key generate 2>&3; echo $? >&2; } 3> "$KEPT" | true';
    expect(shell(script).stderr).toBe('141\n');
    expect(readFileSync(at('kept.sh'), 'utf8')).toMatch(/^RSA 2048[^\n]*\n$/);
  });

  it.runIf(existsSync('/dev/full'))('says nothing of what was not written where nothing was', () => {
    const { status, stderr } = shell('"$1" "$2" key inspect "$KEPT.none" > /dev/full');
    expect([status, stderr.split('\n').length]).toEqual([2, 2]);
  });
});

// Elsewhere nothing tells it from a file that takes all and keeps nothing.
it.runIf(process.platform === 'linux')('makes no private key where standard output is closed', () => {
  const run = (command: string) => spawnSync('sh', ['-c', command], { encoding: 'utf8' });
  const generate = `'${process.execPath}' '${cliEntry}' key generate`;
  const closed = run(`${generate} >&-`);
  expect([closed.status, closed.stderr]).toEqual([2, expect.stringContaining('Name a file with --out')]);
  expect(run(`${generate} --out '${at('closed.pem')}' >&-`).status).toBe(0);
  expect(run(`${generate} > /dev/null`).status).toBe(0);
});

describe('a file that cannot be written', () => {
  it.each([
    ['nope/key.pem', `there is no folder ${at('nope')}. Make it`],
    ['file/key.pem', 'a part of its path is a file'],
    ['data', `${at('data')} is a folder. Name a file in it.`],
    ['n'.repeat(300), 'the name is too long'],
  ])('%s is refused in words', async (name, said) => {
    for (const force of [[], ['--force']]) {
      const result = await runOnce(['key', 'generate', '--out', at(name), ...force]);
      expectRefusal(result, 2, 'cli.unwritable_file');
      expect(result.stderr).toContain(said);
    }
  });
});

describe('bad surroundings', () => {
  it.each([
    [['send', at('nope.http'), '--base-url', 'http://x'], 'cli.unreadable_file'],
    [['send', directory, '--base-url', 'http://x'], 'cli.unreadable_file'],
    [['inbox', 'list', '--data', at('nope')], 'cli.no_data'],
    [['status', '--reference', 'R', '--data', at('nope')], 'cli.no_data'],
    [['status', '--list', at('list.txt'), '--data', at('nope')], 'cli.no_data'],
    [['balances', '--product', 'payout', '--data', at('nope')], 'cli.no_data'],
    [['mcp', '--data', at('nope')], 'cli.no_data'],
    [['listen', '--port', '0', '--data', at('file')], 'platform.unwritable'],
    [['sandbox', '--port', '0', '--data', '/proc/nope/x'], 'platform.unwritable'],
    [['token', '--product', 'payout', '--env', 'nope', '--data', at('data')], 'environments.unknown'],
    [['token', '--product', 'payout', '--data', at('data')], 'environments.no_address'],
    [['token', '--product', 'payout', '--base-url', 'ftp://x'], 'environments.bad_url'],
    [['token', '--product', 'payout', '--base-url', 'http://127.0.0.1:1'], 'tokens.no_credentials'],
  ])('%j says what to do', async (args, code) => {
    expectRefusal(await runOnce(args), 2, code);
  });

  it('a list that is asked for without credentials is wrong usage, and says at each payment what is missing', async () => {
    const result = await runOnce(['status', '--list', at('list.txt'), '--base-url', 'http://127.0.0.1:1']);
    expect([result.exitCode, result.stdout]).toEqual([
      2,
      expect.stringContaining('COUNTERSIGN_CONSUMER_KEY'),
    ]);
  });

  it('a port in use is named', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const results = await Promise.all([
      runOnce(['sandbox', '--port', String(port)]),
      runOnce(['listen', '--port', String(port), '--data', at('listen')]),
    ]);
    server.close();
    expectRefusal(results[0], 2, 'sandbox.port_in_use');
    expectRefusal(results[1], 2, 'listener.port_in_use');
    for (const { stderr } of results) expect(stderr).toContain(String(port));
  });

  it('a service that is not there is exit code 3', async () => {
    const env = { COUNTERSIGN_TOKEN: 'a.b.c' };
    const args = ['balances', '--product', 'payout', '--base-url'];
    expectRefusal(await runOnce([...args, 'http://127.0.0.1:1'], { env }), 3, 'sending.unreachable');
    expectRefusal(await runOnce([...args, 'http://nowhere.invalid'], { env }), 3, 'sending.dns');
    const behind = await runOnce([...args, 'http://nowhere.invalid'], {
      env: { ...env, HTTPS_PROXY: 'http://127.0.0.1:1' },
    });
    expect(behind.stderr).toContain('HTTPS_PROXY is not followed');
  });

  it('balances that were never read are exit code 1', async () => {
    const data = ['--data', at('unread')];
    const unread = await runOnce(['balances', '--history', '--base-url', 'http://127.0.0.1:1', ...data]);
    expectRefusal(unread, 1, 'cli.not_found');
    expect(unread.stderr).toContain('No reading is kept of command line, http://127.0.0.1:1:');
  });

  it('a command that comes to no end says so', async () => {
    const endless =
      'data:text/javascript,' +
      encodeURIComponent(
        "Object.defineProperty(process, 'stdin', { get: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) }) });",
      );
    const env = { NODE_OPTIONS: `--import=${endless}` };
    const result = await runOnce(['webhook', 'sign', '--body', '-', '--secret', secret], { env });
    expectRefusal(result, 1, 'app.internal');
    expect(result.stderr).toContain('The command came to no end');
  });

  it('an answer that never comes is exit code 3', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const result = await runOnce(
      ['balances', '--product', 'payout', '--base-url', `http://127.0.0.1:${port}`, '--timeout-ms', '200'],
      { env: { COUNTERSIGN_TOKEN: 'a.b.c' } },
    );
    server.close();
    expectRefusal(result, 3, 'sending.timeout');
  });

  it('a plain server where TLS is expected is exit code 3', async () => {
    const server = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const result = await runOnce(
      ['balances', '--product', 'payout', '--base-url', `https://127.0.0.1:${port}`],
      {
        env: { COUNTERSIGN_TOKEN: 'a.b.c' },
      },
    );
    server.close();
    expectRefusal(result, 3, 'sending.tls');
  });

  it('a reader that leaves early ends the command quietly, with the exit code of a broken pipe', async () => {
    const child = spawn(process.execPath, [cliEntry, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect([code, stderr]).toEqual([141, '']);
  });
});
