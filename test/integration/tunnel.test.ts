import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isInstalled } from '../support/programs';
import { findFreePort } from '../support/free-port';
import { endWithTests, startCli, type RunningCommand } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';

const fake = resolve('test/support/fake-tunnel.mjs');
let data: string;
let command: RunningCommand | null = null;
beforeEach(() => void (data = makeTemporaryFolder('tunnel')));
afterEach(() => command?.stop());

type Line = Record<string, unknown>;
const tunnelLines = (): Line[] => command!.lines.filter(({ event }) => event === 'tunnel');
const waitForState = (state: string, count = 1): Promise<Line> =>
  command!
    .waitForLine(() => tunnelLines().filter((line) => line['state'] === state).length >= count)
    .then(() => tunnelLines().filter((line) => line['state'] === state)[count - 1]!);

function listen(tunnel: string, env: NodeJS.ProcessEnv = {}): RunningCommand {
  command = startCli(['listen', '--port', '0', '--data', data, '--json', '--tunnel', tunnel], { env });
  return command;
}
const runFake = (...args: string[]): RunningCommand =>
  listen(`cmd:"${process.execPath}" "${fake}" ${args.join(' ')}`);

/** Processes of the system whose command line holds a text. */
function findProcesses(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
      } catch {
        return false;
      }
    })
    .map(Number);
}
const ownFakes = (): number[] =>
  findProcesses(fake).filter((pid) => readEnvironment(pid).includes(`COUNTERSIGN_PORT=${port()}\0`));
const readEnvironment = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
};
const port = (): string => new URL(command!.lines[0]!['url'] as string).port;

it('gives the public address, keeps what comes through it, and never a probe', async () => {
  runFake('serve');
  const { url, reason } = await waitForState('connected');
  expect([new URL(url as string).hostname, reason]).toEqual(['localhost', null]);
  const { status } = await fetch(`${url as string}/hooks?x=1`, { method: 'POST', body: '{"n":1}' });
  expect(status).toBe(200);
  await command!.waitForLine(({ event }) => event === 'webhook');
  await new Promise((done) => setTimeout(done, 2500));
  expect(command!.lines.filter(({ event }) => event === 'webhook').map(({ path }) => path)).toEqual([
    '/hooks?x=1',
  ]);
  expect(tunnelLines()).toHaveLength(1);
});

it.each([
  ['die', /exit code 7/],
  ['hang', /does not answer/],
])('tells within five seconds that a program did %s, and brings the tunnel back', async (mode, why) => {
  runFake(mode, '1500');
  await waitForState('connected');
  const brokenAt = Date.now() + 1500;
  const down = await waitForState('disconnected');
  expect(Date.now() - brokenAt).toBeLessThan(5000);
  expect(down['reason']).toMatch(why);
  const downAt = Date.now();
  const up = await waitForState('connected', 2);
  expect(Date.now() - downAt).toBeLessThan(30_000);
  expect((await fetch(up['url'] as string)).status).toBe(200);
});

it('follows an address that changes', async () => {
  runFake('move', '1500');
  const first = await waitForState('connected');
  const second = await waitForState('connected', 2);
  expect(second['url']).not.toBe(first['url']);
});

