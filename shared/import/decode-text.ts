import { AppError } from '../errors';

const marks: readonly (readonly [bytes: readonly number[], charset: string])[] = [
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

function findCharset(bytes: Uint8Array): string {
  const marked = marks.find(([mark]) => mark.every((byte, index) => bytes[index] === byte));
  if (marked !== undefined) return marked[1];
  // Every format begins with ASCII: a zero beside the first character tells UTF-16 without its mark.
  if (bytes.length >= 2 && bytes[0] !== 0 && bytes[1] === 0) return 'utf-16le';
  return bytes.length >= 2 && bytes[0] === 0 && bytes[1] !== 0 ? 'utf-16be' : 'utf-8';
}

/** What a zip archive begins with. */
const ZIP = [0x50, 0x4b, 0x03, 0x04];

/**
 * Decodes the bytes of a file that is imported: UTF-8 or UTF-16, its byte order mark left out.
 *
 * @throws {AppError} `import.not_readable` where it is neither
 */
export function decodeText(bytes: Uint8Array, name: string): string {
  if (ZIP.every((byte, index) => bytes[index] === byte)) {
    const message = `${name} is a zip archive. Unpack it, and import the file or folder that is in it.`;
    throw new AppError('import.not_readable', message);
  }
  try {
    return new TextDecoder(findCharset(bytes), { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AppError(
      'import.not_readable',
      `${name} is neither UTF-8 nor UTF-16 text. Export it again, and import that file.`,
      { cause: error },
    );
  }
}
