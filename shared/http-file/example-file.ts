import type { HeaderList } from '../contract/common';

/** An answer that is kept beside its request. */
export interface Example {
  /** Epoch milliseconds; null where the file does not say. */
  receivedAt: number | null;
  /** Which request of its file it answers, where that has several; null: it has one, or the file does not say. */
  block: string | null;
  /** What was asked, such as `POST http://127.0.0.1:4010/payments/v1/payouts`; null where the file does not say. */
  request: string | null;
  httpStatus: number;
  reason: string;
  headers: HeaderList;
  body: string;
}

const extension = /\.example\.(?:http|rest)$/i;
/** How the name of a request file ends. */
export const requestExtension = /\.(?:http|rest)$/i;

/** Tells by its name a file that holds an answer, and no request: it is never sent. */
export function isExamplePath(path: string): boolean {
  return extension.test(path);
}

/** What an example is called where its request is not beside it: its file's name, `Salary payout.201 Created`. */
export function titleExample(path: string): string {
  return path.replace(/^.*\//, '').replace(extension, '');
}

/** Gives the name, without `.http`, of an example of a request file. */
export function nameExample(requestPath: string, name: string): string {
  const file = requestPath.replace(/^.*\//, '').replace(requestExtension, '');
  return `${file}.${name}.example`;
}

/** Request files of a folder by what the names of their examples begin with. */
export function indexRequests(fileNames: readonly string[]): ReadonlyMap<string, string> {
  const requests = fileNames.filter((name) => !isExamplePath(name));
  return new Map(requests.map((name) => [name.replace(requestExtension, ''), name]));
}

/**
 * Finds the request that an example belongs to: of those in its folder the one with the longest name that its own begins with.
 *
 * @param fileName - of the example, without a folder
 * @param requests - of the folder, as {@link indexRequests} gives them
 * @returns the request's file name, and what the example is called; null where there is no such request
 */
export function findExampleOwner(
  fileName: string,
  requests: ReadonlyMap<string, string>,
): { owner: string; name: string } | null {
  const whole = fileName.replace(extension, '');
  for (let dot = whole.lastIndexOf('.'); dot > 0; dot = whole.lastIndexOf('.', dot - 1)) {
    const owner = requests.get(whole.slice(0, dot));
    if (owner !== undefined) return { owner, name: whole.slice(dot + 1) };
  }
  return null;
}

/** Prints an answer as a file: comments that say where it is from, then the message as it came. */
export function printExample(example: Example): string {
  const { receivedAt, block, request, httpStatus, reason, headers, body } = example;
  return [
    ...(request === null ? [] : [`# ${oneLine(request)}`]),
    ...(block === null ? [] : [`# @request ${oneLine(block)}`]),
    ...(receivedAt === null ? [] : [`# @received ${new Date(receivedAt).toISOString()}`]),
    `HTTP/1.1 ${httpStatus} ${oneLine(reason)}`.trimEnd(),
    ...headers.map(([name, value]) => `${name}: ${oneLine(value)}`),
    '',
    body,
  ].join('\n');
}

/** Of text that stands on a line of a request file, or of one kept beside it. */
export const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ');

/**
 * Reads what {@link printExample} wrote, or somebody by hand.
 *
 * @returns null where there is no status line
 */
export function parseExample(text: string): Example | null {
  const example: Example = {
    receivedAt: null,
    block: null,
    request: null,
    httpStatus: 0,
    reason: '',
    headers: [],
    body: '',
  };
  let at = 0;
  while (at < text.length) {
    const feed = text.indexOf('\n', at);
    const end = feed === -1 ? text.length : feed;
    const line = text.slice(at, end).replace(/\r$/, '');
    at = end + 1;
    if (example.httpStatus === 0) {
      if (line.trim() !== '' && !readBeginning(example, line)) return null;
    } else if (line === '') return { ...example, body: text.slice(at) };
    else {
      const colon = line.indexOf(':');
      if (colon > 0) example.headers.push([line.slice(0, colon).trim(), line.slice(colon + 1).trim()]);
    }
  }
  return example.httpStatus === 0 ? null : example;
}

/** A comment, or the status line; false: neither. */
function readBeginning(example: Example, line: string): boolean {
  const [, comment] = /^(?:#|\/\/)\s*(.*)/s.exec(line) ?? [];
  if (comment !== undefined) {
    const [, time] = /^@received\s+(\S+)$/.exec(comment) ?? [];
    const receivedAt = Date.parse(time ?? '');
    const [, block] = /^@request\s+(\S.*)$/s.exec(comment) ?? [];
    if (!Number.isNaN(receivedAt)) example.receivedAt = receivedAt;
    else if (block !== undefined) example.block = block;
    else if (/^[A-Z]+ \S/.test(comment)) example.request = comment;
    return true;
  }
  const [, status, reason = ''] = /^HTTP\/\d(?:\.\d)?\s+(\d{3})(?:\s+(.*)|$)/s.exec(line) ?? [];
  if (status === undefined) return false;
  example.httpStatus = Number(status);
  example.reason = reason;
  return true;
}
