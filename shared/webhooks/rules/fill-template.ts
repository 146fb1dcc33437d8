import type { JsonNode } from '../../json/json-tree';
import { writeJson } from '../../json/write-json';
import { findNode } from '../filter/match-filter';
import { readFieldPath } from '../filter/read-field-path';
import type { RuleRequest } from './answer-rules';

const TEMPLATE = /\{\{\s{0,20}([^{}\s]{1,500})\s{0,20}\}\}/g;
/** So many characters are filled into one answer: a long body must not be answered with itself a thousand times. */
const MAX_FILLED = 1024 * 1024;

/** Names that stand alone in a template. */
const wholes: Readonly<Record<string, (request: RuleRequest) => string>> = {
  method: ({ method }) => method,
  path: ({ path }) => path,
};

/** Gives the first template of a text that nothing fills; null: there is none. */
export function findUnknownTemplate(text: string): string | null {
  const names = [...text.matchAll(TEMPLATE)].map(([, name = '']) => name);
  return names.find((name) => readName(name) === null) ?? null;
}

/** Makes what fills the templates of one answer with the webhook's own values; what it does not have is left empty. */
export function createFiller(request: RuleRequest): (text: string) => string {
  let left = MAX_FILLED;
  const fill = (whole: string, name: string): string => {
    const value = readName(name)?.(request).slice(0, left) ?? whole;
    left -= value.length;
    return value;
  };
  return (text) => (text.includes('{{') ? text.replace(TEMPLATE, fill) : text);
}

function readName(name: string): ((request: RuleRequest) => string) | null {
  if (Object.hasOwn(wholes, name)) return wholes[name]!;
  const dot = name.indexOf('.');
  const [area, rest] = [name.slice(0, dot), name.slice(dot + 1)];
  if (dot === -1 || rest === '') return null;
  if (area === 'header') return ({ headers }) => headers(rest.toLowerCase())[0] ?? '';
  if (area === 'query') return ({ path }) => readQuery(path).find(([one]) => one === rest)?.[1] ?? '';
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
      return sign === -1 ? [decode(pair), ''] : [decode(pair.slice(0, sign)), decode(pair.slice(sign + 1))];
    });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
