import type { ResolvedRequest } from './resolve-request';

/** The bytes of a body that files stand in, and where each of these begins and ends: braces in them are no variables. */
export interface FileBody {
  readonly bytes: Uint8Array;
  readonly files: [from: number, to: number][];
}

/**
 * Puts together the bytes that go out: the text of a body in UTF-8, and the files that stand in it.
 *
 * @param readFile - gives the bytes of a file, by the path that the body names
 */
export function assembleBody(
  { body, files }: Pick<ResolvedRequest, 'body' | 'files'>,
  readFile: (path: string) => Uint8Array,
): FileBody | null {
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
  const places: FileBody['files'] = [];
  let offset = 0;
  for (const [index, part] of parts.entries()) {
    bytes.set(part, offset);
    // Texts and files take turns.
    if (index % 2 === 1) places.push([offset, offset + part.length]);
    offset += part.length;
  }
  return { bytes, files: places };
}
