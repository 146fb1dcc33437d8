import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { createListener, type Listener } from '../create-listener';
import { formatSortableId } from '../../platform/sortable-id';
import type { ToldAttempt } from './forwarder';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

interface Stage {
  listener: Listener;
  ids: number[];
  attempts: ToldAttempt[];
}

function createStage(): Stage {
  const ids: number[] = [];
  const attempts: ToldAttempt[] = [];
  const listener = createListener({
    file: ':memory:',
    onCommit: (batch) => void ids.push(...batch.ids),
    onForward: (attempt) => void attempts.push(attempt),
  });
  opened.push(() => listener.close());
  return { listener, ids, attempts };
}

const startAt = (listener: Listener, port: number) =>
  listener.start({
    id: 'main',
    port,
    alternatives: 0,
    rule: { respondStatus: 200, delayMs: 0 },
    isHttps: false,
  });

const route = (url: string) => ({ url, exec: null, filter: '', relaysAnswer: false });
const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body, headers });

async function serve(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(() => new Promise((resolve) => server.close(resolve)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What leads to an address, as a tunnel does: headers and body go through, names in small letters. */
function leadTo(url: () => string, counted: () => void): Promise<string> {
  const server = createServer((request, response) => {
    counted();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { host: _host, connection: _connection, 'content-length': _length, ...kept } = request.headers;
      void post(url(), Buffer.concat(chunks).toString(), kept as Record<string, string>).then((answer) => {
        response.writeHead(answer.status, { Connection: 'close' }).end();
      });
    });
  });
  return serve(server);
}

it('forwards nothing to the listener itself, whichever of the two was there first', async () => {
  const { listener, ids } = createStage();
  const { url, port } = await startAt(listener, 0);
  await expect(listener.forwarding.setRoute(route(url))).rejects.toMatchObject({
    code: 'listener.bad_forward',
    message: expect.stringContaining('the listener’s own'),
  });
  await listener.stop('main');
  await listener.forwarding.setRoute(route(`http://localhost:${port}/hooks`));
  await startAt(listener, port);
  await post(`${url}/a`, '{"reference":"R-1"}');
  await vi.waitFor(() =>
    expect(listener.forwarding.states().get('url')).toMatchObject({
      backlogCount: 1,
      trouble: expect.stringContaining('the listener’s own'),
    }),
  );
  expect(ids).toHaveLength(1);
  expect(listener.forwarding.readForwards(ids[0]!)).toMatchObject({ isQueued: true, originalId: null });
});

it('does not forward again what was forwarded from here and came back', async () => {
  const { listener, ids, attempts } = createStage();
  const { url } = await startAt(listener, 0);
  let led = 0;
  const tunnel = await leadTo(
    () => url,
    () => (led += 1),
  );
  await listener.forwarding.setRoute(route(tunnel));
  await post(url, '{"reference":"R-1"}');
  await vi.waitFor(() => expect(ids).toHaveLength(2));
  // One that comes after it has been looked at: so was what came back.
  await post(url, '{"reference":"R-2"}');
  await vi.waitFor(() => expect(attempts).toHaveLength(2));
  await vi.waitFor(() => expect(ids).toHaveLength(4));
  const [first, back] = ids;
  const originals = [back!, first!].map((id) => listener.forwarding.readForwards(id).originalId);
  expect([led, ...originals]).toEqual([2, first, null]);
});

it('forwards what another inbox has forwarded here, also under an id of ours', async () => {
  const { listener, ids, attempts } = createStage();
  const { url } = await startAt(listener, 0);
  await post(url, '{"reference":"R-1"}');
  const backend = await serve(createServer((_request, response) => response.end()));
  await listener.forwarding.setRoute(route(backend));
  const known = formatSortableId(ids[0]!);
  await post(url, '{"reference":"R-2"}', { 'Countersign-Webhook-Id': known });
  await post(url, '{"reference":"R-3"}', { 'Countersign-Webhook-Id': '0hzzzzzzzzz' });
  await vi.waitFor(() => expect(attempts).toHaveLength(2));
});
