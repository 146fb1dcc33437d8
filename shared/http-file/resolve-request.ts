import type { DynamicValues } from './dynamic-values';
import { isBackEndValue } from './back-end-value';
import { findExpression, plainName } from './find-expression';
import { encodeBasic } from './basic-header';
import type { Product } from '../payments/tables/products';
import { takePathForm, type PathDestination } from './path-form';
import { findLastReference, findTokenProduct, lastReference } from './last-reference';
import type { BodyCut, BodyFile, HttpRequestBlock } from './http-file';
import { encodeAroundReferences, isVaultExpression } from './vault-reference';
import { createRecord } from '../own-value';

export type RequestPart = 'url' | 'header' | 'body';

/** A stretch of the resolved text and where it comes from: the same characters, or one `{{…}}`. */
export interface TextSegment {
  start: number;
  end: number;
  sourceStart: number;
  sourceEnd: number;
  /** The expression between the braces, or what goes out in place of a line end; null: copied as it is. */
  variable: string | null;
}

/** A file whose bytes go out at an offset of the resolved body. */
export interface ResolvedFile extends BodyFile {
  at: number;
}

/** A request as it goes out, apart from what the back end alone fills in. */
export interface ResolvedRequest {
  method: string;
  url: string;
  /** `{{token.<product>}}` and `{{signature}}` still stand, and `{{vault.…}}` anywhere: only the back end has them. */
  headers: [string, string][];
  body: string | null;
  /** Files of the body, in order; what is signed and sent is known once they are read. */
  files: ResolvedFile[];
  /** Variables that have no value; they stand in the text as written. */
  unresolved: { name: string; where: RequestPart }[];
  /** Those of them that somebody gave, and the variable of the request that leads to each, in a circle or too deep. */
  entangled: { name: string; from: string }[];
  /** From offsets of `body` to offsets of the block's body text; empty without a body. */
  bodyMap: TextSegment[];
  /** More was to be filled in than goes out: the variables for which there was no room stand as written. */
  isTooLong: boolean;
  /** Named variables that were filled in, with their values. */
  variablesUsed: Record<string, string>;
  /** Dynamic expressions that were drawn, as shown to the user. */
  dynamicUsed: { expression: string; value: string }[];
}

export interface ResolveInputs {
  /** The environment's; the file's own variables come first. */
  variables: Readonly<Record<string, string>>;
  /** Given for this once: these come before the file's own. */
  given?: Readonly<Record<string, string>>;
  /** Tells what comes from elsewhere: a text, which inside the quotes of a JSON body stands as JSON has it. Left out: none. */
  isText?(name: string): boolean;
  /** References that were sent last, by product: see {@link lastReference}. */
  lastReferences?: Readonly<Partial<Record<Product, string>>> | undefined;
  dynamic: DynamicValues;
  /** Whose path form counts for requests to its address; left out: the request's own. */
  destination?: PathDestination;
}

/** Values may name other variables so deep; then they stand as written. */
export const maxDepth = 5;
const maxValueChars = 1024 * 1024;
/** Of a request, values that stand in it several times each time: as much as a body may have. */
export const maxFilledChars = 16 * 1024 * 1024;

interface Resolution {
  /** Gives the text that stands for a name; undefined: nobody gives one. */
  find(name: string): string | undefined;
  /** What is a text by itself, or has one in it; null: nothing comes from elsewhere. */
  texts: { is(name: string): boolean; known: Map<string, boolean> } | null;
  dynamic: DynamicValues;
  occurrences: Map<string, number>;
  /** Values of named variables, resolved once; null while on the way (a cycle) or not known. */
  known: Map<string, string | null>;
  /** Values that end at `maxDepth`, by the depth and name at which they do: from a lesser one they go on. */
  cut: Map<string, string>;
  /** Something was cut since this was last set to false. */
  isCut: boolean;
  /** The variable of the request itself that is being filled in. */
  from: string;
  /** What is unresolved already: part and name. */
  noted: Set<string>;
  /** Characters that may still be filled in. */
  room: number;
  /** Variables whose value is too long for any place. */
  tooLong: Set<string>;
  /** Of the body, what stands before the part that is filled in. */
  sent: string;
  result: ResolvedRequest;
}

function draw(resolution: Resolution, expression: string): string | null {
  const occurrence = resolution.occurrences.get(expression) ?? 0;
  const value = resolution.dynamic.get(expression, occurrence);
  if (value === null) return null;
  resolution.occurrences.set(expression, occurrence + 1);
  resolution.result.dynamicUsed.push({ expression, value });
  return value;
}

