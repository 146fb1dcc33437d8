import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './fixtures';

test('the vault is sealed by the real keyring, and its file holds no key material', async ({ app }) => {
  test.skip(
    !process.env['COUNTERSIGN_TEST_KEYRING'],
    'no Secret Service here (dbus-run-session and gnome-keyring-daemon)',
  );
  const status = await app.page.evaluate(async () => {
    const bridge = (
      window as unknown as { countersign: { call(m: string, i: unknown): Promise<{ value: unknown }> } }
    ).countersign;
    return (await bridge.call('vault.status', {})).value;
  });
  expect(status).toMatchObject({ state: 'unlocked', box: 'os_keychain', message: null });
  const file = readFileSync(join(app.dataDirectory, 'vault.json'), 'utf8');
  expect(file).not.toContain('PRIVATE KEY');
  expect(file.length).toBeGreaterThan(500);
});
