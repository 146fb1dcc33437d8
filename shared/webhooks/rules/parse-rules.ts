import { encodePath } from '../../encode-for-url';
import { AppError } from '../../errors';
import { sayConflict } from '../../http-file/find-conflicts';
import { decodeJsonString, scanJson } from '../../json/json-scanner';
import { readJsonTree, type JsonNode, type JsonObject } from '../../json/json-tree';
import { writeJson } from '../../json/write-json';
import { cut } from '../filter/parse-filter';
import { splitPointer } from '../filter/read-field-path';
import type { AnswerRule, RuleAnswer, RuleConditions } from './answer-rules';
import { findUnknownTemplate } from './fill-template';

/** Longest file of rules, in characters. */
export const MAX_RULES_LENGTH = 256 * 1024;
const MAX_RULES = 200;
const MAX_MEMBERS = 100;
const MAX_DEPTH = 16;
const MAX_DELAY_MS = 120_000;
const MAX_NAME = 100;
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
/** What the server itself says of an answer. */
const FRAMING = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding', 'upgrade'];

/**
 * Reads a file of answer rules. It comes from others: size, depth, names and values are all checked.
 *
 * @throws {AppError} `listener.bad_rules`, one sentence that names the place, with details `{ where }`
 */
export function parseRules(text: string): AnswerRule[] {
  const root = readRoot(text);
  checkMembers(root, '', ['version', 'rules']);
  const version = root.members.get('version');
  if (version?.kind !== 'number' || version.text !== '1') throw fault('version', 'it should be 1');
  const list = asArray(root.members.get('rules'), 'rules', MAX_RULES);
  const rules = list.map((node, at) => readRule(asObject(node, `rules[${at}]`), at));
  rules.forEach(({ name }, at) => {
    const first = rules.findIndex((one) => one.name === name);
    if (first < at) throw fault(`rules[${at}].name`, `rules[${first}] has the name '${name}' already`);
  });
  return rules;
}

function fault(where: string, what: string): AppError {
  const place = where === '' ? 'The rules' : `The rules at ${where}`;
  return new AppError('listener.bad_rules', `${place} cannot be used: ${what}.`, { details: { where } });
}

function readRoot(text: string): JsonObject {
  if (text.length > MAX_RULES_LENGTH) throw fault('', `they are longer than ${MAX_RULES_LENGTH / 1024} KiB`);
  const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  try {
    checkShape(source);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'listener.bad_rules') throw error;
    const said = sayConflict(source) ?? error.message.replace(/^The body is /, 'this is ');
    throw fault('', said.replace(/\.$/, ''));
  }
  return asObject(readJsonTree(source) ?? undefined, '');
}

/** Depth, and names that stand there twice: which of the two a reader would take, nobody can see. */
function checkShape(text: string): void {
  let depth = 0;
  const open: Set<string>[] = [];
  scanJson(text, {
    levels: MAX_DEPTH + 1,
    key(start, end, hasEscape) {
      const key = decodeJsonString(text, start, end, hasEscape);
      const names = open[depth]!;
      if (names.has(key)) throw fault('', `the name '${cut(key)}' stands twice in one object`);
      names.add(key);
    },
    scalar: () => undefined,
    open: () => {
      if (++depth > MAX_DEPTH) throw fault('', `they nest deeper than ${MAX_DEPTH} levels`);
      open[depth] = new Set();
    },
    close: () => void depth--,
  });
}

function readRule(node: JsonObject, at: number): AnswerRule {
  const where = `rules[${at}]`;
  const { members } = node;
  checkMembers(node, where, ['name', 'when', 'fail_first', 'answer', 'sequence']);
  const [answer, sequence] = [members.get('answer'), members.get('sequence')];
  if (answer !== undefined && sequence !== undefined)
    throw fault(where, "it has both 'answer' and 'sequence'");
  const failFirst = readWhole(members.get('fail_first'), `${where}.fail_first`, 0, 1_000_000, 0);
  if (answer === undefined && sequence === undefined && failFirst === 0) {
    throw fault(where, "it has neither 'answer' nor 'sequence' nor 'fail_first'");
  }
  const answers =
    sequence === undefined
      ? [answer].filter((one) => one !== undefined).map((one) => readAnswer(one, `${where}.answer`))
      : asArray(sequence, `${where}.sequence`, MAX_MEMBERS).map((one, index) =>
          readAnswer(one, `${where}.sequence[${index}]`),
        );
  if (sequence !== undefined && answers.length === 0) throw fault(`${where}.sequence`, 'it is empty');
  const name = readText(members.get('name'), `${where}.name`) ?? `rule ${at + 1}`;
  if (name.trim() === '' || Array.from(name).length > MAX_NAME)
    throw fault(`${where}.name`, `a name has 1 to ${MAX_NAME} characters`);
  return {
    name,
    when: readWhen(members.get('when'), `${where}.when`),
    failFirst,
    answers,
    source: writeJson(node),
  };
}

