import { X509Certificate } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { readOrMakeCertificate } from '../listener/self-signed';
import type { CommandContext } from './command';
import { readNetwork, requireAdminToken } from './network-options';

const own = readOrMakeCertificate(null, null);
const files: Record<string, string> = {
  cert: own.cert,
  key: own.key,
  other: readOrMakeCertificate(null, null).key,
  empty: '',
};
const context = {
  readInput: (file: string) => Promise.resolve(Buffer.from(files[file]!)),
} as unknown as CommandContext;
const given = { host: '127.0.0.1', 'tls-cert': undefined, 'tls-key': undefined, 'allow-plain-http': false };
const read = (values: Partial<Record<keyof typeof given, string | boolean>>, ownTls: string | null = null) =>
  readNetwork(context, { ...given, ...values } as typeof given, ownTls);

test.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost'])('%s asks for nothing more', async (host) => {
  const network = await read({ host });
  expect(network).toEqual({ host, isExposed: false, tls: null });
  expect(() => requireAdminToken(network, undefined)).not.toThrow();
});

test.each(['0.0.0.0', '::', '10.0.0.5', '::ffff:10.0.0.5'])(
  '%s is refused without TLS or the explicit word',
  async (host) => {
    await expect(read({ host })).rejects.toMatchObject({
      code: 'cli.usage',
      message: expect.stringMatching(
        /opens this to the network: give --tls-cert and --tls-key, or --allow-plain-http/,
      ),
    });
    const plain = await read({ host, 'allow-plain-http': true });
    expect(plain.isExposed).toBe(true);
    for (const token of [undefined, '', 'short']) {
      expect(() => requireAdminToken(plain, token)).toThrow(/set its admin token.*COUNTERSIGN_ADMIN_TOKEN/);
    }
    expect(() => requireAdminToken(plain, 'sixteen-characters')).not.toThrow();
    expect((await read({ host, 'tls-cert': 'cert', 'tls-key': 'key' })).tls).toEqual({
      cert: own.cert,
      key: own.key,
    });
    expect((await read({ host }, '--https')).tls).toBeNull();
  },
);

test('what is no address, or no certificate with its key, is refused in words', async () => {
  await expect(read({ host: 'sandbox.example' })).rejects.toThrow(/--host takes an address of this machine/);
  await expect(read({ 'tls-cert': 'cert' })).rejects.toThrow(/go together/);
  await expect(read({ 'tls-cert': 'cert', 'tls-key': 'other' })).rejects.toThrow(/no certificate with its/);
  await expect(read({ 'tls-cert': 'cert', 'tls-key': 'empty' })).rejects.toThrow(
    '--tls-key: the file is empty.',
  );
  await expect(read({ 'tls-cert': 'empty', 'tls-key': 'key' })).rejects.toThrow(
    '--tls-cert: the file is empty.',
  );
  await expect(read({ 'tls-cert': 'cert', 'tls-key': 'key' }, '--https')).rejects.toThrow(/leave it out/);
});

test('a certificate that has expired, or does not count yet, is said to be, and served', async () => {
  const said: string[] = [];
  Object.assign(context, { say: (line: string) => said.push(line) });
  const values = { host: '0.0.0.0', 'tls-cert': 'cert', 'tls-key': 'key' };
  await read(values);
  expect(said).toEqual([]);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(new X509Certificate(own.cert).validTo) + 1000 });
  const { tls } = await read(values).finally(() => vi.useRealTimers());
  expect(tls).toEqual({ cert: own.cert, key: own.key });
  expect(said).toEqual([expect.stringMatching(/expired on \d{4}-\d\d-\d\d: .*start this again/)]);
  const tooEarly = Date.parse(new X509Certificate(own.cert).validFrom) - 86_400_000;
  vi.useFakeTimers({ toFake: ['Date'], now: tooEarly });
  await read(values).finally(() => vi.useRealTimers());
  expect(said).toEqual([said[0], expect.stringMatching(/begins to count on \d{4}-\d\d-\d\d: .* before\./)]);
});
