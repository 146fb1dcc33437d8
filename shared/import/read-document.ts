import {
  Composer,
  type CST,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
} from 'yaml';
import { AppError } from '../errors';
import { parseJsonTree, type JsonNode } from '../json/json-tree';
import { readNumberParts } from '../json/number-literal';
import type { SourceFile } from './imported';

/** Deeper than any collection or schema that people write; far below what a recursive reader bears. */
const MAX_LEVELS = 200;
/** YAML takes a hundred times as long to read as JSON. */
const MAX_YAML_CHARS = 10 * 1024 * 1024;
/** Counted with what aliases stand for: a few lines of YAML can stand for billions. */
const MAX_YAML_NODES = 2_000_000;
/** Names, values, signs, blanks and line ends: the tree of a million takes 400 MB and a second. A line of a schema has eight. */
const MAX_YAML_LEXEMES = 3_000_000;

/** A value is 25 bytes of what a tool exports; of empty objects fifteen million end the process. */
const MAX_JSON_VALUES = 3_000_000;

const refuseMany = (kind: 'JSON' | 'YAML'): never => {
  throw new AppError(
    'import.too_large',
    `This ${kind} file holds millions of names and values, which no collection needs. Nothing was imported.`,
  );
};

const refuseDepth = (): never => {
  throw new AppError(
    'import.too_deep',
    `The file is nested deeper than ${MAX_LEVELS} levels, which no collection is. Nothing was imported.`,
  );
};

const refuseText = (why: string, cause?: unknown): AppError =>
  new AppError('import.not_readable', `The file cannot be read: ${why}. Export it again, and import that.`, {
    cause,
  });

/**
 * Reads JSON or YAML as a tree of literals: numbers stay as they were written.
 *
 * @throws {AppError} `import.not_readable` with the line, `import.too_deep`, `import.too_large`
 */
