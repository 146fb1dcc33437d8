import { resolve } from 'node:path';
import type { MethodName, MethodOutput } from '@shared/contract/contract';
import { expect, it } from 'vitest';
import { openWebHost } from '../support/contract-clients';

const fake = resolve('test/support/fake-tunnel.mjs');

it('makes the address of the tunnel the callback address, and takes it back', async () => {
  const client = await openWebHost();
  const call = async <M extends MethodName>(method: M, input: object): Promise<MethodOutput<M>> => {
    const reply = await client.call(method, input);
    if (!reply.ok) throw new Error(reply.error.message);
    return reply.value as MethodOutput<M>;
  };
  const readCallback = async (): Promise<string | undefined> =>
    (await call('environments.list', {})).environments.find(({ source }) => source === 'builtin')?.variables[
      'callback_url'
    ];
  try {
    const local = await readCallback();
    expect(local).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/hooks\/payments$/);
    await call('tunnel.start', { way: `cmd:"${process.execPath}" "${fake}" serve` });
    const readState = async (): Promise<string> => (await call('tunnel.status', {})).state;
    await expect.poll(readState, { timeout: 20_000 }).toBe('connected');
    const { url } = await call('tunnel.status', {});
    expect(await readCallback()).toBe(`${url}/hooks/payments`);
    await call('tunnel.stop', {});
    expect(await readCallback()).toBe(local);
  } finally {
    await client.stop();
    client.removeData();
  }
});
