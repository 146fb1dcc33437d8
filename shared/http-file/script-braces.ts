import { createDynamicValues, type DynamicSources } from './dynamic-values';
import type { HttpRequestBlock } from './http-file';

/** Braces as httpYac finds them, with what stands within, without the blanks around it. */
export interface Braces {
  start: number;
  end: number;
  inner: string;
}

/**
 * Lists what httpYac fills in, as it finds it: all but the names of variables it runs as JavaScript.
 *
 * It is `/\{\{\s*(.+?)\s*\}\}/gu`, in one walk (blanks alone it leaves out): the pattern looks at each run of blanks or braces again and again.
 */
export function listBraces(text: string): Braces[] {
  const found: Braces[] = [];
  const lineEnd = /[\n\r\u2028\u2029]/g;
  let close = -1;
  let innerEnd = 0;
  let nextLineEnd = -1;
  for (let start = text.indexOf('{{'); start !== -1; start = text.indexOf('{{', start)) {
    const innerStart = skipBlanks(text, start + 2);
    if (close <= innerStart) {
      close = text.indexOf('}}', innerStart + 1);
      if (close === -1) return found;
      innerEnd = close;
      while (/\s/.test(text[innerEnd - 1]!)) innerEnd -= 1;
    }
    if (nextLineEnd < innerStart) {
      lineEnd.lastIndex = innerStart;
      nextLineEnd = lineEnd.exec(text)?.index ?? Infinity;
    }
    if (nextLineEnd < innerEnd) start += 1;
    else {
      found.push({ start, end: close + 2, inner: text.slice(innerStart, innerEnd) });
      start = close + 2;
    }
  }
  return found;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at]!)) at += 1;
  return at;
}
/** What nobody would write to have something run, `{{user-id}}` as well; `process.env.HOME` is of the machine. */
const name = /^(?!process\.)%?\s*(?:[\p{L}\p{M}\p{N}_.$-][\p{L}\p{M}\p{N}_.$ -]*|(?<= ))$/u;
/** Lines of a body that httpYac acts on: what a comment asks for, an assertion, a variable, the start of a script. */
const actingLine = /^[^\S\r\n\u2028\u2029]*(?:(?:#+|\/{2,})\s*@|\?\?|@[^\s=:]+\s*:=|\{\{(?!.*\}\}))/m;

/** Tells whether httpYac would act on a line of this body instead of sending it. */
export function hasActingLine(body: string): boolean {
  return actingLine.test(body);
}

/** For who asks whether a value is drawn, and not which. */
export const anySources: DynamicSources = {
  now: () => 0,
  random: { uuid: () => '', bytes: (count) => new Uint8Array(count) },
};

/** Tells whether an expression is one of those that draw a value: `$uuid`, `$randomInt 1 10`. */
export function isDrawn(expression: string): boolean {
  return createDynamicValues(anySources).get(expression, 0) !== null;
}

/** Finds the lines of a request whose braces hold more than a name: text to us, and a program to httpYac. */
export function listScriptLines({ line, url, headers, body, bodyLine }: HttpRequestBlock): number[] {
  const holds = (text: string): boolean =>
    listBraces(text).some(({ inner }) => !name.test(inner) && !isDrawn(inner));
  const head = [url, ...headers.map(({ value }) => value)].some(holds) ? [line] : [];
  const lines = body?.split('\n') ?? [];
  return [...head, ...lines.flatMap((text, index) => (holds(text) ? [bodyLine + index] : []))];
}
