import { readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startCli, type RunningCommand } from '../support/run-cli';
import { runOnce } from './cli-once';
import { makeTemporaryFolder } from '../support/temporary';

const started: RunningCommand[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((command) => command.stop()));
});

const sandboxArgs = (data: string): string[] => ['sandbox', '--port', '0', '--json', '--data', data];
async function start(args: string[]): Promise<{ command: RunningCommand; ready: Record<string, unknown> }> {
  const command = startCli(args);
  started.push(command);
  return { command, ready: await command.waitForLine((line) => line['event'] === 'ready') };
}

describe('one folder', () => {
  it('has one sandbox: the second is told where the first is, and spends nothing', async () => {
    const data = makeTemporaryFolder('one-sandbox');
    const { ready } = await start(sandboxArgs(data));
    const second = await runOnce(sandboxArgs(data));
    expect(second.exitCode).toBe(2);
    expect(second.stdout).toBe('');
    expect(second.stderr).toContain(ready['base_url'] as string);
    expect(second.stderr).toContain('"sandbox.folder_in_use"');
  });

  it('has one sandbox where somebody took its lock file away, too, and one that reads beside it', async () => {
    const data = makeTemporaryFolder('no-lock-file');
    const { command, ready } = await start(sandboxArgs(data));
    rmSync(join(data, 'sandbox.lock'));
    const second = await runOnce(sandboxArgs(data));
    expect([second.exitCode, second.stdout]).toEqual([2, '']);
    expect(second.stderr).toContain(ready['base_url'] as string);
    expect((await runOnce(['report', '--json', '--data', data])).exitCode).toBe(0);
    await command.stop('SIGKILL');
    expect((await start(sandboxArgs(data))).ready).toMatchObject({ event: 'ready' });
  });

  it('is free again after its sandbox was killed, and after it ended', async () => {
    const data = makeTemporaryFolder('killed-sandbox');
    const { command } = await start(sandboxArgs(data));
    await command.stop('SIGKILL');
    const next = await start(sandboxArgs(data));
    await next.command.stop();
    expect((await start(sandboxArgs(data))).ready).toMatchObject({ event: 'ready' });
  });

  it('has one forwarder, whoever tidied the locks away', async () => {
    const data = makeTemporaryFolder('no-forward-lock');
    const args = ['listen', '--port', '0', '--json', '--forward-to', 'http://127.0.0.1:9/', '--data', data];
    await start(args);
    const { dev, ino } = statSync(data);
    const second = join(tmpdir(), `countersign-${process.getuid!()}`, `forwarding-${dev}-${ino}.lock`);
    for (const lock of [join(data, 'forwarding.lock'), second]) {
      rmSync(lock);
      expect((await runOnce(args)).stderr).toContain('"listener.forwarding_in_use"');
    }
  });

  it('has one app: the second is told where, and how to open a window of the first', async () => {
    const data = makeTemporaryFolder('one-app');
    const args = ['app', '--no-open', '--json', '--port', '0', '--data', data];
    const { ready } = await start(args);
    const { origin, href } = new URL(ready['url'] as string);
    for (const isTidied of [false, true]) {
      if (isTidied) rmSync(join(data, 'app.lock'));
      const second = await runOnce(args);
      expect(second.exitCode).toBe(2);
      expect(second.stderr).toContain(origin);
      expect(second.stderr).not.toContain('token=');
    }
    const page = join(data, 'launch.html');
    expect(statSync(page).mode & 0o777).toBe(0o600);
    expect(readFileSync(page, 'utf8')).toContain(`url=${href}`);
  });

  it('loses none of twenty environments that commands write at once', async () => {
    const data = makeTemporaryFolder('many-writers');
    const names = Array.from({ length: 20 }, (_, index) => `environment-${index}`);
    const results = await Promise.all(
      names.map((name) => {
        const input = JSON.stringify({ name, kind: 'sandbox', baseUrl: 'https://x.test' });
        return runOnce(['call', 'environments.save', '--data', data], { input });
      }),
    );
    expect(results.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(names.map(() => [0, '']));
    const settings = JSON.parse(readFileSync(join(data, 'settings.json'), 'utf8')) as {
      environments: { data: { name: string }[] };
    };
    expect(settings.environments.data.map(({ name }) => name).sort()).toEqual([...names].sort());
  });
});
