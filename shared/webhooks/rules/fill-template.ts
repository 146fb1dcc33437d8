import type { JsonNode } from '../../json/json-tree';
import { writeJson } from '../../json/write-json';
import { findNode } from '../filter/match-filter';
import { readFieldPath } from '../filter/read-field-path';
import type { RuleRequest } from './answer-rules';
import { decodeFromForm } from '../../encode-for-url';

const TEMPLATE = /\{\{\s{0,20}([^{}\s]{1,500})\s{0,20}\}\}/g;
/** So many characters are filled into one answer: a long body must not be answered with itself a thousand times. */
const MAX_FILLED = 1024 * 1024;

type Query = readonly (readonly [name: string, value: string])[];
/** A webhook as templates read it. */
type TemplateSource = RuleRequest & { query(): Query };
type TemplateReader = (source: TemplateSource) => string;

/** Names that stand alone in a template. */
const wholes: Readonly<Record<string, TemplateReader>> = {
  method: ({ method }) => method,
  path: ({ path }) => path,
};

/** Gives the first template of a text that nothing fills; null: there is none. */
export function findUnknownTemplate(text: string): string | null {
  const names = [...text.matchAll(TEMPLATE)].map(([, name = '']) => name);
  return names.find((name) => readName(name) === null) ?? null;
}

/**
 * Makes what fills the templates of one answer with the webhook's own values; what it does not have is left empty.
 *
 * A rule may name one value twenty thousand times: each is read once, and none any more when nothing may be filled in.
 */
export function createFiller(request: RuleRequest): (text: string) => string {
  let left = MAX_FILLED;
  const known = new Map<string, string | null>();
  let query: Query | null = null;
  const asked: TemplateSource = { ...request, query: () => (query ??= readQuery(request.path)) };
  const read = (name: string): string | null => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const value = readName(name)?.(asked) ?? null;
    known.set(name, value);
    return value;
  };
  const fill = (whole: string, name: string): string => {
    const value = left === 0 ? '' : (read(name)?.slice(0, left) ?? whole);
    left -= value.length;
    return value;
  };
  return (text) => (text.includes('{{') ? text.replace(TEMPLATE, fill) : text);
}

function readName(name: string): TemplateReader | null {
  if (Object.hasOwn(wholes, name)) return wholes[name]!;
  const dot = name.indexOf('.');
  const [area, rest] = [name.slice(0, dot), name.slice(dot + 1)];
  if (dot === -1 || rest === '') return null;
  if (area === 'header') return ({ headers }) => headers(rest.toLowerCase())[0] ?? '';
  if (area === 'query') return ({ query }) => query().find(([one]) => one === rest)?.[1] ?? '';
  const read = readFieldPath(rest, 0);
  if (area !== 'body' || 'expected' in read || read.end < rest.length) return null;
  return ({ body }) => writeValue(findNode(body(), read.path));
}

function writeValue(node: JsonNode | null): string {
  if (node === null) return '';
  return node.kind === 'object' || node.kind === 'array' ? writeJson(node) : node.text;
}

/** Names and values of a query, decoded; what cannot be decoded stays as it is. */
export function readQuery(path: string): [string, string][] {
  const at = path.indexOf('?');
  if (at === -1) return [];
  return path
    .slice(at + 1)
    .split('&')
    .slice(0, 1000)
    .map((pair): [string, string] => {
      const sign = pair.indexOf('=');
      return sign === -1
        ? [decodeFromForm(pair), '']
        : [decodeFromForm(pair.slice(0, sign)), decodeFromForm(pair.slice(sign + 1))];
    });
}