function look(resolution: Resolution, name: string, where: RequestPart, depth: number): string | null {
  if (name.startsWith('$')) return draw(resolution, name);
  if (name.startsWith('%')) {
    const value = look(resolution, name.slice(1), where, depth);
    return value === null ? null : encodeAroundReferences(value);
  }
  const known = resolution.known.get(name);
  if (known !== undefined) return known;
  const raw = resolution.find(name);
  const cut = resolution.cut.get(`${depth} ${name}`);
  if (raw === undefined) return null;
  if (cut !== undefined || depth >= maxDepth) {
    resolution.isCut = true;
    return cut ?? null;
  }
  const wasCut = resolution.isCut;
  resolution.isCut = false;
  resolution.known.set(name, null);
  const value = resolveText(resolution, raw, where, depth + 1, null);
  const isUsable = value.length <= maxValueChars;
  if (!isUsable) resolution.tooLong.add(name);
  if (resolution.isCut && isUsable) {
    resolution.known.delete(name);
    resolution.cut.set(`${depth} ${name}`, value);
  } else resolution.known.set(name, isUsable ? value : null);
  resolution.isCut ||= wasCut;
  if (isUsable) resolution.result.variablesUsed[name] = value;
  return isUsable ? value : null;
}

/** By its name alone, as it is given: `%` says how its value is written in this place. */
function note(resolution: Resolution, written: string, where: RequestPart): void {
  const name = plainName(written);
  const key = `${where} ${name}`;
  if (resolution.noted.has(key)) return;
  resolution.noted.add(key);
  resolution.result.unresolved.push({ name, where });
  if (resolution.find(name) !== undefined)
    resolution.result.entangled.push({ name, from: plainName(resolution.from) });
}

function resolveText(
  resolution: Resolution,
  text: string,
  where: RequestPart,
  depth: number,
  segments: TextSegment[] | null,
): string {
  let result = '';
  let copied = 0;
  const copyTo = (end: number): void => {
    if (end === copied) return;
    const start = result.length;
    result += text.slice(copied, end);
    segments?.push({ start, end: result.length, sourceStart: copied, sourceEnd: end, variable: null });
    copied = end;
  };
  for (let found = findExpression(text, 0); found !== null; found = findExpression(text, found.end)) {
    const { start: open, end, name } = found;
    const isForBackEnd = isVaultExpression(name) || (where === 'header' && isBackEndValue(name));
    if (depth === 0) resolution.from = name;
    const value = isForBackEnd ? null : look(resolution, name, where, depth);
    resolution.room -= value?.length ?? 0;
    if (resolution.tooLong.has(name) || (value !== null && resolution.room < 0))
      resolution.result.isTooLong = true;
    else if (value !== null) {
      copyTo(open);
      const start = result.length;
      result += segments === null ? value : escapeInQuotes(resolution, name, value, result);
      segments?.push({ start, end: result.length, sourceStart: open, sourceEnd: end, variable: name });
      copied = end;
    } else if (!isForBackEnd) note(resolution, name, where);
  }
  if (copied === 0 && segments === null) return text;
  copyTo(text.length);
  return result;
}

/** Tells whether what stands for a name comes from elsewhere, or any part of it. */
function holdsText({ texts, find }: Pick<Resolution, 'texts' | 'find'>, name: string, depth = 0): boolean {
  if (texts === null || texts.is(name)) return texts !== null;
  const known = texts.known.get(name);
  if (known !== undefined || depth >= maxDepth) return known ?? false;
  texts.known.set(name, false);
  const raw = find(name) ?? '';
  for (let inner = findExpression(raw, 0); inner !== null; inner = findExpression(raw, inner.end)) {
    if (!holdsText({ texts, find }, inner.name, depth + 1)) continue;
    texts.known.set(name, true);
    return true;
  }
  return false;
}

