import type { ResolvedRequest } from './resolve-request';

/**
 * Puts together the bytes that go out: the text of a body in UTF-8, and the files that stand in it.
 *
 * @param readFile - gives the bytes of a file, by the path that the body names
 */
export function assembleBody(
  { body, files }: Pick<ResolvedRequest, 'body' | 'files'>,
  readFile: (path: string) => Uint8Array,
): Uint8Array | null {
  if (body === null) return null;
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const { at, path } of files) {
    parts.push(encoder.encode(body.slice(from, at)), readFile(path));
    from = at;
  }
  parts.push(encoder.encode(body.slice(from)));
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
