import { describe, expect, it } from 'vitest';
import type { AppError } from '@shared/errors';
import { checkServer, requireWritable, type StorePool } from './connect-postgres';
import { readOverCuts, toStoreError } from './store-errors';

describe('reading over connections that are cut', () => {
  const count = async (message: string, code?: string): Promise<number> => {
    let tries = 0;
    const read = (): Promise<never> => {
      tries += 1;
      return Promise.reject(Object.assign(new Error(message), { code }));
    };
    await expect(readOverCuts(read)).rejects.toThrow(message);
    return tries;
  };

  it('asks again where one that stood was ended, and not where none came to be in time', async () => {
    expect(await count('Connection terminated unexpectedly')).toBe(3);
    expect(await count('Connection terminated')).toBe(3);
    expect(await count('read', 'ECONNRESET')).toBe(3);
    expect(await count('Connection terminated due to connection timeout')).toBe(1);
    expect(await count('timeout exceeded when trying to connect')).toBe(1);
    expect(await count('connect', 'ECONNREFUSED')).toBe(1);
  });
});

describe('what is said of a store that cannot be used', () => {
  const write = ({ code, message }: AppError): string => `${code}: ${message}`;
  const tell = (code: string | undefined, message = 'words of the server'): string =>
    write(toStoreError(Object.assign(new Error(message), { code })));

  it.each([
    ['CERT_HAS_EXPIRED', /^store\.insecure: .*has expired\. Check this machine’s clock/],
    ['CERT_NOT_YET_VALID', /^store\.insecure: .*not valid yet\. Check this machine’s clock/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /^store\.insecure: .*another host name\. Name the store by that host/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /^store\.insecure: .*issuer not trusted here\. .*sslrootcert=FILE/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /^store\.insecure: .*self-signed\. .*sslrootcert=FILE/],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', /^store\.insecure: .*no version of TLS/],
    ['INVALID_PURPOSE', /^store\.insecure: .*not issued for a server/],
    ['UNSPECIFIED', /^store\.insecure: .*not accepted \(words of the server\)/],
    ['ECONNREFUSED', /^store\.unreachable: .*nothing listens there/],
    ['ENOTFOUND', /^store\.unreachable: .*host name is not known/],
    ['ECONNRESET', /^store\.unreachable: .*was ended from there/],
    ['57P03', /^store\.unreachable: .* Check that the server runs/],
    ['ABORT_ERR', /^store\.unreachable: /],
    [undefined, /^store\.unreachable: /],
    ['28P01', /^store\.refused: .*PGPASSWORD/],
    ['28000', /^store\.not_allowed: .*whatever the password: .*TLS.*pg_hba/],
    ['XX000', /^store\.failed: .*XX000/],
  ])('names its cause: %s', (code, said) => {
    expect(tell(code)).toMatch(said);
  });

  it.each([
    ['Query read timeout', /does not answer in time/],
    ['timeout exceeded when trying to connect', /does not answer in time/],
    ['Connection terminated due to connection timeout', /does not answer in time/],
    ['Connection terminated unexpectedly', /was ended from there\. .*is PostgreSQL/],
    ['words of the library', /^The store cannot be reached\. Check that the server runs/],
  ])('tells one that is silent from one that is none: %s', (message, said) => {
    expect(toStoreError(new Error(message)).message).toMatch(said);
  });

  it.each([
    ['42501', /^store\.not_allowed: .*GRANT CONNECT/],
    ['55000', /^store\.not_allowed: .*takes none at all now/],
    ['53300', /^store\.busy: .*no connection/],
  ])('tells a database that lets nobody in from one in which something is not allowed: %s', (code, said) => {
    const { code: told, message } = toStoreError(
      Object.assign(new Error('no'), { code, routine: 'CheckMyDatabase' }),
    );
    expect(`${told}: ${message}`).toMatch(said);
  });

  it.each([
    'LDAP authentication failed for user "ann"',
    'PAM-Authentifizierung für Benutzer »ann« fehlgeschlagen',
  ])('takes a password that another judges, and refuses, for a wrong one: %s', (message) => {
    const refused = Object.assign(new Error(message), { code: '28000', routine: 'auth_failed' });
    expect(toStoreError(refused)).toMatchObject({ code: 'store.refused', retryable: false });
    const shutOut = Object.assign(new Error('Peer authentication failed for user "ann"'), { code: '28000' });
    expect(toStoreError(shutOut).code).toBe('store.not_allowed');
  });

  it('tells one without TLS from one that is not who it says', () => {
    expect(tell(undefined, 'The server does not support SSL connections')).toMatch(
      /^store\.insecure: The store speaks no TLS\. .*sslmode=disable/,
    );
  });
});

it('says of a server whose answer has no version that it is none of PostgreSQL', async () => {
  for (const rows of [[], [{ version: '\u001b[31mNaN' }]]) {
    const pool = { query: () => Promise.resolve({ rows }) } as unknown as StorePool;
    await expect(checkServer(pool, false)).rejects.toThrow('what is no message of PostgreSQL');
  }
});

const server = { version: 150_000, is_standby: false, fsync: 'on', encoding: 'UTF8' };
const poolOf = (row: object): StorePool =>
  ({ query: () => Promise.resolve({ rows: [row] }) }) as unknown as StorePool;

it('says how far the clocks of a server and of this machine are apart, where it matters', async () => {
  const hourMs = 3_600_000;
  for (const apartMs of [-3 * hourMs, 48 * hourMs]) {
    const pool = poolOf({ ...server, now: Date.now() + apartMs });
    const [said] = (await checkServer(pool, true)).remarks;
    expect(said).toMatch(
      /^The clocks of this machine and of the store are (?:3 h 0 min|2 days|47 h 59 min) apart: /,
    );
    expect((await checkServer(pool, false)).remarks[0]).toContain('filters by age may be wrong');
  }
  expect((await checkServer(poolOf({ ...server, now: Date.now() - 20_000 }), true)).remarks).toEqual([]);
});

it('takes a server that became a standby for one that keeps nothing, though it answers', async () => {
  await expect(requireWritable(poolOf({ is_read_only: 'off' }))).resolves.toBeUndefined();
  const refused = await requireWritable(poolOf({ is_read_only: 'on' })).catch(toStoreError);
  expect(refused).toMatchObject({ code: 'store.unsupported', message: expect.stringContaining('read-only') });
});
