import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/temporary';
import { openStorePool } from './connect-postgres';
import { readStoreAddress } from './store-address';

it('takes the password for each connection from the file as it is by then', async () => {
  const file = join(makeTemporaryFolder('pgpass'), 'pgpass');
  const write = (text: string): void => writeFileSync(file, text, { mode: 0o600 });
  write('*:*:*:*:one');
  const address = readStoreAddress('postgres://me@localhost:5/inbox', {});
  const wish = { applicationName: 'test', most: 1, statementMs: 1000 };
  const pool = openStorePool(address, { PGPASSFILE: file }, wish);
  const ask = pool.options.password as () => string;
  expect(ask()).toBe('one');
  write('*:*:*:*:two');
  expect(ask()).toBe('two');
  write('');
  expect(ask).toThrow(/asks for a password/);
  await pool.end();
});
