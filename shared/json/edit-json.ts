import { decodeJsonString, scanJson } from './json-scanner';
import { JSON_ARRAY, JSON_STRING, type JsonSink } from './json-sink';

/** Where a value stands in a text, its quotes and brackets included. */
export interface JsonRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds a value by its path: names of members, places in lists.
 *
 * Of a repeated name the last counts, as in `JSON.parse`.
 * @returns null where the path leads nowhere
 * @throws {AppError} `signing.not_json` with its place
 */
export function findJsonRange(text: string, path: readonly string[]): JsonRange | null {
  const finder = new RangeFinder(text, path);
  scanJson(text, finder);
  return finder.found;
}

/**
 * Puts another value in the place of one, and leaves every other byte as it is.
 *
 * @param literal - JSON, written as it is to stand there
 * @returns null where the path leads nowhere
 * @throws {AppError} `signing.not_json` where text or literal is none
 */
export function replaceJsonValue(text: string, path: readonly string[], literal: string): string | null {
  findJsonRange(literal, []);
  const isMarked = text.charCodeAt(0) === 0xfeff;
  const source = isMarked ? text.slice(1) : text;
  const range = findJsonRange(source, path);
  if (range === null) return null;
  return (isMarked ? text[0]! : '') + source.slice(0, range.start) + literal + source.slice(range.end);
}

/** Follows one path: knows of each open container whether it lies on it, and which member it is at. */
class RangeFinder implements JsonSink {
  readonly levels: number;
  found: JsonRange | null = null;
  readonly #open: { isOnPath: boolean; isArray: boolean; place: number; key: string; start: number }[] = [];

  constructor(
    private readonly text: string,
    private readonly path: readonly string[],
  ) {
    this.levels = path.length;
  }

  key(start: number, end: number, hasEscape: boolean): void {
    const parent = this.#open.at(-1);
    if (parent !== undefined) parent.key = decodeJsonString(this.text, start, end, hasEscape);
  }

  scalar(kind: number, start: number, end: number): void {
    const quote = kind === JSON_STRING ? 1 : 0;
    if (this.#enters() && this.#open.length === this.path.length) {
      this.found = { start: start - quote, end: end + quote };
    }
  }

  open(kind: number, start: number): void {
    const isOnPath = this.#enters();
    this.#open.push({ isOnPath, isArray: kind === JSON_ARRAY, place: -1, key: '', start });
  }

  close(end: number): void {
    const closed = this.#open.pop()!;
    if (closed.isOnPath && this.#open.length === this.path.length) this.found = { start: closed.start, end };
  }

  /** Whether the value that begins now lies on the path. A later one of the same name takes the place of the earlier. */
  #enters(): boolean {
    const depth = this.#open.length;
    const parent = this.#open.at(-1);
    if (parent === undefined) return true;
    parent.place += 1;
    const step = parent.isArray ? String(parent.place) : parent.key;
    const isOnPath = parent.isOnPath && step === this.path[depth - 1];
    if (isOnPath) this.found = null;
    return isOnPath;
  }
}