it.skipIf(process.platform !== 'linux')('bounds what a program prints without end', async () => {
  runFake('flood');
  await waitForState('connected');
  await new Promise((done) => setTimeout(done, 2500));
  const memory = Number(
    /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${command!.child.pid}/status`, 'utf8'))![1],
  );
  expect(memory / 1024).toBeLessThan(150);
  expect(tunnelLines()).toHaveLength(1);
});

it.skipIf(process.platform !== 'linux').each(['SIGTERM', 'SIGKILL'] as const)(
  'ends the program and what it started with us, by %s, too',
  async (signal) => {
    runFake('leave');
    await waitForState('connected');
    expect(ownFakes().length).toBeGreaterThan(0);
    await command!.stop(signal);
    await expect.poll(ownFakes, { timeout: 20_000 }).toEqual([]);
  },
);

it('says in one line what is wrong with the way, or that its program is not there', async () => {
  const ends = async (tunnel: string, env?: NodeJS.ProcessEnv): Promise<string> => {
    await new Promise<void>((done) => listen(tunnel, env).child.once('close', () => done()));
    expect(command!.child.exitCode).toBe(2);
    return command!.readErrors();
  };
  expect(await ends('telnet:x')).toMatch(/^\{"event":"error",.*"A tunnel is ssh:HOST.*\}\n$/);
  expect(await ends('ssh:-oProxyCommand=touch')).toContain('A tunnel is ssh:HOST');
  expect(await ends('cloudflared', { PATH: data })).toMatch(
    /^\{"event":"error",.*"There is no cloudflared in the PATH.*\}\n$/,
  );
});

it.each([
  ['a password', 'https://me:s3cr3t-word@127.0.0.1:1/hooks'],
  ['a secret in its query', 'https://127.0.0.1:1/hooks?access_token=s3cr3t-word'],
])('uses no address that shows %s, says so and what to do, and prints it nowhere', async (_what, shown) => {
  listen(`cmd:echo "see ${shown}"; sleep 60`);
  const { reason, url } = await waitForState('disconnected');
  expect(reason).toMatch(/address with a user name or password.*have the program print the address without/);
  expect([url, command!.readOutput().includes('s3cr3t-word')]).toEqual([null, false]);
  await command!.stop();
  listen(`cmd:echo "cannot open ${shown}"; exit 3`);
  await waitForState('disconnected');
  expect(`${command!.readOutput()}${command!.readErrors()}`).not.toContain('s3cr3t-word');
});

/** An ngrok in the PATH that prints lines as ngrok does without `--log-format`, and goes on or ends. */
function makeNgrok(lines: readonly string[], end: string): NodeJS.ProcessEnv {
  const bin = makeTemporaryFolder('ngrok');
  writeFileSync(join(bin, 'lines'), `${lines.join('\n')}\n`);
  writeFileSync(join(bin, 'ngrok'), `#!/bin/sh\ncat '${join(bin, 'lines')}'\n${end}\n`, { mode: 0o755 });
  return { PATH: `${bin}:${process.env['PATH']}` };
}

describe.skipIf(process.platform === 'win32')('an ngrok without a tunnel', () => {
  const error = String.raw`The authtoken you specified does not look like a proper ngrok tunnel authtoken.\nYour authtoken: 1aaBB2ccDD3eeFF4gg\n\r\nERR_NGROK_105\r\n`;

  it('that ends says what to do, and shows no authtoken', async () => {
    listen(
      'ngrok',
      makeNgrok([`lvl=eror msg="failed to auth" obj=tunnels.session err="${error}"`], 'exit 1'),
    );
    const { reason, url } = await waitForState('disconnected');
    expect(reason).toMatch(
      /^The authtoken that ngrok was given is none: .*add-authtoken TOKEN \(ERR_NGROK_105\)\.$/,
    );
    expect([url, command!.readOutput().includes('1aaBB2')]).toEqual([null, false]);
  });

  it('that goes on trying says so at once, not after half a minute', async () => {
    const startedAt = Date.now();
    listen(
      'ngrok',
      makeNgrok(
        [
          '{"lvl":"eror","msg":"failed to reconnect session","obj":"csess","err":"dial tcp 203.0.113.5:443: i/o timeout"}',
        ],
        'exec sleep 60',
      ),
    );
    const { reason } = await waitForState('disconnected');
    expect(reason).toContain('ngrok does not reach its service (dial tcp 203.0.113.5:443: i/o timeout)');
    expect(Date.now() - startedAt).toBeLessThan(10_000);
  });
});

const sshd = ['/usr/sbin/sshd', '/usr/local/sbin/sshd'].find((file) => existsSync(file));
const missing =
  sshd === undefined
    ? "OpenSSH's server (openssh-server)"
    : (['ssh', 'ssh-keygen'].find((name) => !isInstalled(name)) ?? null);

describe.skipIf(missing !== null)(
  `through a real OpenSSH server${missing === null ? '' : `, which is missing: ${missing}`}`,
  () => {
    let server: ChildProcess;
    let folder: string;
    let env: NodeJS.ProcessEnv;

    /** A server of this user's own on loopback, and an `ssh` in PATH whose configuration leads to it. */
    beforeEach(async () => {
      folder = makeTemporaryFolder('sshd');
      const sshPort = await findFreePort();
      const path = (name: string): string => join(folder, name);
      for (const key of ['host', 'user']) {
        spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path(key)]);
      }
      writeFileSync(path('authorized'), readFileSync(path('user.pub')), { mode: 0o600 });
      writeFileSync(
        path('sshd_config'),
        `Port ${sshPort}\nListenAddress 127.0.0.1\nHostKey ${path('host')}\nAuthorizedKeysFile ${path('authorized')}\n` +
          `StrictModes no\nUsePAM no\nPasswordAuthentication no\nPermitRootLogin yes\nPidFile none\n`,
      );
      writeFileSync(
        path('ssh_config'),
        `Host public.test\n  HostName 127.0.0.1\n  Port ${sshPort}\n  User ${userInfo().username}\n  IdentityFile ${path('user')}\n` +
          `  IdentitiesOnly yes\n  UserKnownHostsFile ${path('known')}\n  StrictHostKeyChecking accept-new\n`,
      );
      mkdirSync(path('bin'));
      writeFileSync(path('bin/ssh'), `#!/bin/sh\nexec /usr/bin/ssh -F '${path('ssh_config')}' "$@"\n`);
      chmodSync(path('bin/ssh'), 0o755);
      env = { PATH: `${path('bin')}:${process.env['PATH']}` };
      // Where root runs it, it wants this folder.
      if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
      server = endWithTests(spawn(sshd!, ['-D', '-e', '-f', path('sshd_config')], { stdio: 'ignore' }));
    });
    afterEach(async () => {
      await command?.stop();
      server.kill();
    });

    it('takes webhooks, gives nothing else of this machine, comes back, and ends its ssh', async () => {
      const other = await findFreePort();
      listen('ssh:public.test', env);
      const { url } = await waitForState('connected');
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect(new URL(url as string).port).not.toBe(port());
      expect((await fetch(`${url as string}/hooks`, { method: 'POST', body: '{}' })).status).toBe(200);
      expect((await command!.waitForLine(({ event }) => event === 'webhook'))['path']).toBe('/hooks');
      // Asked for another port or an admin path, the tunnel leads to the listener alone.
      const admin = await fetch(`${url as string}/_sandbox/state`, {
        headers: { Host: `127.0.0.1:${other}` },
      });
      expect([admin.status, await admin.text()]).toEqual([200, '']);

      const clients = (): number[] =>
        findProcesses(`127.0.0.1:${port()}`).filter((pid) => pid !== command!.child.pid);
      const killedAt = Date.now();
      for (const pid of clients()) process.kill(pid, 'SIGKILL');
      await waitForState('disconnected');
      expect(Date.now() - killedAt).toBeLessThan(5000);
      await waitForState('connected', 2);
      await command!.stop('SIGTERM');
      expect(clients()).toEqual([]);
    });

    it('asks for the port that was named', async () => {
      const wanted = await findFreePort();
      listen(`ssh:public.test:${wanted}`, env);
      expect((await waitForState('connected'))['url']).toBe(`http://127.0.0.1:${wanted}`);
    });
  },
);
