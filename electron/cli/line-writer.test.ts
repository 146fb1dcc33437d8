import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { createLineWriter } from './line-writer';

function record() {
  const written: [string, string][] = [];
  const stream = (name: string) =>
    Object.assign(new EventEmitter(), {
      writableNeedDrain: false,
      write: (text: string | Uint8Array) => written.push([name, String(text)]) > 0,
    });
  const out = stream('out');
  return { written, out, lines: createLineWriter(out as never, stream('err')) };
}

it('writes the lines of one turn at once, and those of the next turn in theirs', async () => {
  const { written, lines } = record();
  lines.out('a');
  lines.out('b');
  expect(written).toEqual([]);
  await new Promise(process.nextTick);
  lines.out('c');
  await new Promise(process.nextTick);
  expect(written).toEqual([
    ['out', 'a\nb\n'],
    ['out', 'c\n'],
  ]);
});

it('keeps the order in which lines were given for the two streams', () => {
  const { written, lines } = record();
  lines.out('a');
  lines.err('b');
  lines.out('c');
  lines.flush();
  lines.flush();
  expect(written).toEqual([
    ['out', 'a\n'],
    ['err', 'b\n'],
    ['out', 'c\n'],
  ]);
});

it('holds no more than a bounded length back', () => {
  const { written, lines } = record();
  for (let count = 0; count < 70; count += 1) lines.out('x'.repeat(1023));
  expect(written).toHaveLength(1);
});

it('makes no line while the reader has not taken the last, and goes on where it has', async () => {
  const { out, lines } = record();
  let made = 0;
  const each = lines.each(
    (function* () {
      for (; made < 3; made += 1) yield 'x';
    })(),
  );
  out.writableNeedDrain = true;
  await new Promise(setImmediate);
  expect(made).toBe(0);
  out.writableNeedDrain = false;
  out.emit('drain');
  await each;
  expect(made).toBe(3);
});

it('lets others have their turn between many lines that are taken at once', async () => {
  const { lines } = record();
  let made = 0;
  let madeBefore = Infinity;
  setImmediate(() => (madeBefore = made));
  await lines.each(
    (function* () {
      for (; made < 500; made += 1) yield 'x'.repeat(1023);
    })(),
  );
  expect(madeBefore).toBeLessThan(100);
  expect(made).toBe(500);
});
