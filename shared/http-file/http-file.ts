import type { Operation } from '../contract/common';

/** One of our comments: `# @name value`. Offsets are UTF-16 units of the whole file. */
export interface Annotation {
  name: string;
  value: string;
  /** First line of a file is 1. */
  line: number;
  /** The whole line, without its line end. */
  start: number;
  end: number;
}

/** One header line; the value is as written, edge white space apart. */
export interface HeaderLine extends Annotation {
  nameEnd: number;
  valueStart: number;
  valueEnd: number;
}

/** `@name = value`: holds in the whole file. */
export interface FileVariable {
  name: string;
  value: string;
  line: number;
}

/** What is wrong, and where; a file with faults stays readable as far as it goes. */
export interface HttpFileFault {
  line: number;
  message: string;
  /** It stands in the place of a variable: no request may have been meant. */
  isVariable?: true;
}

/** The bytes of another file, in place of the line `< path`. */
export interface BodyFile {
  path: string;
  line: number;
}

/** A stretch of a body as written that does not go out as it stands. Offsets are of the body's text. */
export interface BodyCut {
  start: number;
  end: number;
  /** What goes out in its place. */
  put: string | BodyFile;
}

/** The request line, continuation lines included. */
export interface RequestLine {
  /** As written; GET where the line holds a URL alone. */
  method: string;
  /** Variables unresolved; continuation lines joined. */
  url: string;
  /** `HTTP/1.1` where the line says so. */
  httpVersion: string | null;
  /** From the method to the end of the URL. */
  requestLineStart: number;
  requestLineEnd: number;
  /** Null where the method is left out. */
  methodEnd: number | null;
  urlStart: number;
  urlEnd: number;
  line: number;
}

/** One request of a file. All offsets are UTF-16 units of the whole file's text. */
export interface HttpRequestBlock extends RequestLine {
  /** `# @name`, else the text after `###`; null without either. */
  name: string | null;
  /** `# @operation`, else read from method and path. */
  operation: Operation;
  /** `# @disabled`: it is not sent. */
  isDisabled: boolean;
  annotations: Annotation[];
  headers: HeaderLine[];
  /** The body as written, sent once variables are filled in and `bodyCuts` are made; null: none. Line breaks around it are the file's. */
  body: string | null;
  /** In order: joined lines of a form, line ends of a multipart body, files, lines that only other clients know. */
  bodyCuts: BodyCut[];
  /** Line of the body's first character. */
  bodyLine: number;
  bodyStart: number;
  bodyEnd: number;
  /** Where the last header (or the request line) ends, before its line end. */
  headEnd: number;
  start: number;
  end: number;
  /** All file variables of the file; shared by its blocks. */
  fileVariables: readonly FileVariable[];
  /** What the file holds that Countersign keeps but does not run: scripts, response references. */
  notes: HttpFileFault[];
  /** What is wrong within it; the file's own list has them too. */
  faults: HttpFileFault[];
}

/** A parsed file: `text` is the truth, everything else points into it. */
export interface HttpFile {
  text: string;
  lineEnd: '\n' | '\r\n';
  requests: HttpRequestBlock[];
  variables: FileVariable[];
  faults: HttpFileFault[];
}
