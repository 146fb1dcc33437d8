import { isDrawn, listBraces } from '../../http-file/script-braces';

/** A variable, also one of the back end's or the vault's, and also encoded for a URL. */
const identifier = String.raw`[\p{L}_][\p{L}\p{M}\p{N}_]*`;
const path = String.raw`${identifier}(?:\.${identifier})?`;
const variable = new RegExp(String.raw`^(?:${path}|encodeURIComponent\(${path}\))$`, 'u');

function isHarmless(expression: string): boolean {
  return variable.test(expression) || isDrawn(expression);
}

/** Tells whether httpYac would run a part of this text, which is text and nothing more to us. */
export function holdsScript(text: string): boolean {
  return listBraces(text).some(({ inner }) => !isHarmless(inner));
}

/**
 * Writes braces that hold neither a variable nor a value that is drawn as httpYac sends them, instead of running them.
 *
 * A collection of a stranger is text with us; what is exported must not become a program.
 */
export function escapeScripts(text: string): string {
  let escaped = '';
  let copied = 0;
  for (const { start, end, inner } of listBraces(text)) {
    if (isHarmless(inner)) continue;
    // Each brace: of a pair that were left whole, httpYac could make another beginning.
    escaped += text.slice(copied, start) + text.slice(start, end).replace(/[{}]/g, String.raw`\$&`);
    copied = end;
  }
  return escaped + text.slice(copied);
}
