import { scriptStart } from './foreign-lines';
import { bodyFile } from './read-head';
import { listScriptLines } from './script-braces';
import type { HttpFile, HttpFileFault, HttpRequestBlock } from './http-file';

/** Lines of a body that another client takes for something else. */
const bodyLines: readonly (readonly [pattern: RegExp, message: string])[] = [
  [/^\s*#/, 'begins with “#”: other clients take it for a comment and leave it out.'],
  [/^\s*\/\//, 'begins with “//”: other clients take it for a comment and leave it out.'],
  [/^\s*@[^\s=:]+\s*:?=/, 'begins with “@”: httpYac takes it for a variable and leaves it out.'],
  [/^\s*\?\?/, 'begins with “??”: httpYac takes it for an assertion and leaves it out.'],
  [scriptStart, 'begins with “{{”: httpYac takes what follows for a script.'],
  [/^\s*\{\{(?!.*\}\})/, 'begins with “{{”: other clients may take what follows for a script.'],
  [/^\s*>/, 'begins with “>”: other clients may take it for a response handler.'],
  [
    /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)[ \t]+\S/,
    'begins like a request: httpYac sends it as one. Put “###” before it if it is.',
  ],
  [/={3}\s*(?:wait-for-server\s*)?$/, 'ends in “===”: httpYac splits the body there.'],
];

/** Of braces that hold more than a name. */
export const scriptNote =
  'What stands in the braces here is no variable: httpYac runs it as JavaScript. Look at it before you open it there.';

function findInBody({ body, bodyLine }: HttpRequestBlock): HttpFileFault[] {
  if (body === null) return [];
  return body.split('\n').flatMap((text, index) => {
    const found = bodyLines.find(([pattern]) => pattern.test(text));
    return found === undefined ? [] : [{ line: bodyLine + index, message: `This line ${found[1]}` }];
  });
}

/** Of a form the first line with what stands in no URL: beside files, variables and the ends of lines, which all clients trim. */
function findRawInForm({ headers, body, bodyLine }: HttpRequestBlock): HttpFileFault[] {
  const type = headers.findLast(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';
  if (body === null || !/^application\/x-www-form-urlencoded/i.test(type)) return [];
  const isRaw = (part: string): boolean => /[^!-~]/.test(part.trim());
  const lines = body.split('\n').map((text) => text.replace(/\{\{[^{}]{0,300}\}\}/g, '').split('&'));
  const at = lines.findIndex((parts) => !bodyFile.test(parts[0]!) && parts.some(isRaw));
  if (at === -1) return [];
  const message =
    'Blanks and letters beyond ASCII in a form are sent as they stand: httpYac encodes them. Write %20 and the like.';
  return [{ line: bodyLine + at, message }];
}

function findInBlock(file: HttpFile, block: HttpRequestBlock): HttpFileFault[] {
  const { method, methodEnd, line, requestLineStart, requestLineEnd, body } = block;
  const warnings: HttpFileFault[] = [];
  const warn = (message: string): void => void warnings.push({ line, message });
  if (methodEnd !== null && method !== method.toUpperCase()) {
    warn('The method is not in capitals: httpYac does not take it for one.');
  }
  if (file.text.slice(requestLineStart, requestLineEnd).includes('\n')) {
    warn('The URL goes on over lines: not every client joins them. Write it on one line.');
  }
  if (body?.includes('\r\n') === true && block.bodyCuts.length === 0) {
    warn('The lines of the body end in CR and LF: httpYac sends LF alone, which is another body to sign.');
  }
  const scripts = listScriptLines(block).map((at) => ({ line: at, message: scriptNote }));
  return [...warnings, ...findInBody(block), ...findRawInForm(block), ...scripts];
}

/**
 * Finds where another client would read a file otherwise: JetBrains' client, the VS Code REST Client, httpYac.
 *
 * Countersign sends each of these as written; a team that shares the file would send something else.
 * @returns in the order of their lines
 */
export function findOtherReadings(file: HttpFile): HttpFileFault[] {
  return file.requests.flatMap((block) => findInBlock(file, block));
}
