import type { HeaderList } from '../contract/common';
import { findHeader } from '../find-header';
import { oneLine } from '../http-file/example-file';
import { findOtherReadings } from '../http-file/find-other-readings';
import { parseHttpFile } from '../http-file/parse-http-file';
import { writePastedCurl } from '../http-file/write-curl';
import { encodeForUrl } from '../encode-for-url';

/** A webhook as it is written for other tools. */
export interface WrittenWebhook {
  readonly method: string;
  readonly path: string;
  readonly headers: HeaderList;
  readonly body: string;
  readonly bodyBase64: string;
}

/** What belongs to the connection that it came on. */
const hopByHop = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'keep-alive',
  'accept-encoding',
]);

/** Text with a replacement character in it may have been other bytes. */
const isText = ({ body }: WrittenWebhook): boolean => !body.includes('\ufffd');

/** The webhook as a command line that sends the same bytes again; whoever can reach the inbox wrote it. */
export function writeWebhookAsCurl(webhook: WrittenWebhook, baseUrl: string): string {
  const { method, path, body, bodyBase64 } = webhook;
  const headers = webhook.headers.filter(([name]) => !hopByHop.has(name.toLowerCase()));
  const isEmpty = bodyBase64 === '';
  return writePastedCurl(
    { method, url: baseUrl + path, headers, body: isEmpty ? null : body, bytes: bodyBase64 },
    { hasSecrets: true, isReceived: true },
  );
}

/** What braces hold, each client of request files fills in or runs; a line that begins with `#` is a comment of theirs. */
const isActedOn = (line: string): boolean => line.includes('{{') || line.startsWith('#');

/** Tells whether every reader of request files takes a body for this body, and for nothing more. */
function staysBody(head: string, body: string): boolean {
  const wanted = body.replaceAll('\r\n', '\n').trim();
  // Some clients end a line at a CR alone.
  if (wanted.includes('{{') || wanted.includes('\r')) return false;
  const file = parseHttpFile(`${head}\n\n${wanted}\n`);
  const [block] = file.requests;
  return (
    block?.body?.trim() === wanted &&
    file.requests.length === 1 &&
    block.bodyCuts.every(({ put }) => put === '\r\n') &&
    findOtherReadings(file).length === 0
  );
}

const asUnix = (text: string): string => text.replaceAll('\r\n', '\n');

function findWhyBodyIsLeftOut(head: string, webhook: WrittenWebhook, shown: string): string | null {
  if (!isText(webhook)) return 'is not UTF-8 text, and is left out.';
  if (asUnix(shown) !== asUnix(webhook.body))
    return 'holds characters that a terminal acts on, and is left out: as cURL it is written whole.';
  if (webhook.body.trim() === '' || staysBody(head, webhook.body)) return null;
  return 'holds what request files act on, and is left out: as cURL it is written whole.';
}

/** What a reader of request files sends of a body: blank lines around it are none of it, and of a form of parts each line ends in CR and LF. */
function readSentBody(shown: string, headers: HeaderList): string {
  const from = shown.lastIndexOf('\n', shown.length - shown.trimStart().length - 1) + 1;
  const end = shown.indexOf('\n', shown.trimEnd().length);
  const sent = end === -1 ? shown.slice(from) : shown.slice(from, end).replace(/\r$/, '');
  const isInParts = findHeader(headers, 'content-type')?.trim().toLowerCase().startsWith('multipart/');
  return isInParts ? asUnix(sent).replaceAll('\n', '\r\n') : sent;
}

/**
 * The webhook as a request of an `.http` file.
 *
 * Whoever can reach the inbox wrote it: what would be more than text in such a file (variables, further requests, files
 * to send) is left out, and said to be.
 * @param show - what becomes of a text where it is written: a terminal gets no controls
 */
export function writeWebhookAsHttp(
  webhook: WrittenWebhook,
  baseUrl: string,
  title: string,
  show = (text: string): string => text,
): string {
  const { method, path, headers, body } = webhook;
  const lines = headers
    .filter(([name]) => !hopByHop.has(name.toLowerCase()))
    .map(([name, value]) => `${name}: ${value}`);
  const head = [
    `${method} ${(baseUrl + path).replace(/[{}]/g, encodeForUrl)}`,
    ...lines.filter((line) => !isActedOn(line)),
  ].join('\n');
  const shown = show(body);
  const why = findWhyBodyIsLeftOut(head, webhook, shown);
  const isWhole = why !== null || readSentBody(shown, headers) === body;
  const notes = [
    ...(lines.some(isActedOn) ? ['# Headers that request files act on are left out.'] : []),
    ...(why === null ? [] : [`# The body ${why}`]),
    ...(isWhole ? [] : ['# The body is sent without some of its line ends: as cURL it is written whole.']),
  ];
  const heading = `### ${oneLine(title).replace(/\{(?=\{)/g, '{ ')}`;
  return `${[heading, ...notes, head].join('\n')}\n\n${why === null ? body : ''}\n`;
}
