import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

const HEADER_BYTES = 32;
const FRAME_HEAD_BYTES = 24;
/** Whole in memory: a log is emptied into its database long before. */
const MOST_BYTES = 64 * 1024 * 1024;
/** With sums in either order of bytes. */
const LOG_MARKS: readonly number[] = [0x377f0682, 0x377f0683];

/**
 * Gives the size of the pages in a log.
 *
 * @returns null: it does not begin like a log, so SQLite reads nothing of it
 * @source SQLite file format 4.1
 */
export function readPageSize(log: string): number | null {
  return pageSizeOf(readPart(log, 0, HEADER_BYTES));
}

/**
 * Tells whether a log was damaged after it had been written: SQLite leaves out what follows the damage, without a word.
 *
 * What a write that was cut off has left is no damage: nothing that was committed follows it.
 * @param log - of a database that may be in use by another process
 * @source SQLite file format 4.1 to 4.4
 */
export function isLogDamaged(log: string, sizeBytes: number): boolean {
  if (sizeBytes < HEADER_BYTES || sizeBytes > MOST_BYTES) return false;
  const bytes = readFileSync(log);
  const pageBytes = pageSizeOf(bytes);
  const isBegun = pageBytes !== null && hasSum(bytes, 24, sumOf([0, 0], bytes.subarray(0, 24), bytes));
  const frameBytes = FRAME_HEAD_BYTES + (pageBytes ?? 0);
  const fault = isBegun ? findFaultBeforeCommit(bytes, frameBytes) : 0;
  if (fault === null) return false;
  // Somebody begins it anew just now, or wrote there while it was read: what follows is written after what is before it.
  const isStill = (at: number, count: number): boolean =>
    readPart(log, at, count).equals(bytes.subarray(at, at + count));
  return bytes.length >= HEADER_BYTES && isStill(0, HEADER_BYTES) && (!isBegun || isStill(fault, frameBytes));
}

/** Gives where the first frame begins that is not as it was written, while a commit stands behind it. */
function findFaultBeforeCommit(bytes: Buffer, frameBytes: number): number | null {
  let sum: Sum = [bytes.readUInt32BE(24), bytes.readUInt32BE(28)];
  let fault: number | null = null;
  for (let at = HEADER_BYTES; at + frameBytes <= bytes.length; at += frameBytes) {
    const isOfThisLog = bytes.compare(bytes, 16, 24, at + 8, at + 16) === 0;
    if (fault !== null) {
      if (isOfThisLog && bytes.readUInt32BE(at + 4) !== 0) return fault;
      continue;
    }
    sum = sumOf(sum, bytes.subarray(at, at + 8), bytes);
    sum = sumOf(sum, bytes.subarray(at + FRAME_HEAD_BYTES, at + frameBytes), bytes);
    if (!isOfThisLog || !hasSum(bytes, at + 16, sum)) fault = at;
  }
  return null;
}

type Sum = readonly [number, number];

function sumOf([first, second]: Sum, part: Buffer, log: Buffer): Sum {
  const isLittle = log.readUInt32BE(0) === LOG_MARKS[0];
  const words = new DataView(part.buffer, part.byteOffset, part.length);
  for (let at = 0; at < part.length; at += 8) {
    first = (first + words.getUint32(at, isLittle) + second) >>> 0;
    second = (second + words.getUint32(at + 4, isLittle) + first) >>> 0;
  }
  return [first, second];
}

const hasSum = (bytes: Buffer, at: number, [first, second]: Sum): boolean =>
  bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second;

function readPart(log: string, at: number, count: number): Buffer {
  const part = Buffer.alloc(count);
  const descriptor = openSync(log, 'r');
  try {
    return part.subarray(0, readSync(descriptor, part, 0, count, at));
  } finally {
    closeSync(descriptor);
  }
}

function pageSizeOf(header: Buffer): number | null {
  if (header.length < 12) return null;
  const bytes = header.readUInt32BE(8);
  const isPageSize = bytes >= 512 && bytes <= 65_536 && (bytes & (bytes - 1)) === 0;
  return LOG_MARKS.includes(header.readUInt32BE(0)) && isPageSize ? bytes : null;
}
