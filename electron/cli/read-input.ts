import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '@shared/errors';
import { maskSecrets } from '@shared/mask-secrets';
import { findStats } from '../platform/files/files';
import { describeReadFault } from '../platform/files/read-faults';

const defaultMaxBytes = 8 * 1024 * 1024;
const PIPE_POLL_MS = 20;

/**
 * Reads a file whole, or standard input for `-`.
 *
 * A pipe (`<(gpg -d key.gpg)`) is waited for as long as somebody has it open for writing.
 * @param flag - what named the file; the message repeats it
 * @param options.maxBytes - 8 MiB where left out; reading stops there, however much comes
 * @param options.writerWithinMs - how long a pipe may have nobody who writes to it; ten seconds where left out
 * @throws {AppError} `cli.unreadable_file`, `cli.file_too_large`
 */
export async function readInput(
  file: string,
  flag: string,
  options: { maxBytes?: number; writerWithinMs?: number } = {},
): Promise<Uint8Array> {
  const maxBytes = options.maxBytes ?? defaultMaxBytes;
  const writerWithinMs = options.writerWithinMs ?? 10_000;
  try {
    return await gather(file === '-' ? process.stdin : await openFile(file, writerWithinMs), maxBytes);
  } catch (error) {
    if (error instanceof TooLarge) {
      throw new AppError(
        'cli.file_too_large',
        `${flag}: ${file === '-' ? 'standard input' : file} is larger than ${nameSize(maxBytes)}. Give a smaller one.`,
      );
    }
    if (error instanceof NobodyWrites) {
      throw new AppError(
        'cli.unreadable_file',
        `${flag}: ${maskSecrets(file)} is a pipe that nobody writes to. Start what writes to it first, or name a file.`,
      );
    }
    const reason = (error as NodeJS.ErrnoException).code;
    throw new AppError('cli.unreadable_file', `${flag}: ${describeUnread(file, reason)}`, { cause: error });
  }
}

async function openFile(file: string, writerWithinMs: number): Promise<AsyncIterable<Uint8Array>> {
  if (findStats(file)?.isFIFO() !== true) return (await open(file)).createReadStream();
  return readPipe(file, writerWithinMs);
}

/** Opened without waiting: to open one that nobody writes to ends never, and cannot be given up. */
async function* readPipe(file: string, writerWithinMs: number): AsyncGenerator<Uint8Array> {
  const pipe = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const giveUpAtMs = performance.now() + writerWithinMs;
    let hasWriter = false;
    for (;;) {
      const chunk = await readWhatIsThere(pipe);
      if (chunk !== null && chunk.length > 0) yield chunk;
      else if (chunk !== null && hasWriter) return;
      else if (chunk !== null && performance.now() > giveUpAtMs) throw new NobodyWrites();
      else await wait(PIPE_POLL_MS);
      hasWriter ||= chunk === null || chunk.length > 0;
    }
  } finally {
    await pipe.close();
  }
}

/** Nothing of it (no bytes): nobody has it open for writing; null: somebody has, and has written nothing yet. */
async function readWhatIsThere(pipe: FileHandle): Promise<Uint8Array | null> {
  try {
    const { buffer, bytesRead } = await pipe.read(Buffer.allocUnsafe(64 * 1024), 0, 64 * 1024, null);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return null;
    throw error;
  }
}

/** A private key as one line, as variables of build servers hold it, is given for the name of its file: it is not repeated. */
const CONTENT = /^[\w+/=\s-]{200,}$/;

function describeUnread(file: string, reason: string | undefined): string {
  if (CONTENT.test(file)) {
    return `the name of a file is needed, and this is a text of ${file.length.toLocaleString('en')} characters, perhaps what the file holds. Save it to a file and name that, or give it by standard input with -.`;
  }
  const shown = file === '-' ? 'standard input' : maskSecrets(file);
  return `cannot read ${shown}: ${describeReadFault(reason)}.`;
}

class TooLarge extends Error {}

class NobodyWrites extends Error {}

/** A limit as it was meant: in the largest unit that it is a whole number of. */
function nameSize(sizeBytes: number): string {
  const [factor, unit] = [[1024 * 1024, 'MiB'] as const, [1024, 'KiB'] as const].find(
    ([factor]) => sizeBytes % factor === 0,
  ) ?? [1, 'bytes'];
  return `${(sizeBytes / factor).toLocaleString('en')} ${unit}`;
}

async function gather(stream: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > maxBytes) throw new TooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Decodes the bytes of a request body or of a text file; a byte order mark stays. */
export function decodeText(bytes: Uint8Array, flag: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new AppError('cli.not_utf8', `${flag}: the file is not UTF-8. Save it as UTF-8 and try again.`, {
      cause: error,
    });
  }
}
