import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { availableParallelism, loadavg } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MethodOutput } from '@shared/contract/contract';
import type { Reply } from '@shared/contract/define';
import { proofHeader } from '@shared/web-proof';
import { rawRequest, runLoad } from '../support/load-generator';
import { readSlowness } from '../support/processor-time';
import { startCli, type RunningCommand } from '../support/run-cli';
import { openWebClient, type WebClient } from '../support/web-client';
import { makeTemporaryFolder } from '../support/temporary';

const webhookCount = 20_000;
const limitMs = 50;
/** As often as a busy user clicks, and more: some hundred calls a second would themselves be the load. */
const pauseMs = 5;
/** Other programs keep every processor busy: what is waited for one is then not the app's to answer for. */
const isMachineBusy = loadavg()[0]! > availableParallelism() * 1.5;

const dataDirectory = makeTemporaryFolder('load');
let host: RunningCommand;
let client: WebClient;
let closeStream: () => void;
let toldCount = 0;
/** One kept connection, as a browser has it. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

beforeAll(async () => {
  host = startCli(['app', '--no-open', '--json', '--port', '0', '--data', dataDirectory]);
  const ready = await host.waitForLine((line) => line['event'] === 'ready');
  client = await openWebClient(ready['url'] as string);
  closeStream = await client.listen((name, payload) => {
    if (name === 'inbox.received') toldCount += (payload as { count: number }).count;
  });
});
afterAll(async () => {
  closeStream();
  agent.destroy();
  await host.stop();
});

/** A call as the page makes it. Plain `node:http`: what measures must cost little itself. */
function call(method: string, input: unknown = {}): Promise<{ reply: Reply<unknown>; elapsedMs: number }> {
  const body = JSON.stringify({ method, input });
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const headers = {
      cookie: client.cookie,
      origin: client.origin,
      [proofHeader]: client.proof,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const sent = request(`${client.origin}/api/call`, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const elapsedMs = performance.now() - startedAt;
        resolve({ reply: JSON.parse(Buffer.concat(chunks).toString()) as Reply<unknown>, elapsedMs });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function readValue<T>(method: string, input: unknown = {}): Promise<T> {
  const { reply } = await call(method, input);
  if (!reply.ok) throw new Error(reply.error.message);
  return reply.value as T;
}

const readInbox = (): Promise<MethodOutput<'inbox.list'>> => readValue('inbox.list', { limit: 1 });

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** What one method took: as the caller saw it, and without what the two processes waited for a processor. */
interface Latencies {
  seenMs: number[];
  ownMs: number[];
}

/** Milliseconds that the main threads of host and caller stood ready and had no processor (Linux); else 0. */
function readWaitedMs(): number {
  if (process.platform !== 'linux') return 0;
  const readOf = (pid: number): number =>
    Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  return readOf(process.pid) + readOf(host.child.pid!);
}

/** Calls `app.status` and `inbox.list` in turn until told to stop. */
async function measureCalls(isOver: () => boolean): Promise<Record<string, Latencies>> {
  const methods = ['app.status', 'inbox.list'];
  const latencies = Object.fromEntries(methods.map((name) => [name, { seenMs: [], ownMs: [] } as Latencies]));
  while (!isOver()) {
    for (const method of methods) {
      const waitedMs = readWaitedMs();
      const { reply, elapsedMs } = await call(method);
      expect(reply.ok).toBe(true);
      latencies[method]!.seenMs.push(elapsedMs);
      latencies[method]!.ownMs.push(Math.max(0, elapsedMs - (readWaitedMs() - waitedMs)));
      await new Promise((done) => setTimeout(done, pauseMs));
    }
  }
  return latencies;
}

const gather = (latencies: Record<string, Latencies>, of: keyof Latencies): number[] =>
  Object.values(latencies).flatMap((one) => one[of]);
const describeMs = (values: readonly number[]): string =>
  [0.5, 0.99, 1].map((share) => percentile(values, share).toFixed(1)).join(' / ');

const body = (index: number): string =>
  JSON.stringify({
    status: 'SUCCESS',
    code: '100',
    amount: index,
    client_reference: `load-${index}`,
    payment_uuid: `9${index}`,
    metadata: { order: `A-${index}` },
  });

/** Bursts of which the quickest counts: other work on the machine can only add to what is measured. */
const mostBursts = 3;

it(`answers within ${limitMs} ms at p99 while ${webhookCount} webhooks come in, and keeps every one`, async () => {
  const p99s: number[] = [];
  // What is lost in any burst is lost: only the time is measured again.
  while (p99s.length < mostBursts && !p99s.some((p99) => p99 <= limitMs)) p99s.push(await measureBurst());
  expect(Math.min(...p99s)).toBeLessThanOrEqual(limitMs);
});

/** @returns p99 of the calls while the webhooks came in, in milliseconds of the machine that the limit was set on */
async function measureBurst(): Promise<number> {
  const { url } = await readValue<MethodOutput<'listener.status'>>('listener.status');
  const requests = Array.from({ length: webhookCount }, (_, index) =>
  rawRequest('POST', '/webhooks/payments', [['content-type', 'application/json'], ['webhook-id', `msg_${index}`]], body(index)),
); // prettier-ignore
  const before = (await readInbox()).totalCount;
  const toldBefore = toldCount;
  const quiet = await measureCallsFor(1000);
  const slownessBefore = readSlowness();

  let isOver = false;
  const load = runLoad({
    port: Number(new URL(url!).port),
    requests,
    total: webhookCount,
    connections: 50,
    niceness: 10,
  }).finally(() => (isOver = true));
  const [result, latencies] = await Promise.all([load, measureCalls(() => isOver)]);

  expect(result).toMatchObject({ answers: webhookCount, errors: 0, statuses: { 200: webhookCount } });
  expect((await readInbox()).totalCount).toBe(before + webhookCount);
  await expect.poll(() => toldCount - toldBefore, { timeout: 15_000 }).toBe(webhookCount);

  const slowness = (slownessBefore + readSlowness()) / 2;
  const seen = gather(latencies, 'seenMs');
  const own = gather(latencies, 'ownMs');
  const figures = {
    webhooks: result.answers,
    webhooksPerSecond: Math.round(result.perSecond),
    calls: seen.length,
    slowness: slowness.toFixed(2),
    quiet: describeMs(gather(quiet, 'seenMs')),
    seen: describeMs(seen),
    own: describeMs(own),
    ...Object.fromEntries(Object.entries(latencies).map(([name, { ownMs }]) => [name, describeMs(ownMs)])),
  };
  console.log(`p50 / p99 / max in ms: ${JSON.stringify(figures)}`);
  expect(seen.length).toBeGreaterThan(50);
  return percentile(isMachineBusy ? own : seen, 0.99) / slowness;
}

/** Measures for so long; also lets code that is about to be measured be compiled first. */
function measureCallsFor(durationMs: number): Promise<Record<string, Latencies>> {
  const until = performance.now() + durationMs;
  return measureCalls(() => performance.now() > until);
}
