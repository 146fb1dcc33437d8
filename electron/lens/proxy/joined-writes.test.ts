import { Writable } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { JoinedWrites } from './joined-writes';

function record(highWaterMark: number) {
  const pieces: string[] = [];
  const socket = new Writable({
    highWaterMark,
    write(chunk: Buffer, _encoding, done) {
      pieces.push(chunk.toString());
      setImmediate(done);
    },
  });
  const onFull = vi.fn();
  return { pieces, onFull, writes: new JoinedWrites((bytes) => socket.write(bytes), onFull) };
}

it('writes what stands side by side as one piece, and nothing before it is told to', async () => {
  const { pieces, onFull, writes } = record(100);
  const chunk = Buffer.from('headbodynext');
  writes.add(chunk.subarray(0, 4));
  writes.add(chunk.subarray(4, 8));
  expect(pieces).toEqual([]);
  writes.flush();
  writes.flush();
  writes.add(chunk.subarray(9));
  writes.add(Buffer.from('other'));
  writes.flush();
  await expect.poll(() => pieces).toEqual(['headbody', 'ext', 'other']);
  expect(onFull).not.toHaveBeenCalled();
});

it('says that the socket takes no more for now', () => {
  const { onFull, writes } = record(4);
  writes.add(Buffer.from('12345'));
  expect(onFull).not.toHaveBeenCalled();
  writes.flush();
  expect(onFull).toHaveBeenCalledOnce();
});
