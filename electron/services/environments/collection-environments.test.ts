import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readCollectionEnvironments } from './collection-environments';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-environments-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const write = (file: string, content: object): void =>
  writeFileSync(join(directory, file), JSON.stringify(content, null, 1));

it('have what is nested by the names that httpYac reaches it by; settings of other clients are no values', () => {
  write('http-client.env.json', {
    $shared: { wallet: { id: 'w', 'in.KES': { limit: 10 } } },
    dev: {
      accounts: [{ name: 'a' }, 'b', [true]],
      empty: {},
      none: null,
      SSLConfiguration: { verifyHostCertificate: false },
      Security: { Auth: { own: { 'Client Secret': 'word' } } },
    },
  });
  const { environments, shared, faults } = readCollectionEnvironments(directory);
  expect(environments.get('dev')).toEqual({
    'wallet.id': 'w',
    'wallet.in.KES.limit': '10',
    'accounts[0].name': 'a',
    'accounts[1]': 'b',
    'accounts[2][0]': 'true',
  });
  expect(shared).toEqual({ 'wallet.id': 'w', 'wallet.in.KES.limit': '10' });
  expect(faults).toEqual([]);
});

it('have nothing that lies within a secret, and say so', () => {
  write('http-client.env.json', {
    dev: { secret_key: { payout: 'word' }, token_url: 'u', plain: { api_key: 'x' } },
  });
  write('http-client.private.env.json', {
    dev: { token_parts: { a: 'word' }, wallet: { pin: '1', id: 'w' } },
  });
  const { environments, privateNames, faults } = readCollectionEnvironments(directory);
  expect(environments.get('dev')).toEqual({ token_url: 'u', 'plain.api_key': 'x', 'wallet.id': 'w' });
  expect(privateNames.get('dev')).toEqual(['wallet.id']);
  expect(faults.map(({ message }) => message.split('. ')[0])).toEqual([
    "No secret is taken from http-client.env.json: secret_key.payout of 'dev'",
    "No secret is taken from http-client.private.env.json: token_parts.a of 'dev', wallet.pin of 'dev'",
  ]);
});

it('that iCloud took from the disk are missed, and said to be there', () => {
  writeFileSync(join(directory, '.http-client.private.env.json.icloud'), 'bplist00');
  expect(readCollectionEnvironments(directory).faults.map(({ message }) => message)).toContainEqual(
    expect.stringContaining('http-client.private.env.json is in iCloud and not on this disk: download it.'),
  );
});
