import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { makeAuthority } from '../../../test/support/certificates';
import { createHttpClient } from '../../platform/http/http-client';
import { ReceiverState } from './receiver-state';

it('reads a state behind a certificate of this machine’s own making, where the webhooks go, too', async () => {
  const { certificate, key } = makeAuthority('Own').issue('localhost');
  const server = createServer({ cert: certificate, key }, (_request, response) =>
    response.end('{"count":1}'),
  ).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const read = (): Promise<unknown> =>
    new ReceiverState(`https://127.0.0.1:${port}/state`, createHttpClient(), 2000).read();
  await expect(read()).resolves.toEqual({ count: 1 });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  // No environment leads to a receiver, and reading its state sends it no webhook.
  await expect(read()).rejects.toThrow(
    /nothing listens there\. Check that something runs there and that the address is right\.$/,
  );
});
