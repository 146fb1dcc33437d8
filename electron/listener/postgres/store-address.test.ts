import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { findStorePassword, readStoreAddress, showStoreAddress } from './store-address';

const refusalOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    return (error as Error).message;
  }
  return 'not refused';
};

describe('the address of a store', () => {
  it('asks whoever is not on this machine to prove who it is', () => {
    const tlsOf = (text: string): string => readStoreAddress(text, {}).tls;
    expect(tlsOf('postgres://ann@127.0.0.1/inbox')).toBe('disable');
    expect(tlsOf('postgresql://ann@[::1]:5433/inbox')).toBe('disable');
    expect(tlsOf('postgres://ann@db.example/inbox')).toBe('verify-full');
    expect(tlsOf('postgres://ann@127.0.0.1.db.example/inbox')).toBe('verify-full');
    expect(tlsOf('postgres://ann@db.example/inbox?sslmode=require')).toBe('require');
    expect(showStoreAddress(readStoreAddress('postgres://a%40b@db.example/in%20box', {}))).toBe(
      'postgres://a%40b@db.example:5432/in%20box',
    );
  });

  it('is refused with a password in it, which is not repeated', () => {
    for (const text of ['postgres://ann:hunter2@db/inbox', 'postgres://ann@db/inbox?password=hunter2']) {
      const message = refusalOf(() => readStoreAddress(text, {}));
      expect(message).toMatch(/PGPASSWORD/);
      expect(message).not.toContain('hunter2');
    }
  });

  it.each([
    '',
    'inbox.db',
    'http://db/inbox',
    'postgres://ann@db/inbox?sslmode=prefer',
    'postgres://%zz@db/inbox',
    'postgres://ann@db/i?options=-c',
  ])('is refused as %j in one sentence', (text) =>
    expect(refusalOf(() => readStoreAddress(text, {}))).toMatch(/^[A-Za-z].*\.$/),
  );

  it('takes an issuer from a file of text, and waits for no pipe and reads no device without end', () => {
    const folder = makeTemporaryFolder('issuer');
    const name = (file: string): string => `postgres://ann@db.example/inbox?sslrootcert=${file}`;
    writeFileSync(join(folder, 'issuer.pem'), 'issuer');
    expect(readStoreAddress(name(join(folder, 'issuer.pem')), {}).rootCertificates).toBe('issuer');
    writeFileSync(join(folder, 'long.pem'), 'x'.repeat(1024 * 1024 + 1));
    const others = [join(folder, 'long.pem'), join(folder, 'missing.pem'), folder];
    if (process.platform !== 'win32') {
      execFileSync('mkfifo', [join(folder, 'pipe.pem')]);
      others.push(join(folder, 'pipe.pem'), '/dev/zero');
    }
    for (const file of others)
      expect(refusalOf(() => readStoreAddress(name(file), {}))).toMatch(/^The file of sslrootcert/);
  });
});

describe('its password', () => {
  const address = readStoreAddress('postgres://ann@db.example/in:box', {});
  const file = (text: string, mode = 0o600): Record<string, string> => {
    const path = join(makeTemporaryFolder('pgpass'), 'pgpass');
    writeFileSync(path, text);
    chmodSync(path, mode);
    return { PGPASSFILE: path };
  };

  it('comes from PGPASSWORD, else from the first line of the file that fits', () => {
    const lines =
      '# db.example:*:*:ann:no\nother:5432:*:ann:no\ndb.example:*:in\\:box:ann:p\\:w\\\\1\n*:*:*:*:last\n';
    expect(findStorePassword(address, file(lines))).toBe('p:w\\1');
    expect(findStorePassword(address, { ...file(lines), PGPASSWORD: 'given' })).toBe('given');
    expect(findStorePassword(address, file('db.example:5432:inbox:bob:no'))).toBeNull();
    expect(findStorePassword(address, file('*:*:*:*:ends\\'))).toBe('ends\\');
    expect(findStorePassword(address, { PGPASSFILE: '/nowhere' })).toBeNull();
  });

  it.skipIf(process.platform === 'win32')('is not taken from a file that others may read', () => {
    const open = file('*:*:*:*:secret', 0o640);
    const told = refusalOf(() => findStorePassword(address, open));
    expect(told).toContain(open['PGPASSFILE']);
    expect(told).toContain('chmod 600');
  });
});
