import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, it, vi } from 'vitest';
import type { CapturedExchange } from './captured-exchange';
import { createProxy } from './create-proxy';

const payment = 'POST /payouts HTTP/1.1\r\nHost: a.test\r\nContent-Length: 2\r\n\r\n{}';

/** A payment that waits at the target of a proxy. */
async function holdPayment() {
  const held: { request: IncomingMessage; response: ServerResponse }[] = [];
  const server = createServer((request, response) => void held.push({ request, response }));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const told: CapturedExchange[] = [];
  const target = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const proxy = await createProxy(target, { port: 0, alternatives: 0 }, (exchange) => told.push(exchange));
  const client = connect(Number(new URL(proxy.url).port), '127.0.0.1');
  let got = '';
  client.on('data', (chunk) => (got += String(chunk))).on('error', () => undefined);
  client.write(payment);
  await vi.waitFor(() => expect(held).toHaveLength(1));
  const end = (): void => void server.close();
  return { held, told, proxy, client, end, read: () => got };
}

it('hands on the answer that comes a moment after the end was asked for, and passes nothing more on', async () => {
  const { held, told, proxy, client, end, read } = await holdPayment();
  const closed = proxy.close();
  client.write(payment);
  await new Promise((resolve) => setTimeout(resolve, 100));
  held[0]!.response.writeHead(202).end();
  await closed;
  await vi.waitFor(() => expect(read()).toContain('202 Accepted'));
  expect(told.map(({ answer, fault }) => [answer?.httpStatus, fault])).toEqual([[202, null]]);
  expect(held).toHaveLength(1);
  end();
});

it('cuts what is not answered within a moment, and says so', async () => {
  const { told, proxy, end } = await holdPayment();
  await proxy.close();
  expect(told.map(({ fault }) => fault)).toEqual(['The proxy was stopped before the answer was complete.']);
  end();
});
