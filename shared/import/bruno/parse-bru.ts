import { AppError } from '../../errors';
import { refuseMany } from '../imported';

/** One `key: value` of a block. */
export interface BruPair {
  name: string;
  value: string;
  isEnabled: boolean;
}

/** One block of a file: pairs, a text, or a list of names. */
export interface BruBlock {
  name: string;
  pairs: BruPair[];
  text: string;
  names: string[];
  line: number;
}

/** A request has ten. */
const MAX_BLOCKS = 20_000;

const blockStart = /^([A-Za-z][\w:-]*)[ \t]*([{[])[ \t]*(.*)/s;
/** Blocks that hold a text, as it stands but for two blanks before each line. */
const textBlock =
  /^(?:body(?::(?:json|text|xml|sparql|graphql|graphql:vars))?|script:[\w-]+|tests|docs|example)$/;

/**
 * Reads the text of a `.bru` file as blocks.
 *
 * @throws {AppError} `import.not_readable` with the line, where a block does not end
 * @source docs.usebruno.com, Bru markup language
 */
export function parseBru(text: string, path: string): BruBlock[] {
  const lines = text.split('\n');
  const blocks: BruBlock[] = [];
  for (let at = 0; at < lines.length; at++) {
    const found = blockStart.exec(lines[at]!.replace(/\r$/, ''));
    if (found === null) continue;
    const [, name = '', bracket, rest = ''] = found;
    const isText = textBlock.test(name);
    const end = findEnd(lines, at, bracket === '[' ? ']' : '}', rest);
    if (end === -1) {
      throw new AppError(
        'import.not_readable',
        `${path}, line ${at + 1}: the block '${name}' does not end. Save the request in Bruno again, and import that.`,
      );
    }
    const inner = end === at ? [rest.trimEnd().slice(0, -1)] : lines.slice(at + 1, end);
    if (blocks.length === MAX_BLOCKS) throw refuseMany(MAX_BLOCKS, 'blocks in one file');
    blocks.push({
      name,
      pairs: bracket === '[' || isText ? [] : readPairs(inner),
      text: isText ? readText(inner) : '',
      names: bracket === '[' ? readNames(inner) : [],
      line: at + 1,
    });
    at = end;
  }
  return blocks;
}

/** Gives the line that ends a block: the first that begins with its bracket; a list may end on its own line. */
function findEnd(lines: readonly string[], start: number, bracket: string, rest: string): number {
  if (rest.trimEnd().endsWith(bracket)) return start;
  for (let at = start + 1; at < lines.length; at++) {
    if (lines[at]!.startsWith(bracket) || (bracket === ']' && lines[at]!.trim() === bracket)) return at;
  }
  return -1;
}

/** Blank lines in front are Bruno's own; its line ends are one. */
function readText(lines: readonly string[]): string {
  const start = lines.findIndex((line) => line !== '' && line !== '\r');
  if (start === -1) return '';
  return lines
    .slice(start)
    .map((line) => line.replace(/\r$/, '').replace(/^ {2}/, ''))
    .join('\n');
}

function readNames(lines: readonly string[]): string[] {
  return dropAnnotations(lines)
    .flatMap((line) => line.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function dropAnnotations(lines: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const end = findAnnotationEnd(lines, at);
    if (end === -1) kept.push(lines[at]!);
    else at = end;
  }
  return kept;
}

/** `@description(…)` and the like stand above a pair or a name and say nothing of it; several lines stand between `'''`. */
function findAnnotationEnd(lines: readonly string[], start: number): number {
  const found = /^@[^()\s:]+(?:\('''(.*)|\(.*\))?$/s.exec(lines[start]!.trim());
  if (found === null) return -1;
  if (found[1] === undefined || found[1].includes("''')")) return start;
  let end = start + 1;
  while (end < lines.length && !lines[end]!.includes("''')")) end += 1;
  return end;
}

/** `~name: value`, in the groups of the quoted form. */
function splitPair(line: string): [whole: string, off: string, name: string, value: string] | null {
  const at = line.indexOf(':');
  if (at === -1) return null;
  const off = line.startsWith('~') ? '~' : '';
  return [line, off, line.slice(off.length, at).trim(), line.slice(at + 1).trim()];
}

/** The line that ends a text which begins with `'''`; -1: none does, and these are signs of the value. */
function findTextEnd(lines: readonly string[], start: number): number {
  for (let at = start + 1; at < lines.length; at++) if (lines[at]!.includes("'''")) return at;
  return -1;
}

function readPairs(lines: readonly string[]): BruPair[] {
  const pairs: BruPair[] = [];
  for (let at = 0; at < lines.length; at++) {
    const annotationEnd = findAnnotationEnd(lines, at);
    if (annotationEnd !== -1) {
      at = annotationEnd;
      continue;
    }
    const line = lines[at]!.trim();
    const quoted = /^(~?)"([^"\\]*(?:\\.[^"\\]*)*)"\s*:\s*(.*)/s.exec(line);
    const found = quoted ?? splitPair(line);
    if (found === null) continue;
    const name = quoted === null ? (found[2] ?? '') : (found[2] ?? '').replaceAll('\\"', '"');
    let value = found[3] ?? '';
    const end = value.startsWith("'''") && !/'''.*'''/.test(value) ? findTextEnd(lines, at) : -1;
    if (end !== -1) {
      const block = [value.slice(3), ...lines.slice(at + 1, end).map((one) => one.slice(4))];
      at = end;
      const [before = '', behind = ''] = lines[at]!.split("'''");
      value =
        [...block, before.slice(4)].join('\n').trim() + (behind.trim() === '' ? '' : ` ${behind.trim()}`);
    } else value = value.replace(/^'''(.*)'''/s, '$1').trim();
    // `"~name"` is off, too.
    const isOff = found[1] !== '' || (quoted !== null && name.startsWith('~'));
    pairs.push({ name: found[1] === '' && isOff ? name.slice(1) : name, value, isEnabled: !isOff });
  }
  return pairs;
}
