import { parseAst } from 'rolldown/parseAst';
import type { Plugin } from 'vite';

/** A character that V8 keeps two bytes for, and with it two for every other of its file. */
const wide = /[^\0-\u00ff]/;
/** Escapes are passed as wholes, so that a backslash before a wide character is known to be that character's. */
const escapeOrWide = /\\[\0-\u00ff]|\\?[^\0-\u00ff]/g;

type Node = { type: string; start: number; end: number; [key: string]: unknown };

/**
 * Writes characters beyond Latin-1 as escapes in what is built. V8 keeps the text of each script that it runs: one
 * dash in a message doubled what that takes, in each thread that loads it.
 */
export function writeNarrow(): Plugin {
  return {
    name: 'countersign:write-narrow',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const one of Object.values(bundle)) if (one.type === 'chunk') one.code = escapeWide(one.code);
    },
  };
}

/**
 * Gives a script that does the same in Latin-1 alone.
 *
 * @throws Error where a wide character stands in a name or in a tagged template, which an escape would change
 */
export function escapeWide(code: string): string {
  if (!wide.test(code)) return code;
  let written = '';
  let at = 0;
  for (const { start, end } of listTexts(parseAst(code) as unknown as Node)) {
    written += code.slice(at, start) + code.slice(start, end).replace(escapeOrWide, writeEscape);
    at = end;
  }
  written += code.slice(at);
  const left = wide.exec(written);
  if (left === null) return written;
  const around = written.slice(Math.max(0, left.index - 40), left.index + 40);
  throw new Error(`No escape can stand for '${left[0]}' here: ${around}`);
}

function writeEscape(found: string): string {
  const last = found.at(-1)!;
  return wide.test(last) ? `\\u${last.charCodeAt(0).toString(16).padStart(4, '0')}` : found;
}

/** Literals and untagged templates, as they follow one another. */
function listTexts(root: Node): { start: number; end: number }[] {
  const texts: { start: number; end: number }[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (typeof value !== 'object' || value === null || typeof (value as Node).type !== 'string') return;
    const node = value as Node;
    if (node.type === 'Literal' || node.type === 'TemplateElement') texts.push(node);
    else if (node.type === 'TaggedTemplateExpression') visit((node['quasi'] as Node)['expressions']);
    else Object.values(node).forEach(visit);
  };
  visit(root);
  return texts.sort((a, b) => a.start - b.start);
}
