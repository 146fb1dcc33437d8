import { AppError } from '../errors';
import { decodeJsonString, scanJson } from './json-scanner';
import { JSON_ARRAY, JSON_OBJECT, JSON_STRING } from './json-sink';

/** More values than this are not indexed: their text is still shown. */
const MOST_NODES = 2_000_000;

/**
 * Where every value of a JSON text stands, in the order of the text: a node is a number, and a subtree is a range.
 *
 * Nothing is converted or dropped: literals, repeated keys and any depth stay as they came. Six numbers a value, so
 * that tens of megabytes are read without millions of objects.
 */
export interface JsonIndex {
  readonly text: string;
  readonly count: number;
  readonly kinds: Uint8Array;
  /** Range of the value in the text, quotes and brackets included. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Range of its key, inside the quotes; -1: it has none. */
  readonly keyStarts: Int32Array;
  readonly keyEnds: Int32Array;
  /** -1: the root. */
  readonly parents: Int32Array;
  /** The node after the last one within it. */
  readonly nexts: Int32Array;
}

/**
 * Reads a JSON text into an index. A byte order mark in front is passed over.
 *
 * @throws {AppError} `signing.not_json` with the place; `json.too_many` beyond two million values
 */
export function indexJson(given: string): JsonIndex {
  const text = given.charCodeAt(0) === 0xfeff ? given.slice(1) : given;
  const nodes = new NodeList();
  let parent = -1;
  let keyStart = -1;
  let keyEnd = -1;
  const add = (kind: number, start: number, end: number): number => {
    const node = nodes.add(kind, start, end, keyStart, keyEnd, parent);
    keyStart = keyEnd = -1;
    return node;
  };
  scanJson(text, {
    levels: Infinity,
    key: (start, end) => {
      keyStart = start;
      keyEnd = end;
    },
    scalar: (kind, start, end) =>
      void (kind === JSON_STRING ? add(kind, start - 1, end + 1) : add(kind, start, end)),
    open: (kind, start) => void (parent = add(kind, start, start)),
    close: (end) => {
      nodes.close(parent, end);
      parent = nodes.parentOf(parent);
    },
  });
  return nodes.finish(text);
}

/** Tells whether a node is an object or a list. */
export function isContainer({ kinds }: JsonIndex, node: number): boolean {
  return kinds[node] === JSON_OBJECT || kinds[node] === JSON_ARRAY;
}

/** The nodes directly within one, in their order. */
export function* childrenOf(index: JsonIndex, node: number): Generator<number> {
  if (!isContainer(index, node)) return;
  for (let child = node + 1; child < index.nexts[node]!; child = index.nexts[child]!) yield child;
}

/** The key of a node as meant, escapes read; null: it has none. */
export function keyOf({ text, keyStarts, keyEnds }: JsonIndex, node: number): string | null {
  const start = keyStarts[node]!;
  return start === -1 ? null : decode(text.slice(start, keyEnds[node]));
}

/** A slice of its own: looking for escapes in the whole text would go on to its end. */
function decode(written: string): string {
  return decodeJsonString(written, 0, written.length, written.includes('\\'));
}

/** The value of a node as it came. */
export function sourceOf({ text, starts, ends }: JsonIndex, node: number): string {
  return text.slice(starts[node], ends[node]);
}

/** Text of a string, escapes read; the literal of anything else. */
export function valueOf(index: JsonIndex, node: number): string {
  const { text, kinds, starts, ends } = index;
  if (kinds[node] !== JSON_STRING) return sourceOf(index, node);
  return decode(text.slice(starts[node]! + 1, ends[node]! - 1));
}

/** The way to a node from the root: keys, and places in lists. */
export function stepsTo(index: JsonIndex, node: number): (string | number)[] {
  const steps: (string | number)[] = [];
  for (let at = node; index.parents[at] !== -1; at = index.parents[at]!) {
    steps.push(keyOf(index, at) ?? placeOf(index, at));
  }
  return steps.reverse();
}

function placeOf(index: JsonIndex, node: number): number {
  let place = 0;
  for (const child of childrenOf(index, index.parents[node]!)) {
    if (child === node) return place;
    place += 1;
  }
  return place;
}

/** Writes a way as a JSON Pointer. @source RFC 6901 */
export function writePointer(steps: readonly (string | number)[]): string {
  return steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Writes a way as JSONPath; a name that is no plain word stands in quotes. @source RFC 9535 */
export function writeJsonPath(steps: readonly (string | number)[]): string {
  return `$${steps
    .map((step) => {
      if (typeof step === 'number') return `[${step}]`;
      if (/^[A-Za-z_]\w*$/.test(step)) return `.${step}`;
      return `['${JSON.stringify(step).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}']`;
    })
    .join('')}`;
}

/** Columns of numbers that grow together. */
class NodeList {
  #room = 1024;
  #count = 0;
  #kinds = new Uint8Array(this.#room);
  #columns = Array.from({ length: 6 }, () => new Int32Array(this.#room));

  add(
    kind: number,
    ...values: [start: number, end: number, keyStart: number, keyEnd: number, parent: number]
  ): number {
    const node = this.#count;
    if (node === MOST_NODES) {
      throw new AppError('json.too_many', 'This answer holds over two million values. Look at it as text.');
    }
    if (node === this.#room) this.#grow();
    this.#kinds[node] = kind;
    for (const [column, value] of values.entries()) this.#columns[column]![node] = value;
    this.#columns[5]![node] = node + 1;
    this.#count += 1;
    return node;
  }

  close(node: number, end: number): void {
    this.#columns[1]![node] = end;
    this.#columns[5]![node] = this.#count;
  }

  parentOf(node: number): number {
    return this.#columns[4]![node]!;
  }

  finish(text: string): JsonIndex {
    const [starts, ends, keyStarts, keyEnds, parents, nexts] = this.#columns as [
      Int32Array,
      Int32Array,
      Int32Array,
      Int32Array,
      Int32Array,
      Int32Array,
    ];
    return { text, count: this.#count, kinds: this.#kinds, starts, ends, keyStarts, keyEnds, parents, nexts };
  }

  #grow(): void {
    this.#room *= 2;
    const kinds = new Uint8Array(this.#room);
    kinds.set(this.#kinds);
    this.#kinds = kinds;
    this.#columns = this.#columns.map((column) => {
      const wider = new Int32Array(this.#room);
      wider.set(column);
      return wider;
    });
  }
}
