import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/temporary';
import { createLaunchFile } from './launch-file';
import { openWindow } from './open-window';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** A browser that writes down what it was started with. */
function plantBrowser(): { folder: string; readStart(): string } {
  const folder = makeTemporaryFolder('browser');
  const script = `#!/bin/sh\n{ echo "$@"; env; } > "${join(folder, 'start')}"\n`;
  for (const name of ['chromium', 'xdg-open']) writeFileSync(join(folder, name), script, { mode: 0o755 });
  return { folder, readStart: () => readFileSync(join(folder, 'start'), 'utf8') };
}

/** Whether a process does anything still; one that ended may wait for somebody to take note. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe.runIf(process.platform === 'linux')('openWindow', () => {
  it('gives the browser neither the launch token nor what our environment holds', async () => {
    const { folder, readStart } = plantBrowser();
    vi.stubEnv('DISPLAY', ':99');
    vi.stubEnv('PATH', `${folder}${delimiter}/usr/bin${delimiter}/bin`);
    vi.stubEnv('CHROME_PATH', join(folder, 'chromium'));
    vi.stubEnv('COUNTERSIGN_CONSUMER_SECRET', 'secret-of-ours');
    vi.stubEnv('COUNTERSIGN_TOKEN', 'token-of-ours');
    vi.stubEnv('PGPASSWORD', 'password-of-ours');
    const launchFile = createLaunchFile(folder);
    launchFile.offer('http://127.0.0.1:1/launch?token=once');
    expect((await openWindow(launchFile.url, join(folder, 'profile'))).kind).not.toBe('none');
    expect(readStart()).toContain(launchFile.url);
    expect(readStart()).not.toMatch(/token=once|COUNTERSIGN_|of-ours/);
    launchFile.remove();
    expect(() => readFileSync(join(folder, 'launch.html'))).toThrow();
  });

  it('closes the window that it opened, and what that started', async () => {
    const folder = makeTemporaryFolder('window');
    const file = join(folder, 'pids');
    const script = `#!/bin/sh\nsleep 60 &\necho "$$ $!" > "${file}"\nwait\n`;
    writeFileSync(join(folder, 'chromium'), script, { mode: 0o755 });
    vi.stubEnv('DISPLAY', ':99');
    vi.stubEnv('CHROME_PATH', join(folder, 'chromium'));
    vi.spyOn(process, 'getuid').mockReturnValue(1000);
    const window = await openWindow('http://127.0.0.1:1/', folder);
    if (window.kind !== 'app_window') throw new Error(window.kind);
    const pids = readFileSync(file, 'utf8').trim().split(' ').map(Number);
    window.close();
    await vi.waitFor(() => {
      expect(pids.filter(isRunning)).toEqual([]);
    });
  });
});
