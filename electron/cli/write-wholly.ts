import { fstatSync, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';

/**
 * Has a stream to a file write all that it is given, or fail.
 *
 * Node's own takes what the system wrote for the whole: on a disk that becomes full with the last piece, or at a limit of a
 * file's size, the end was lost without an error. Pipes and terminals do well by themselves.
 *
 * @param descriptor - what the stream writes to: 1 for standard output
 */
export function writeWholly(stream: Writable & { isTTY?: boolean }, descriptor: number): void {
  if (stream.isTTY === true || !isFile(descriptor)) return;
  stream._write = (chunk: Uint8Array, _encoding, done) => {
    try {
      for (let at = 0; at < chunk.length;) at += writeSync(descriptor, chunk, at);
    } catch (error) {
      done(error as Error);
      return;
    }
    done();
  };
}

function isFile(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor);
    return stats.isFile() || stats.isCharacterDevice();
  } catch {
    return false;
  }
}
