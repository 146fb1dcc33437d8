import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { vi } from 'vitest';

/** A webhook as it arrived. */
export interface ReceivedWebhook {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what tests look into has any shape
  json: any;
}

/** Starts a receiver on a free port. `answer` gives the HTTP status by how many have arrived, this one included. */
export async function startReceiver(answer: (count: number) => number = () => 204) {
  const received: ReceivedWebhook[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const { method = '', url = '', headers } = request;
      received.push({ method, path: url, headers, text, json: JSON.parse(text) as unknown });
      response.writeHead(answer(received.length)).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    received,
    /** Waits until so many have arrived. */
    async waitFor(count: number): Promise<ReceivedWebhook[]> {
      await vi.waitUntil(() => received.length >= count, { timeout: 10_000, interval: 5 });
      return received;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