function readWhen(node: JsonNode | undefined, where: string): RuleConditions {
  const nothing: RuleConditions = { header: {}, query: {}, body: [] };
  if (node === undefined) return nothing;
  const { members } = checkMembers(asObject(node, where), where, [
    'method',
    'path',
    'header',
    'query',
    'body',
  ]);
  const method = readText(members.get('method'), `${where}.method`);
  const path = readText(members.get('path'), `${where}.path`);
  if (path !== undefined && (!path.startsWith('/') || path.includes('?'))) {
    throw fault(`${where}.path`, "a path begins with / and has no query; that goes under 'query'");
  }
  const header = readTexts(members.get('header'), `${where}.header`);
  return {
    ...(method === undefined ? {} : { method: method.toUpperCase() }),
    ...(path === undefined ? {} : { path: encodePath(path) }),
    header: Object.fromEntries(Object.entries(header).map(([name, value]) => [name.toLowerCase(), value])),
    query: readTexts(members.get('query'), `${where}.query`),
    body: readMembers(members.get('body'), `${where}.body`).map(([pointer, value]) => {
      const steps = splitPointer(pointer);
      if (steps !== null) return { steps, value };
      throw fault(`${where}.body`, `'${cut(pointer)}' is no JSON pointer such as /data/amount`);
    }),
  };
}

function readAnswer(node: JsonNode, where: string): RuleAnswer {
  const names = ['status', 'headers', 'body', 'delay_ms', 'drop'];
  const { members } = checkMembers(asObject(node, where), where, names);
  const drop = members.get('drop');
  if (drop !== undefined && !(drop.kind === 'name' && drop.text !== 'null'))
    throw fault(`${where}.drop`, 'it should be true or false');
  const headers = Object.entries(readTexts(members.get('headers'), `${where}.headers`));
  for (const [name, value] of headers) checkHeader(name, value, `${where}.headers`);
  const body = members.get('body') ?? { kind: 'string', text: '' };
  checkTemplates(body.kind === 'string' ? body.text : writeJson(body), `${where}.body`);
  return {
    status: readWhole(members.get('status'), `${where}.status`, 200, 599, 200),
    headers:
      body.kind === 'string' || headers.some(([name]) => name.toLowerCase() === 'content-type')
        ? headers
        : [['Content-Type', 'application/json'], ...headers],
    body: body.kind === 'string' ? body.text : body,
    delayMs: readWhole(members.get('delay_ms'), `${where}.delay_ms`, 0, MAX_DELAY_MS, 0),
    isDropped: drop?.kind === 'name' && drop.text === 'true',
  };
}

function checkHeader(name: string, value: string, where: string): void {
  if (!HEADER_NAME.test(name)) throw fault(where, `'${cut(name)}' is no name of a header`);
  if (FRAMING.includes(name.toLowerCase())) throw fault(where, `${name} is set by the listener itself`);
  if (/[^\t\x20-\x7e]/.test(value))
    throw fault(where, `the value of ${name} holds what a header cannot carry`);
  checkTemplates(value, where);
}

function checkTemplates(text: string, where: string): void {
  const unknown = findUnknownTemplate(text);
  if (unknown === null) return;
  throw fault(
    where,
    `{{${cut(unknown)}}} is not known, but body.a.b, header.x, query.x, method and path are`,
  );
}

function checkMembers(node: JsonObject, where: string, known: readonly string[]): JsonObject {
  const other = [...node.members.keys()].find((name) => !known.includes(name));
  if (other === undefined) return node;
  throw fault(where, `'${cut(other)}' is not known there, but ${known.join(', ')}`);
}

function asObject(node: JsonNode | undefined, where: string): JsonObject {
  if (node?.kind === 'object') return node;
  throw fault(where, 'it should be an object');
}

function asArray(node: JsonNode | undefined, where: string, most: number): readonly JsonNode[] {
  if (node?.kind !== 'array') throw fault(where, 'it should be a list');
  if (node.items.length > most)
    throw fault(where, `it has ${node.items.length} entries, and ${most} are allowed`);
  return node.items;
}

function readMembers(node: JsonNode | undefined, where: string): [string, JsonNode][] {
  if (node === undefined) return [];
  const { members } = asObject(node, where);
  if (members.size > MAX_MEMBERS)
    throw fault(where, `it has ${members.size} entries, and ${MAX_MEMBERS} are allowed`);
  return [...members];
}

function readTexts(node: JsonNode | undefined, where: string): Record<string, string> {
  const texts = readMembers(node, where).map(([name, value]): [string, string] => {
    if (value.kind === 'string') return [name, value.text];
    throw fault(where, `the value of '${cut(name)}' should be text`);
  });
  return Object.fromEntries(texts);
}

function readText(node: JsonNode | undefined, where: string): string | undefined {
  if (node === undefined) return undefined;
  if (node.kind === 'string') return node.text;
  throw fault(where, 'it should be text');
}

function readWhole(
  node: JsonNode | undefined,
  where: string,
  min: number,
  max: number,
  fallback: number,
): number {
  if (node === undefined) return fallback;
  const value = node.kind === 'number' && /^\d{1,9}$/.test(node.text) ? Number(node.text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw fault(where, `it should be a whole number from ${min} to ${max}`);
}
