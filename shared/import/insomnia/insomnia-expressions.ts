import { readCaptured, tokenName } from '../../http-file/foreign-variables';
import { quoteFirstWord } from '../imported';
import { renameVariable, type Renames } from '../variables';

/** Template tags that we make ourselves. */
const tags: readonly (readonly [tag: RegExp, expression: string])[] = [
  [/^uuid\b/, '$uuid'],
  [/^now\s+['"]iso-8601['"]/, '$isoTimestamp'],
  [/^now\s+['"](?:unix|s)['"]/, '$timestamp'],
  [/^now\s*$/, '$isoTimestamp'],
  [/^faker\s+['"](?:guid|randomUUID)['"]/, '$uuid'],
  [/^faker\s+['"]timestamp['"]/, '$timestamp'],
  [/^faker\s+['"]isoTimestamp['"]/, '$isoTimestamp'],
  [/^faker\s+['"]randomInt['"]/, '$randomInt'],
  [/^faker\s+['"]random(?:Example)?Email['"]/, '$random.email'],
];

/** The name that is meant: `_.base_url`, `_['base url']` and `base_url` are ways to write one. */
function readName(inner: string): string {
  const text = inner.trim();
  const quoted = /^_?\[([^[\]]*)\]$/.exec(text)?.[1];
  return quoted === undefined ? text.replace(/^_\./, '') : unquote(quoted.trim());
}

/** Gives the name that a template's variable has with us; `_['wallets'].main[0]` goes down by steps. */
function nameVariable(name: string): string {
  const vault = /^vault\.(.+)$/.exec(name)?.[1];
  const steps = name.replace(/\[([^[\]]*)\]/g, (_whole, step: string) => `.${unquote(step.trim())}`);
  return renameVariable(vault ?? steps.replace(/^_?\./, ''));
}

/** Gives the name with us of what stands between Insomnia's braces, its filters aside. */
export function nameInsomniaVariable(inner: string): string {
  return nameVariable(readName(dropHyphens(inner).split('|', 1)[0]!));
}

function unquote(step: string): string {
  const isQuoted = step.length > 1 && /^['"]/.test(step) && step.at(-1) === step[0];
  return isQuoted ? step.slice(1, -1) : step;
}

/**
 * Puts our expressions in the place of Insomnia's: `{{ _.name }}` and template tags.
 *
 * A filter or a tag that we have not becomes a variable of its own, so that the request says what it lacks.
 * @param note - told of each of these
 * @param renames - takes what has another name with us
 */
export function mapInsomniaText(text: string, note: (what: string) => void, renames: Renames): string {
  // What stands in a comment is filled in by nobody.
  const uncommented = text.replace(/\{#[^]{0,2000}?#\}/g, '');
  if (uncommented !== text)
    note('The comments of its template ({# … #}) are left out: Insomnia does not send them.');
  const plain = trimAround(uncommented);
  const withVariables = plain.replace(/\{\{([^{}\r\n]{1,300})\}\}/g, (whole, inner: string) => {
    const [given = '', ...filters] = dropHyphens(inner).split('|');
    const name = readName(given);
    const own = nameVariable(name);
    if (own !== name) renames.set(whole, `{{${own}}}`);
    if (filters.length > 0)
      note(`The filter '${quoteFirstWord(filters.join('|'))}' of a variable is left out.`);
    return `{{${own}}}`;
  });
  return withVariables.replace(/\{%-?([^%]{1,2000}?)-?%\}/g, (whole, inner: string) => {
    const tag = inner.trim();
    const known = tags.find(([pattern]) => pattern.test(tag));
    if (known !== undefined) {
      renames.set(whole, `{{${known[1]}}}`);
      return `{{${known[1]}}}`;
    }
    const captured = readAnswerTag(tag);
    if (captured !== null) {
      const { name, source } = captured;
      note(
        `The template tag '${quoteFirstWord(tag)}' is not done here: {{${name}}} stands in its place, which a run takes by \`# @capture ${name} = ${source}\` above the request that is answered.`,
      );
      return `{{${name}}}`;
    }
    const word = /^[A-Za-z_]+/.exec(tag)?.[0] ?? 'tag';
    note(
      `The template tag '${quoteFirstWord(tag)}' is not done here: give {{${word}_value}} a value in its place.`,
    );
    return `{{${word}_value}}`;
  });
}

/** A hyphen within the braces takes away the blanks and line ends on its side of them: `{{- _.name -}}`. */
const trimAround = (text: string): string =>
  text
    .replace(/(?<!\s)\s+(?=\{[{%]-)/g, '')
    .replace(/(\{\{[^{}\r\n]{1,300}-\}\}|\{%[^%]{1,2000}-%\})\s+/g, '$1');

const dropHyphens = (inner: string): string => inner.replace(/^-|-$/g, '');

/** `response 'body', 'req_1', '$.access_token'` takes a value of an answer; Insomnia writes its path in Base64, too. */
function readAnswerTag(tag: string): ReturnType<typeof readCaptured> {
  const path = /^response\s+(['"])body\1\s*,\s*(['"])[^'"]*\2\s*,\s*(['"])(.*?)\3/.exec(tag)?.[4];
  if (path === undefined) return null;
  const encoded = /^b64::([A-Za-z\d+/]+={0,2})::46b$/.exec(path)?.[1];
  const captured = readCaptured('body', encoded === undefined ? path : decodeBase64(encoded));
  if (captured === null || tokenName.test(captured.name)) return captured;
  // A variable of an environment may have the bare name, and another value.
  return { ...captured, name: `response_${captured.name}` };
}

function decodeBase64(text: string): string {
  try {
    return atob(text);
  } catch {
    return '';
  }
}