/** Writes a value of a body; a text behind an open quote of JSON must not close it, nor add a member of its own. */
function escapeInQuotes(resolution: Resolution, name: string, value: string, begun: string): string {
  const escaped = resolution.texts === null ? value : JSON.stringify(value).slice(1, -1);
  if (escaped === value || !holdsText(resolution, name)) return value;
  const before = resolution.sent + begun;
  const quotes = before.replace(/\\./g, '').split('"').length - 1;
  return /^\s*[[{]/.test(before) && quotes % 2 === 1 ? escaped : value;
}

function startResolution(
  method: string,
  fileVariables: HttpRequestBlock['fileVariables'],
  inputs: ResolveInputs,
  product: Product | null,
): Resolution {
  const { variables, given = {} } = inputs;
  const ofEnvironment = (name: string): string | undefined =>
    name === lastReference
      ? findLastReference(inputs, product)
      : Object.hasOwn(variables, name)
        ? variables[name]
        : undefined;
  // Looked up as they are asked for: a run may have thousands of them, and each request uses a few.
  const own = new Map(fileVariables.map(({ name, value }) => [name, value]));
  const find = (name: string): string | undefined =>
    Object.hasOwn(given, name) ? given[name] : (own.get(name) ?? ofEnvironment(name));
  const result: ResolvedRequest = {
    method,
    url: '',
    headers: [],
    body: null,
    files: [],
    unresolved: [],
    entangled: [],
    bodyMap: [],
    isTooLong: false,
    variablesUsed: createRecord(),
    dynamicUsed: [],
  };
  return {
    find,
    texts: inputs.isText === undefined ? null : { is: inputs.isText, known: new Map() },
    dynamic: inputs.dynamic,
    occurrences: new Map(),
    known: new Map(),
    cut: new Map(),
    isCut: false,
    from: '',
    noted: new Set(),
    room: maxFilledChars,
    tooLong: new Set(),
    sent: '',
    result,
  };
}

/**
 * Fills in a request's variables, once: preview, signature and the bytes sent all come from this one result.
 *
 * The n-th time that the same dynamic expression stands in a request (URL, then headers, then body) has its own pinned
 * value. Values are plain text: nothing is quoted or parsed, and nothing escaped but what comes from elsewhere (`isText`).
 */
export function resolveRequest(request: HttpRequestBlock, inputs: ResolveInputs): ResolvedRequest {
  const product = findTokenProduct(request.headers);
  const resolution = startResolution(request.method.toUpperCase(), request.fileVariables, inputs, product);
  const { result } = resolution;
  const url = resolveText(resolution, request.url, 'url', 0, null);
  result.url = inputs.destination === undefined ? url : takePathForm(url, inputs.destination);
  result.headers = request.headers.map(({ name, value }) => [
    name,
    encodeBasic(name, unfold(resolution, value), (text) => resolveText(resolution, text, 'header', 0, null)),
  ]);
  if (request.body !== null) resolveBody(resolution, request.body, request.bodyCuts);
  return result;
}

/** A dynamic value is drawn for a request, and not for what is expected of it. */
const nothingDynamic: DynamicValues = {
  get: () => null,
  renew: () => undefined,
  renewTimes: () => undefined,
};

/**
 * Fills in the variables of a text that stands beside a request, with the same values and precedence.
 *
 * @param product - whose token the request carries
 * @returns `unresolved`: names that nobody gave a value, which stand as written
 */
export function fillVariables(
  text: string,
  fileVariables: HttpRequestBlock['fileVariables'],
  inputs: Pick<ResolveInputs, 'variables' | 'given' | 'lastReferences'>,
  product: Product | null = null,
): { filled: string; unresolved: string[] } {
  if (!text.includes('{{')) return { filled: text, unresolved: [] };
  const resolution = startResolution('', fileVariables, { ...inputs, dynamic: nothingDynamic }, product);
  const filled = resolveText(resolution, text, 'body', 0, null);
  const unresolved = resolution.result.unresolved.map(({ name }) => name);
  return { filled, unresolved: [...unresolved, ...resolution.tooLong] };
}

function resolveBody(resolution: Resolution, body: string, cuts: readonly BodyCut[]): void {
  const { result } = resolution;
  let sent = '';
  const add = (text: string, segments: TextSegment[], sourceStart: number): void => {
    for (const one of segments) {
      result.bodyMap.push({
        start: one.start + sent.length,
        end: one.end + sent.length,
        sourceStart: one.sourceStart + sourceStart,
        sourceEnd: one.sourceEnd + sourceStart,
        variable: one.variable,
      });
    }
    sent += text;
    resolution.sent = sent;
  };
  const copy = (start: number, end: number): void => {
    if (start === end) return;
    const segments: TextSegment[] = [];
    add(resolveText(resolution, body.slice(start, end), 'body', 0, segments), segments, start);
  };
  let at = 0;
  for (const { start, end, put } of cuts) {
    copy(at, start);
    if (typeof put === 'string') {
      const whole = { start: 0, end: put.length, sourceStart: 0, sourceEnd: end - start, variable: put };
      add(put, put === '' ? [] : [whole], start);
    } else {
      const path = resolveText(resolution, put.path, 'body', 0, null);
      result.files.push({ at: sent.length, path, line: put.line });
    }
    at = end;
  }
  copy(at, body.length);
  result.body = sent;
}

/** Puts in place of a variable that is all the credentials what it is made of, if that is variables again. */
function unfold(resolution: Resolution, header: string): string {
  let text = header;
  for (let depth = 0; depth < maxDepth; depth++) {
    const found = /^(?:Basic[ \t]+)?(?=\{\{)/i.test(text) ? findExpression(text, 0) : null;
    const raw = found?.end === text.trimEnd().length ? resolution.find(found.name) : undefined;
    if (found === null || raw === undefined || findExpression(raw, 0) === null) break;
    text = text.slice(0, found.start) + raw;
  }
  return text;
}

function findSegment(map: readonly TextSegment[], offset: number): TextSegment | undefined {
  let low = 0;
  let high = map.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((map[middle]?.start ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return map[low];
}

/**
 * Gives where a stretch of the resolved body stands in the unresolved one.
 *
 * A stretch that begins or ends inside a value takes the whole `{{…}}`.
 * @returns offsets within the block's body text (add `bodyStart` for the file)
 */
export function mapToSource(
  map: readonly TextSegment[],
  start: number,
  end: number,
): { start: number; end: number } {
  const first = findSegment(map, start);
  const last = findSegment(map, Math.max(start, end - 1));
  if (first === undefined || last === undefined) return { start, end };
  return {
    start: first.variable === null ? first.sourceStart + start - first.start : first.sourceStart,
    end: last.variable === null ? last.sourceStart + end - last.start : last.sourceEnd,
  };
}
