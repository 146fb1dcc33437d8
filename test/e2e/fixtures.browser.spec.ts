import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, startApp, test } from './fixtures';

/** Command lines of what runs; Linux alone tells them by files. */
function listCommands(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return '';
      }
    });
}

test('an app whose browser cannot be started is ended', async () => {
  test.skip(process.platform !== 'linux', 'reads /proc');
  const dataDirectory = mkdtempSync(join(tmpdir(), 'countersign-e2e-'));
  const chromium = process.env['COUNTERSIGN_TEST_CHROMIUM'];
  process.env['COUNTERSIGN_TEST_CHROMIUM'] = join(dataDirectory, 'no-browser');
  try {
    await expect(startApp('web', dataDirectory)).rejects.toThrow();
  } finally {
    process.env['COUNTERSIGN_TEST_CHROMIUM'] = chromium ?? '';
  }
  expect(listCommands().filter((command) => command.includes(dataDirectory))).toEqual([]);
  rmSync(dataDirectory, { recursive: true, force: true });
});