export function readDocument(text: string): JsonNode {
  if (/^\s*[[{]/.test(text)) return readJson(text);
  if (text.length > MAX_YAML_CHARS) {
    const most = `${MAX_YAML_CHARS / 1024 / 1024} MiB`;
    throw new AppError('import.too_large', `YAML of more than ${most} is not read. Export it as JSON.`);
  }
  return readYaml(text);
}

/** What files hold, for as long as they are kept: the format is found out first, and what is imported may be read twice. */
const known = new WeakMap<SourceFile, JsonNode>();

/**
 * Reads a file of an import as {@link readDocument} does, once: of YAML that takes seconds. What it gives is not to be changed.
 *
 * @param file - left out: an empty text
 */
export function readSourceDocument(file: SourceFile | undefined): JsonNode {
  if (file === undefined) return readDocument('');
  const root = known.get(file) ?? readDocument(file.text);
  known.set(file, root);
  return root;
}

function readJson(text: string): JsonNode {
  try {
    return parseJsonTree(text, MAX_LEVELS, {
      refuseDeeper: refuseDepth,
      mostValues: MAX_JSON_VALUES,
      refuseMore: () => refuseMany('JSON'),
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'signing.not_json') throw error;
    throw refuseText(error.message.replace('The body is not JSON: ', '').replace(/\.$/, ''), error);
  }
}

/** What is counted later is a tree already: one of ten million small values ends the process before. */
function refuseManyLexemes(text: string): void {
  let count = 0;
  for (const _ of new Lexer().lex(text)) {
    count += 1;
    if (count > MAX_YAML_LEXEMES) refuseMany('YAML');
  }
}

/**
 * Refuses what is nested too deep before anything calls itself for each level: where the stack ends within a regular expression
 * that V8 has not compiled yet, it ends the process, and nothing can catch that.
 */
function refuseDeepTokens(tokens: readonly CST.Token[]): void {
  let nodes = tokens.flatMap((token) => (token.type === 'document' ? (token.value ?? []) : []));
  for (let level = 0; nodes.length > 0; level += 1) {
    if (level > MAX_LEVELS) refuseDepth();
    const items = nodes.flatMap((node): readonly CST.CollectionItem[] => ('items' in node ? node.items : []));
    nodes = items.flatMap(({ key, value }) => [key ?? [], value ?? []].flat());
  }
}

function readYaml(text: string): JsonNode {
  refuseManyLexemes(text);
  const lineCounter = new LineCounter();
  const tokens = [...new Parser(lineCounter.addNewLine).parse(text)];
  refuseDeepTokens(tokens);
  // Pretty errors copy their line each: half a million of them on one line would never end.
  const composer = new Composer({ uniqueKeys: false, prettyErrors: false, logLevel: 'silent', lineCounter });
  const [document] = composer.compose(tokens, true, text.length);
  const [fault] = document!.errors;
  if (fault !== undefined) {
    const { line, col } = lineCounter.linePos(fault.pos[0]);
    const why = fault.message.split('\n')[0]!.replace(/[.:]$/, '');
    throw refuseText(`${why} at line ${line}, column ${col}`, fault);
  }
  return convert(document!.contents, 0, { known: new Map(), count: 0 }).node;
}

interface Sized {
  node: JsonNode;
  /** Nodes that it stands for, those behind aliases each time. */
  size: number;
}

interface Conversion {
  known: Map<string, Sized>;
  count: number;
}

function convert(node: unknown, depth: number, conversion: Conversion): Sized {
  if (depth > MAX_LEVELS) return refuseDepth();
  if (isAlias(node)) {
    const found = conversion.known.get(node.source);
    if (found === undefined) throw refuseText(`*${node.source.slice(0, 40)} stands for nothing`);
    spend(conversion, found.size);
    return found;
  }
  const before = conversion.count;
  spend(conversion, 1);
  const result = { node: convertPlain(node, depth, conversion), size: conversion.count - before };
  const { anchor } = (node ?? {}) as Node & { anchor?: string };
  if (anchor !== undefined) conversion.known.set(anchor, result);
  return result;
}

function spend(conversion: Conversion, size: number): void {
  conversion.count += size;
  if (conversion.count <= MAX_YAML_NODES) return;
  throw new AppError(
    'import.too_large',
    'The aliases of this YAML file stand for millions of values, which no collection needs. Nothing was imported.',
  );
}

function convertPlain(node: unknown, depth: number, conversion: Conversion): JsonNode {
  if (isSeq(node)) {
    return { kind: 'array', items: node.items.map((item) => convert(item, depth + 1, conversion).node) };
  }
  if (isMap(node)) return convertMap(node.items, depth, conversion);
  return isScalar(node) ? convertScalar(node.value, node.source) : { kind: 'name', text: 'null' };
}

function convertMap(pairs: readonly unknown[], depth: number, conversion: Conversion): JsonNode {
  const members = new Map<string, JsonNode>();
  const merged = new Map<string, JsonNode>();
  for (const pair of pairs) {
    if (!isPair(pair)) continue;
    const key = isScalar(pair.key) ? String(pair.key.source ?? pair.key.value) : '';
    const { node } = convert(pair.value, depth + 1, conversion);
    if (key !== '<<') members.set(key, node);
    else for (const one of node.kind === 'array' ? node.items : [node]) merge(merged, one);
  }
  return { kind: 'object', members: merged.size === 0 ? members : new Map([...merged, ...members]) };
}

/** `<<`: what is there already stays. */
function merge(into: Map<string, JsonNode>, from: JsonNode): void {
  if (from.kind !== 'object') return;
  for (const [key, value] of from.members) if (!into.has(key)) into.set(key, value);
}

function convertScalar(value: unknown, source: string | undefined): JsonNode {
  if (typeof value === 'string') return { kind: 'string', text: value };
  if (typeof value === 'boolean' || value === null) return { kind: 'name', text: String(value) };
  if (typeof value !== 'number' && typeof value !== 'bigint') return { kind: 'string', text: source ?? '' };
  if (source !== undefined && readNumberParts(source) !== null) return { kind: 'number', text: source };
  return readNumberParts(String(value)) === null
    ? { kind: 'string', text: String(value) }
    : { kind: 'number', text: String(value) };
}
