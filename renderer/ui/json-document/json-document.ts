import {
  indexJson,
  isContainer,
  keyOf,
  sourceOf,
  stepsTo,
  valueOf,
  writeJsonPath,
  writePointer,
  type JsonIndex,
} from '@shared/json/json-index';
import { JSON_ARRAY, JSON_NUMBER, JSON_OBJECT, JSON_STRING } from '@shared/json/json-sink';
import { findNodes } from '@shared/json-path/find-nodes';
import { parsePath } from '@shared/json-path/parse-path';
import { countOf } from '@shared/count-of';

export interface TreeLine {
  node: number;
  depth: number;
  /** Its key, or its place in a list; null: the root. */
  name: string | null;
  kind: 'object' | 'array' | 'string' | 'number' | 'word';
  /** The beginning of a scalar as it came; of a container, how many it holds. */
  text: string;
  /** Null: nothing can be opened. */
  isOpen: boolean | null;
}

export interface NodePlace {
  pointer: string;
  path: string;
  /** The value as it came. */
  source: string;
}

export interface FilterResult {
  count: number;
  /** Nobody counted on: there are more than these. */
  areMore: boolean;
  /** `text` has not all of them, or not the whole of one. */
  isCut: boolean;
  /** Where each stands, and what it is, as text. */
  text: string;
}

/** A tree of fewer values stands open at the start. */
const mostOpened = 500;
/** More hits are not listed. */
const mostHits = 1000;
/** A value in a line of the tree is cut here. */
const longestPreview = 300;
/** The text of a filter's finds ends here. */
const longestResult = 2_000_000;

/** A text read as JSON: as a tree, through a filter, by its paths. Runs in a worker: ten megabytes take a while. */
export class JsonDocument {
  readonly #index: JsonIndex;
  readonly #open = new Set<number>();
  readonly #places: Int32Array;
  readonly #counts: Int32Array;
  #visible: number[] | null = null;
  #depths: number[] = [];

  /** @throws {AppError} where the text is not JSON, or holds too many values */
  constructor(text: string) {
    this.#index = indexJson(text);
    const { count, parents } = this.#index;
    this.#places = new Int32Array(count);
    this.#counts = new Int32Array(count);
    for (let node = 1; node < count; node += 1) this.#places[node] = this.#counts[parents[node]!]!++;
    this.#open.add(0);
    if (count > mostOpened) return;
    for (let node = 1; node < count; node += 1) if (isContainer(this.#index, node)) this.#open.add(node);
  }

  /** Lines of the tree as it is opened now. */
  lines(from: number, to: number): { total: number; lines: TreeLine[] } {
    const visible = this.#listVisible();
    const lines = visible.slice(from, to).map((node, at) => this.#describe(node, this.#depths[from + at]!));
    return { total: visible.length, lines };
  }

  /** Opens or shuts a container; all that is within it too, where asked. */
  setOpen(node: number, isOpen: boolean, isDeep = false): void {
    const end = isDeep ? this.#index.nexts[node]! : node + 1;
    for (let at = node; at < end; at += 1) {
      if (!isOpen) this.#open.delete(at);
      else if (isContainer(this.#index, at)) this.#open.add(at);
    }
    this.#visible = null;
  }

  /** Values and keys that hold a text, in whatever case. */
  find(query: string): number[] {
    const wanted = query.toLowerCase();
    const hits: number[] = [];
    const { count } = this.#index;
    for (let node = 0; node < count && hits.length < mostHits && wanted !== ''; node += 1) {
      const isHit =
        keyOf(this.#index, node)?.toLowerCase().includes(wanted) ||
        (!isContainer(this.#index, node) && valueOf(this.#index, node).toLowerCase().includes(wanted));
      if (isHit) hits.push(node);
    }
    return hits;
  }

  /** Opens the way to a value. @returns its line */
  reveal(node: number): number {
    for (let at = this.#index.parents[node]!; at !== -1; at = this.#index.parents[at]!) this.#open.add(at);
    this.#visible = null;
    return this.#listVisible().indexOf(node);
  }

  place(node: number): NodePlace {
    const steps = stepsTo(this.#index, node);
    return { pointer: writePointer(steps), path: writeJsonPath(steps), source: sourceOf(this.#index, node) };
  }

  /** What a JSON Pointer or JSONPath finds. @throws {AppError} `json.bad_path`, `json.too_many` */
  filter(path: string): FilterResult {
    const { nodes, isCut: areMore } = findNodes(this.#index, parsePath(path));
    const parts: string[] = [];
    let size = 0;
    for (const node of nodes) {
      const { path: where, source } = this.place(node);
      const part = nodes.length === 1 ? source : `${where}\n${source}`;
      parts.push(part.slice(0, longestResult - size));
      size += part.length;
      if (size > longestResult)
        return { count: nodes.length, areMore, isCut: true, text: parts.join('\n\n') };
    }
    return { count: nodes.length, areMore, isCut: areMore, text: parts.join('\n\n') };
  }

  #listVisible(): number[] {
    if (this.#visible !== null) return this.#visible;
    const visible: number[] = [];
    const depths: number[] = [];
    const ends: number[] = [];
    const { count, nexts } = this.#index;
    for (let node = 0; node < count;) {
      while (ends.length > 0 && node >= ends.at(-1)!) ends.pop();
      visible.push(node);
      depths.push(ends.length);
      if (this.#open.has(node)) {
        ends.push(nexts[node]!);
        node += 1;
      } else node = nexts[node]!;
    }
    this.#depths = depths;
    return (this.#visible = visible);
  }

  #describe(node: number, depth: number): TreeLine {
    const { kinds, parents, starts, ends, text } = this.#index;
    const isList = kinds[node] === JSON_ARRAY;
    const count = this.#counts[node]!;
    const isFull = isContainer(this.#index, node);
    const end = Math.min(ends[node]!, starts[node]! + longestPreview);
    return {
      node,
      depth,
      name: keyOf(this.#index, node) ?? (parents[node] === -1 ? null : String(this.#places[node])),
      kind: kindNames[kinds[node]!] ?? 'word',
      text: isFull
        ? `${isList ? '[' : '{'}${count === 0 ? '' : countOf(count, 'value')}${isList ? ']' : '}'}`
        : text.slice(starts[node], end) + (end < ends[node]! ? '…' : ''),
      isOpen: isFull && count > 0 ? this.#open.has(node) : null,
    };
  }
}

const kindNames: Readonly<Record<number, TreeLine['kind']>> = {
  [JSON_OBJECT]: 'object',
  [JSON_ARRAY]: 'array',
  [JSON_STRING]: 'string',
  [JSON_NUMBER]: 'number',
};
