import { findExpression, nameRule } from './find-expression';
import { findOtherProtocol } from './foreign-lines';
import type { HeaderLine, HttpFileFault, HttpRequestBlock } from './http-file';
import { countLines } from './http-lines';

/**
 * What parts of a sound request mean in other clients and are not done here: an authorization that they work out, a body that
 * they write anew, an address that they put together.
 */

type Read = Pick<HttpRequestBlock, 'method' | 'url' | 'httpVersion' | 'line' | 'headers'> &
  Pick<HttpRequestBlock, 'body' | 'bodyCuts' | 'bodyLine'>;

/** Words behind a scheme that other clients make its header of; the header itself has one word, or pairs with `=`. */
const workedOut =
  /^(?:digest[ \t]+[^\s=,"]+[ \t]+[^\s=,"]+$|(?:ntlm|aws|cognito)[ \t]+\S+[ \t]+\S|oauth2(?![\w.])|openid\b)/i;

/** Where a value stands is looked at, whatever it is called. */
function hideExpressions(text: string): string {
  let shown = '';
  let at = 0;
  for (let found = findExpression(text, 0); found !== null; found = findExpression(text, found.end)) {
    shown += `${text.slice(at, found.start)}x`;
    at = found.end;
  }
  return shown + text.slice(at);
}

const isWorkedOut = ({ name, value }: HeaderLine): boolean =>
  /^authorization$/i.test(name) && workedOut.test(hideExpressions(value));

/** @returns the line of the first blank beside a `=`; null: there is none */
function findBlankInForm({ headers, body, bodyLine }: Read): number | null {
  const type = headers.findLast(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';
  if (body === null || !/^application\/x-www-form-urlencoded/i.test(type)) return null;
  for (let at = body.indexOf('='); at !== -1; at = body.indexOf('=', at + 1)) {
    if (/[ \t]/.test(body.charAt(at - 1)) || /[ \t]/.test(body.charAt(at + 1)))
      return bodyLine + countLines(body, 0, at);
  }
  return null;
}

/** Comments right above the files of a body of parts: what is between two boundaries is sent. */
function noteComments({ body, bodyCuts }: Read): HttpFileFault[] {
  if (body === null) return [];
  return bodyCuts.flatMap(({ start, put }): HttpFileFault[] => {
    if (typeof put === 'string') return [];
    const above = body.slice(body.lastIndexOf('\n', Math.max(0, start - 2)) + 1, start);
    if (!/^[ \t]*(?:#|\/\/)/.test(above)) return [];
    const message = 'This comment is sent as part of the body; other clients leave it out.';
    return [{ line: put.line - 1, message }];
  });
}

function noteRequestLine({ url, httpVersion, line }: Read): HttpFileFault[] {
  const notes: HttpFileFault[] = [];
  if (/^\/(?!\/)/.test(url)) {
    const message =
      'The address has no host, which other clients take from the header Host: write {{base_url}} before it.';
    notes.push({ line, message });
  }
  if (httpVersion !== null && !/^HTTP\/1(?:\.\d)?$/i.test(httpVersion))
    notes.push({ line, message: 'This is sent as HTTP/1.1.' });
  return notes;
}

/** Of braces that httpYac reads as text. */
export const escapedNote =
  '\\{\\{…\\}\\} is sent as it is written: httpYac sends the braces without their backslashes.';

const [OPENED, CLOSED] = [String.raw`\{\{`, String.raw`\}\}`];

/** Where the first `\{\{…\}\}` begins, as httpYac finds it (`(?:\\\{){2}([^}]+?)(?:\\\}){2}`); -1: nowhere. */
function findEscaped(text: string): number {
  for (let at = text.indexOf(OPENED); at !== -1;) {
    const brace = text.indexOf('}', at + OPENED.length);
    if (brace === -1) return -1;
    if (brace > at + OPENED.length + 1 && text.startsWith(CLOSED, brace - 1)) return at;
    at = text.indexOf(OPENED, brace);
  }
  return -1;
}

function noteEscapes({ url, line, headers, body, bodyLine }: Read): HttpFileFault[] {
  const inHead = [{ text: url, line }, ...headers.map(({ value, line: at }) => ({ text: value, line: at }))];
  const inBody = body === null ? -1 : findEscaped(body);
  const lines = inHead.filter(({ text }) => findEscaped(text) !== -1).map((part) => part.line);
  if (body !== null && inBody !== -1) lines.push(bodyLine + countLines(body, 0, inBody));
  return lines.map((at) => ({ line: at, message: escapedNote }));
}

/** What other clients take for the name of a variable, and is none here: its first character. */
const otherName = /\{\{[ \t]{0,9}[\p{N}@.-][\p{L}\p{M}\p{N}_.-]{0,59}[ \t]{0,9}\}\}/u;

/** Of the first in each part: `{{1}}` may stand many times in a text that is to have it. */
function noteOtherNames({ url, line, headers, body, bodyLine }: Read): HttpFileFault[] {
  const parts = [
    { text: url, line },
    ...headers.map(({ value, line: at }) => ({ text: value, line: at })),
    { text: body ?? '', line: bodyLine },
  ];
  return parts.flatMap(({ text, line: at }): HttpFileFault[] => {
    const found = otherName.exec(text);
    if (found === null) return [];
    const message = `${found[0]} is no variable here and is not filled in: ${nameRule}.`;
    return [{ line: at + countLines(text, 0, found.index), message }];
  });
}

/**
 * Reads a request for what other clients do with it and Countersign does not.
 *
 * @returns the headers that are sent, and what is said of the rest; faults: it cannot be sent as it is meant
 */
export function readForeignMeanings(read: Read): {
  headers: HeaderLine[];
  notes: HttpFileFault[];
  faults: HttpFileFault[];
} {
  const notes = [
    ...noteRequestLine(read),
    ...noteComments(read),
    ...noteEscapes(read),
    ...noteOtherNames(read),
  ];
  const faults: HttpFileFault[] = [];
  const protocol = findOtherProtocol(read.method);
  if (protocol !== null) {
    const message = `Countersign sends HTTP; this request is for ${protocol}. \`# @skip REASON\` leaves it out of a run.`;
    faults.push({ line: read.line, message });
  }
  const headers = read.headers.filter((header) => {
    const { name, value, line } = header;
    if (/^x-request-type$/i.test(name) && /^graphql$/i.test(value)) {
      const message =
        'Other clients make JSON of a body of GraphQL: write it as {"query": "…", "variables": {…}}, without this header.';
      faults.push({ line, message });
    }
    const isLeft = isWorkedOut(header);
    if (isLeft) notes.push({ line, message: 'Other clients work this header out; here it is not sent.' });
    return !isLeft;
  });
  const blank = findBlankInForm(read);
  if (blank !== null) {
    const message = 'Blanks beside “=” are sent; other clients leave them out or encode them.';
    notes.push({ line: blank, message });
  }
  return { headers, notes, faults };
}
