import { activeCharacters } from '../../hidden-characters';
import { mapExpressions } from '../map-expressions';

/** What a line of a script, or a reader of it, would not keep as it is: line ends, controls, characters without a width. */
const special = new RegExp(`[\\t\\n]|${activeCharacters.source}`);
const escaped = new RegExp(`[\\t\\n\\\\']|${activeCharacters.source}`, 'g');
const escapes: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\\': '\\\\',
  "'": "\\'",
};

function escapeBytes(character: string): string {
  return [...new TextEncoder().encode(character)]
    .map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
    .join('');
}

/** Quotes a text for bash so that it stays on one line and reaches the command byte for byte. */
function quotePlain(text: string): string {
  if (!special.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const written = text.replace(escaped, (one) => escapes[one] ?? escapeBytes(one));
  return `$'${written}'`;
}

/**
 * Quotes a text with variables in it for bash.
 *
 * @param write - gives what the shell puts in a variable's place: `$base_url`, `$(…)`
 */
export function quoteForShell(text: string, write: (name: string) => string): string {
  const parts: string[] = [];
  let plain = '';
  let copied = 0;
  const flush = (): void => {
    if (plain !== '') parts.push(quotePlain(plain));
    plain = '';
  };
  // Offsets are of the text as it is: what is written instead goes to the parts.
  mapExpressions(text, (name) => {
    const at = findExpression(text, name, copied);
    plain += text.slice(copied, at.start);
    flush();
    parts.push(`"${write(name)}"`);
    copied = at.end;
    return '';
  });
  plain += text.slice(copied);
  flush();
  return parts.length === 0 ? "''" : parts.join('');
}

/** Requests are written with no blanks inside the braces. */
function findExpression(text: string, name: string, from: number): { start: number; end: number } {
  const written = `{{${name}}}`;
  const start = text.indexOf(written, from);
  return { start, end: start + written.length };
}
