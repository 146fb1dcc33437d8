import { encodeBase64 } from '../../signing/base64';
import type { ExportNote, ExportResult, ExportSource } from '../export-source';
import { listExportVariables } from '../export-variables';
import { fillRequests, noteDrawn } from '../fill-requests';
import { listExpressions } from '../map-expressions';
import { noteLeftRows, noteOpenBodies } from '../note-left';
import { listPortableRequests, listTexts, type PortableRequest } from '../portable-requests';
import { isBackEndValue } from '../../http-file/back-end-value';
import { ownValue } from '../../own-value';
import { writeJsonDocument } from '../write-json';
import { decodeFromForm, encodeForUrl } from '../../encode-for-url';
import { listSome } from '../../list-some';

/**
 * Writes the requests as an archive: filled in with what has a value, never answered.
 *
 * @source HAR 1.2
 */
export function writeHar(source: ExportSource): ExportResult {
  const notes: ExportNote[] = [];
  const collection = listPortableRequests(source, notes);
  const values = Object.fromEntries(
    listExportVariables(source, collection)
      // One that is set to the empty text has a value.
      .filter(
        ({ name, value, isSecret }) =>
          value !== '' || (!isSecret && ownValue(source.environment?.variables, name) === ''),
      )
      .map(({ name, value }) => [name, value]),
  );
  noteDrawn(source, collection.requests, notes);
  noteLeftRows(collection.requests, source.name, notes);
  noteOpenBodies(collection.requests, notes);
  const requests = fillRequests(collection.requests, values, source.sources);
  for (const request of requests) noteUnfilled(request, notes);
  const startedDateTime = new Date(source.sources.now()).toISOString();
  const log = {
    version: '1.2',
    creator: { name: 'Countersign', version: source.version },
    entries: requests.map((request) => describeEntry(request, startedDateTime)),
  };
  const content = writeJsonDocument({ log });
  return { files: [{ path: 'requests.har', content }], requests: requests.length, notes };
}

function noteUnfilled(request: PortableRequest, notes: ExportNote[]): void {
  const left = [...new Set(listTexts(request).flatMap(listExpressions))];
  const open = left.filter((name) => !isBackEndValue(name));
  if (open.length > 0) {
    notes.push({
      where: request.where,
      what: `${listSome(open.map((name) => `{{${name}}}`))} ${open.length === 1 ? 'has' : 'have'} no value in the archive.`,
    });
  }
}

/** An archive holds addresses as they are sent: what they may not hold is encoded. */
function writeAddress(url: string): string {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : `http://${url}`;
  return URL.canParse(address)
    ? new URL(address).href.replace(/[{}|^`]/g, encodeForUrl)
    : encodeURI(address.replace(/\p{Surrogate}/gu, '\ufffd'));
}

/** Names and values as people read them: whoever makes code of an archive puts them beside those of the address. */
function listPairs(query: string): { name: string; value: string }[] {
  return query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', ...rest] = part.split('=');
      return { name: decodeFromForm(name), value: decodeFromForm(rest.join('=')) };
    });
}

/** A form stands there by its fields, too: some readers take nothing else. */
function describeBody({ headers, body }: PortableRequest): object {
  if (body === null) return { bodySize: 0 };
  const mimeType = headers.findLast(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const bytes = 'text' in body ? new TextEncoder().encode(body.text) : body.bytes;
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(mimeType);
  const params = isForm && 'text' in body ? listPairs(body.text) : [];
  const text = 'text' in body ? { text: body.text } : { text: '', _base64: encodeBase64(bytes) };
  return { postData: { mimeType, params, ...text }, bodySize: bytes.length };
}

function describeEntry(request: PortableRequest, startedDateTime: string): object {
  const { name, folders, method, headers } = request;
  const url = writeAddress(request.url);
  return {
    startedDateTime,
    time: 0,
    comment: [...folders, name].join(' / '),
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headers.map(([header, value]) => ({ name: header, value })),
      queryString: listPairs(/\?([^#]*)/.exec(url)?.[1] ?? ''),
      ...describeBody(request),
      headersSize: -1,
    },
    response: {
      status: 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [],
      content: { size: 0, mimeType: 'x-unknown' },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
  };
}
