import { expect, it, vi } from 'vitest';
import { readLogRow, type StoredWebhook } from '../listener/inbox-log';
import { formatSortableId } from '../platform/sortable-id';
import { createWebhookLines } from './webhook-lines';

function makeWebhook(id: number, bodyBytes: number): StoredWebhook {
  const head = Buffer.from('POST /hooks HTTP/1.1\r\nContent-Type: text/plain\r\n\r\n');
  const raw = Buffer.concat([head, Buffer.alloc(bodyBytes, 120)]);
  return readLogRow({
    id,
    received_at: 1_750_000_000_000,
    responded_status: 200,
    head_size: head.length,
    remote_address: null,
    rule: null,
    full_bytes: bodyBytes,
    raw,
  });
}

/** A stdout whose reader takes nothing between `stall` and `read`. */
function makeReader() {
  const written: string[] = [];
  const said: string[] = [];
  let goOn: (() => void) | null = null;
  let reading = Promise.resolve();
  const note = (text: string): void => void written.push(text);
  return {
    written,
    said,
    stall: () => void (reading = new Promise((resolve) => (goOn = resolve))),
    read() {
      goOn?.();
      goOn = null;
    },
    context: {
      isJson: true,
      print: note,
      printJson: (value: unknown) => note(JSON.stringify(value)),
      async printEach(made: AsyncIterable<string> | Iterable<string>) {
        for await (const line of made) {
          note(line);
          await reading;
        }
      },
      isRead: () => goOn === null,
      say: (line: string) => void said.push(line),
    },
  };
}

const MIB = 1024 * 1024;
const idsOf = (lines: readonly string[]): unknown[] =>
  lines.map((line) => (JSON.parse(line) as { id: string }).id);

it('writes at once while it is read', () => {
  const { context, written } = makeReader();
  const lines = createWebhookLines(context, () => null);
  lines.add(makeWebhook(1, 3));
  expect(JSON.parse(written[0]!)).toMatchObject({ event: 'webhook', body_base64: 'eHh4' });
});

it('holds no more than a few megabytes of what nobody reads, and gives all of it, in order, once somebody does', async () => {
  const { context, written, said, stall, read } = makeReader();
  const kept = new Map<number, StoredWebhook>();
  const readAgain = vi.fn((id: number) => kept.get(id) ?? null);
  const lines = createWebhookLines(context, readAgain);
  stall();
  for (let id = 1; id <= 20; id += 1) {
    const webhook = makeWebhook(id, MIB);
    kept.set(id, webhook);
    lines.add(webhook);
  }
  await new Promise(setImmediate);
  expect(written).toHaveLength(1);
  read();
  // One that comes while the others leave stands behind them.
  kept.set(21, makeWebhook(21, 3));
  lines.add(kept.get(21)!);
  await lines.finish();
  expect(idsOf(written)).toEqual([...kept.keys()].map(formatSortableId));
  // Eight fit, and the first was taken before any waited.
  expect(readAgain.mock.calls.length).toBeGreaterThanOrEqual(11);
  expect(said).toEqual([]);
});

it('says which of them were deleted before, and which cannot be had again', async () => {
  for (const [readAgain, words] of [
    [() => null, /left the inbox before/],
    [null, /faster than stdout was read.*inbox has/],
    [
      () => {
        throw new Error('closed');
      },
      /faster than stdout was read.*inbox has/,
    ],
  ] as const) {
    const { context, written, said, stall, read } = makeReader();
    const lines = createWebhookLines(context, readAgain);
    stall();
    for (let id = 1; id <= 12; id += 1) lines.add(makeWebhook(id, MIB));
    read();
    await lines.finish();
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(words);
    expect(written.length).toBeLessThan(12);
  }
});

it('waits for no reader that takes nothing, and says how many lines are missing', async () => {
  vi.useFakeTimers();
  const { context, said, stall } = makeReader();
  const lines = createWebhookLines(context, () => null);
  stall();
  for (let id = 1; id <= 5; id += 1) lines.add(makeWebhook(id, 10));
  const finished = lines.finish();
  await vi.advanceTimersByTimeAsync(3000);
  await finished;
  vi.useRealTimers();
  expect(said).toEqual([
    '4 webhooks came faster than stdout was read, and without a line here. The inbox has what is kept of them.',
  ]);
});
