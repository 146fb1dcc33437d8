import type * as processes from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { planTunnel, type TunnelChoice } from './tunnel-kinds';
import { startTunnelProcess } from './tunnel-process';

const called = vi.hoisted(() => ({ spawned: [] as unknown[][], killed: [] as unknown[], isKilled: true }));
vi.mock('node:child_process', async (original) => {
  const real = await original<typeof processes>();
  return {
    ...real,
    spawn: (...given: unknown[]) => {
      called.spawned.push(given);
      return real.spawn(process.execPath, ['-e', 'setTimeout(() => 0, 60_000)'], { stdio: 'pipe' });
    },
    spawnSync: (program: string, args: string[]) => {
      called.killed.push([program, ...args]);
      if (called.isKilled) process.kill(Number(args[1]), 'SIGKILL');
      return { status: called.isKilled ? 0 : 1 };
    },
  };
});

const programs = makeTemporaryFolder('programs');
writeFileSync(join(programs, 'ngrok.CMD'), '');
writeFileSync(join(programs, 'cloudflared.CMD'), '');
writeFileSync(join(programs, 'cloudflared.exe'), '');

const target = { port: 4020, isHttps: false };
const start = (choice: TunnelChoice): ReturnType<typeof startTunnelProcess> =>
  startTunnelProcess(planTunnel(choice, target, ''), target, () => undefined);

beforeEach(() => {
  vi.stubEnv('PATH', programs);
  vi.stubEnv('PATHEXT', '.COM;.EXE;.BAT;.CMD');
  vi.stubGlobal('process', { ...process, platform: 'win32' });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  Object.assign(called, { spawned: [], killed: [], isKilled: true });
});

it('starts by the shell what npm has installed, which nothing else starts', async () => {
  for (const kind of ['ngrok', 'cloudflared'] as const) await start({ kind }).stop();
  expect(called.spawned).toEqual([
    ['ngrok', expect.any(Array), expect.objectContaining({ shell: true })],
    ['cloudflared', expect.any(Array), expect.objectContaining({ shell: false })],
  ]);
});

it.each([true, false])('ends what a shell has started with it, once (%s)', async (isKilled) => {
  called.isKilled = isKilled;
  const tunnel = start({ kind: 'cmd', command: 'tunnel.cmd' });
  await tunnel.stop();
  expect(await tunnel.ended).toContain(isKilled ? 'SIGKILL' : 'SIGTERM');
  tunnel.kill();
  expect(called.killed).toEqual([['taskkill', '/pid', String(tunnel.pid), '/t', '/f']]);
});
