import {
  describeForeignAnnotation,
  describeForeignLine,
  scriptEnd,
  scriptsKept,
  scriptStart,
} from './foreign-lines';
import type { Annotation, FileVariable, HttpFileFault } from './http-file';
import { readLine, unreadLine, type Line, type LineReader } from './http-lines';

/** What stands beside a request and is not part of it. */
export interface Asides {
  annotations: Annotation[];
  variables: FileVariable[];
  notes: HttpFileFault[];
}

const comment = /^[ \t]*(?:#|\/\/)/;
const annotationLine = /^[ \t]*(?:#+|\/\/+)\s*@([A-Za-z][\w-]*)(?:[ \t]*=[ \t]*|[ \t]+|$)(.*)/s;
const variableLine = /^[ \t]*@([\p{L}_$][\p{L}\p{M}\p{N}_.-]*)\s*=\s*(.*)/su;
/** Nothing, as httpYac and our export for it write it: a value of no text is an address there. */
const nothing = /^\{\{\s*(?:''|"")\s*\}\}$/;
const handlerStart = /^[ \t]*[<>]\s*\{%/;

/** Tells whether a line is a comment, annotations included. */
export function isComment(text: string): boolean {
  return comment.test(text);
}

/** Tells whether a line defines a file variable. */
export function isVariable(text: string): boolean {
  return variableLine.test(text);
}

/** Reads a comment, a file variable, a script or a line of another client; false: the line is none of them. */
export function readAside(
  reader: LineReader,
  line: Line,
  asides: Asides,
  place: 'head' | 'body' = 'head',
): boolean {
  const { text } = line;
  if (comment.test(text)) readAnnotation(line, asides);
  else if (variableLine.test(text)) readVariable(line, asides);
  else if (!skipScript(reader, line, asides.notes)) {
    const message = describeForeignLine(text, place);
    if (message === null) return false;
    asides.notes.push({ line: line.number, message });
  }
  return true;
}

function readAnnotation({ text, start, end, number }: Line, { annotations, notes }: Asides): void {
  const found = annotationLine.exec(text);
  if (found === null) return;
  const [, name = '', value = ''] = found;
  annotations.push({ name, value: value.trim(), line: number, start, end });
  const message = describeForeignAnnotation(name);
  if (message !== null) notes.push({ line: number, message });
}

function readVariable({ text, number }: Line, { variables }: Asides): void {
  const [, name = '', value = ''] = variableLine.exec(text) ?? [];
  const given = value.trim();
  variables.push({ name, value: nothing.test(given) ? '' : given, line: number });
}

/** Passes over `< {% … %}`, `> {% … %}` and `{{ … }}`; false: the line begins none, or it does not end. */
export function skipScript(reader: LineReader, line: Line, notes: HttpFileFault[]): boolean {
  const isHandler = handlerStart.test(line.text);
  if (!isHandler && (!scriptStart.test(line.text) || isEndless(reader, line))) return false;
  const isEnd = isHandler ? (text: string) => text.includes('%}') : (text: string) => scriptEnd.test(text);
  let at: Line | null = line;
  while (at !== null && !(isEnd(at.text) && (isHandler || at !== line))) at = readLine(reader);
  if (at === null && !isHandler) {
    reader.endless = { from: line.start, limit: reader.limit };
    unreadLine(reader, line);
    readLine(reader);
    return false;
  }
  notes.push({ line: line.number, message: scriptsKept });
  return true;
}

/** A body may be thousands of lines that each could begin a script: the end that all of them lack is looked for once. */
function isEndless({ endless, limit }: LineReader, { start }: Line): boolean {
  return endless?.limit === limit && start >= endless.from;
}
