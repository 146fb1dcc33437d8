import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:tls';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { readOrMakeCertificate } from '../../electron/listener/self-signed';
import { openVault } from '../support/open-services';
import { startCli, type RunningCommand } from '../support/run-cli';
import { makeTemporaryFolder } from '../support/temporary';

const started: RunningCommand[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((command) => command.stop()));
});

/** Starts `listen --https`, and gives the fingerprint that a client sees and what was said. */
async function listen(data: string): Promise<{ fingerprint: string; stderr: string }> {
  const command = startCli(['listen', '--https', '--json', '--port', '0', '--data', data]);
  started.push(command);
  const ready = await command.waitForLine((line) => line['event'] === 'ready');
  const fingerprint = await new Promise<string>((resolve, reject) => {
    const port = Number(new URL(ready['url'] as string).port);
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.end();
    }).once('error', reject);
  });
  await command.stop();
  return { fingerprint, stderr: command.readErrors() };
}
const readAll = (data: string): string =>
  readdirSync(data, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => readFileSync(join(data, name), 'latin1'))
    .join('\n');

it('listen --https keeps its private key sealed: one that stood in the clear is gone, the next run has the same', async () => {
  const data = makeTemporaryFolder('sealed-certificate');
  const { key, cert } = readOrMakeCertificate(null, null);
  writeFileSync(join(data, 'listener-certificate.pem'), cert + key);
  const first = await listen(data);
  expect(readAll(data)).not.toContain('PRIVATE KEY');
  expect(await listen(data)).toEqual({ ...first, stderr: '' });
});

it('listen --https keeps no private key where the vault is locked, and says so', async () => {
  const data = makeTemporaryFolder('locked-certificate');
  const vault = openVault(data);
  await vault.store.setPassphrase(null, 'a long passphrase');
  vault.close();
  const first = await listen(data);
  expect(first.stderr).toContain('kept in memory alone');
  expect(readAll(data)).not.toContain('PRIVATE KEY');
  expect((await listen(data)).fingerprint).not.toBe(first.fingerprint);
});
