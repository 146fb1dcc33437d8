/** An expression is short; a brace pair further apart is text. */
const maxExpressionChars = 300;

/** One `{{name}}` of a text, braces included. */
export interface Expression {
  start: number;
  end: number;
  name: string;
}

/**
 * Finds the next `{{…}}` that stands for a value; null: there is none.
 *
 * JSON may close two objects and open none: what looks nested or broken over lines is text.
 */
export function findExpression(text: string, from: number): Expression | null {
  for (let start = text.indexOf('{{', from); start !== -1; start = text.indexOf('{{', start)) {
    const found = readExpression(text, start);
    if (found !== null) return found;
    start += text.charCodeAt(start + 2) === 123 ? 1 : 2;
  }
  return null;
}

/** Reads the `{{…}}` that begins right here; null: none does. */
export function readExpression(text: string, start: number): Expression | null {
  if (!text.startsWith('{{', start)) return null;
  const window = text.slice(start + 2, start + 2 + maxExpressionChars);
  const close = window.indexOf('}}');
  const inner = close === -1 ? '' : window.slice(0, close);
  const name = inner.trim();
  if (name === '' || /[\r\n{]/.test(inner) || !isExpressionName(name)) return null;
  return { start, end: start + 2 + close + 2, name };
}

/** Tells whether what stands between braces stands for a value: a name, behind `%` where it is encoded, behind `$` where it is drawn. */
export const isExpressionName = (name: string): boolean => /^%?\$?[\p{L}_]/u.test(name);

/** What a name is that is none. */
export const nameRule = 'the name of a variable begins with a letter or _';

/** Gives the name of what stands between braces, without the `%` that encodes its value. */
export function plainName(written: string): string {
  return written.replace(/^(?:%\s*)+/, '');
}
