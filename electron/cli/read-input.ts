import { open } from 'node:fs/promises';
import { AppError } from '@shared/errors';
import { maskSecrets } from '@shared/mask-secrets';
import { describeReadFault } from '../platform/files/read-faults';

const defaultMaxBytes = 8 * 1024 * 1024;

/**
 * Reads a file whole, or standard input for `-`.
 *
 * @param flag - what named the file; the message repeats it
 * @param options.maxBytes - 8 MiB where left out; reading stops there, however much comes
 * @throws {AppError} `cli.unreadable_file`, `cli.file_too_large`
 */
export async function readInput(
  file: string,
  flag: string,
  options: { maxBytes?: number } = {},
): Promise<Uint8Array> {
  const maxBytes = options.maxBytes ?? defaultMaxBytes;
  try {
    return await gather(file === '-' ? process.stdin : (await open(file)).createReadStream(), maxBytes);
  } catch (error) {
    if (error instanceof TooLarge) {
      throw new AppError(
        'cli.file_too_large',
        `${flag}: ${file === '-' ? 'standard input' : file} is larger than ${nameSize(maxBytes)}. Give a smaller one.`,
      );
    }
    const reason = (error as NodeJS.ErrnoException).code;
    throw new AppError('cli.unreadable_file', `${flag}: ${describeUnread(file, reason)}`, { cause: error });
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
