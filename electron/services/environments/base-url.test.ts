import { expect, it } from 'vitest';
import type { AppError } from '@shared/errors';
import { createHttpClient } from '../../platform/http/http-client';
import { readBaseUrl, requireSandbox } from './base-url';

const withSecrets = [
  'http://amina:S3cretPassw0rd@127.0.0.1:1',
  'http://127.0.0.1:1/?api_key=S3cretPassw0rd',
  'postgres://amina:S3cretPassw0rd@127.0.0.1:1/x',
];

it.each(withSecrets)('repeats nothing secret of an address that it refuses: %s', (address) => {
  const refuse = (): unknown => readBaseUrl(address);
  expect(refuse).toThrow(expect.objectContaining({ code: 'environments.bad_url' }));
  try {
    refuse();
  } catch (error) {
    expect(JSON.stringify((error as AppError).details)).toMatch(/^\{"baseUrl":"(?:(?!S3cretPassw0rd).)+"\}$/);
  }
});

it('nor does the client, of one that is sent to in no way', async () => {
  const call = { method: 'GET', url: withSecrets[2]!, headers: [], body: null, timeoutMs: 1000 };
  const refused = await createHttpClient()(call).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'sending.bad_url' });
  expect(JSON.stringify((refused as AppError).details)).not.toContain('S3cretPassw0rd');
});

it('names the sandbox, and no address, where the embedded one does not run', () => {
  expect(() => requireSandbox({ id: 'local', baseUrl: '' })).toThrow('The local sandbox does not run');
  expect(() => requireSandbox({ id: 'local', baseUrl: 'http://127.0.0.1:4010' })).not.toThrow();
  expect(() => requireSandbox({ id: 'data:mine', baseUrl: '' })).not.toThrow();
});
