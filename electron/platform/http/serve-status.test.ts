import { afterAll, beforeAll, expect, test } from 'vitest';
import { createListenerFigures } from '../../listener/listener-figures';
import { serveStatus, type StatusServer } from './serve-status';

let trouble: string | null = null;
let server: StatusServer;
let figures: Awaited<ReturnType<typeof createListenerFigures>>;
const ask = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${server.port}${path}`, { method });

beforeAll(async () => {
  figures = await createListenerFigures();
  const report = { findTrouble: async () => trouble, readFigures: figures.readFigures };
  server = await serveStatus('listener', { port: 0, alternatives: 0 }, report);
});
afterAll(() => server.close());

test('health is that it answers, ready that it can do its work', async () => {
  trouble = 'The disk is full.';
  expect((await ask('/health')).status).toBe(200);
  const notReady = await ask('/ready');
  expect([notReady.status, await notReady.text()]).toEqual([503, 'The disk is full.\n']);
  trouble = null;
  expect((await ask('/ready')).status).toBe(200);
  expect([(await ask('/')).status, (await ask('/__proto__')).status]).toEqual([404, 404]);
  expect((await ask('/ready', 'POST')).status).toBe(405);
});

test('figures count webhooks by class of status, and hold nothing of what came', async () => {
  const webhook = { startedAtMs: performance.now() - 20, body: Buffer.from('{"reference":"R-secret"}') };
  figures.onCommit({
    webhooks: [200, 204, 503, 0].map((respondedStatus) => ({ ...webhook, respondedStatus })) as never,
  });
  for (const httpStatus of [400, 431, null]) figures.onNotTaken({ httpStatus });
  const answer = await ask('/metrics');
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const text = await answer.text();
  expect(text).toContain('countersign_listener_webhooks_total{status_class="2xx"} 2');
  expect(text).toContain('countersign_listener_webhooks_total{status_class="5xx"} 1');
  expect(text).toContain('countersign_listener_webhooks_total{status_class="0xx"} 1');
  expect(text).toContain('countersign_listener_not_taken_total{status_class="4xx"} 2');
  expect(text).toContain('countersign_listener_not_taken_total{status_class="0xx"} 1');
  expect(text).toContain('countersign_listener_body_bytes_total 96');
  const within = (limit: string): string | undefined =>
    text.match(new RegExp(`commit_duration_seconds_bucket\\{le="${limit}"\\} (\\d+)`))?.[1];
  expect([within('0\\.01'), within('1')]).toEqual(['0', '4']);
  expect(text).toContain('process_resident_memory_bytes');
  expect(text).not.toContain('R-secret');
});
