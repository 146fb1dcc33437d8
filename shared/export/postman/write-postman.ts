import { operations } from '../../payments/tables/operations';
import { products } from '../../payments/tables/products';
import type { Example } from '../../http-file/example-file';
import { maskCredentials } from '../../import/credentials';
import { hasHeader } from '../../import/imported';
import { stripJsonComments } from '../../import/strip-comments';
import { maskHeaders } from '../../mask-secrets';
import { readBasicCredentials } from '../basic-credentials';
import type { ExportNote, ExportResult, ExportSource } from '../export-source';
import { listExportVariables, noteEmpty } from '../export-variables';
import { noteLatin } from '../note-left';
import { listPortableRequests, type PortableRequest } from '../portable-requests';
import readSignedValues from '../scripts/read-signed-values.js?raw';
import afterResponse from './after-response.js?raw';
import drawValues from './draw-values.js?raw';
import { DRAWN_MARK } from './drawn-mark';
import { planVariables, type ScriptPlan } from './plan-variables';
import preRequest from './pre-request.js?raw';
import signWithRsa from './sign-with-rsa.js?raw';
import { writeJsonDocument } from '../write-json';
import { listSome } from '../../list-some';

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

interface Folder {
  name: string;
  item: (Folder | object)[];
}

const description = [
  'Set base_url, consumer_key, consumer_secret and private_key (the key as PEM, PKCS#8 or PKCS#1) as variables of the',
  'collection or of an environment. The script of the collection gets a token for the product of each request, signs',
  'the body as it is sent, and keeps the reference of the last payment for the lookups.',
].join(' ');

/**
 * Writes a collection for Postman and Newman, with a script that gets tokens and signs.
 *
 * @source Postman Collection Format 2.1.0
 */
export function writePostman(source: ExportSource): ExportResult {
  const notes: ExportNote[] = [];
  const collection = listPortableRequests(source, notes);
  const variables = listExportVariables(source, collection);
  noteEmpty(source, variables, notes);
  noteLatin(collection.requests, 'Postman', notes);
  const { requests, plan } = planVariables(collection.requests, variables, notes);
  const tokens = products
    .map((product) => ({ name: `token.${product}`, value: '', isSecret: true }))
    .filter(({ name }) =>
      requests.some(({ headers }) => headers.some(([, value]) => value.includes(`{{${name}}}`))),
    );
  const document = {
    info: { name: source.name, description, schema },
    // As in the app: no request but those that stand here, and no cookie but that of a request's own header.
    protocolProfileBehavior: { followRedirects: false, disableCookies: true },
    item: nestRequests(requests, notes),
    event: [
      describeScript('prerequest', writePreRequest(plan, variables)),
      describeScript('test', [readSignedValues, afterResponse]),
    ],
    variable: [
      ...[...variables, ...tokens].map(({ name, value, isSecret }) => ({
        key: name,
        value,
        type: isSecret ? 'secret' : 'string',
      })),
      ...Object.entries(plan.meanings).map(([name, meaning]) => ({
        key: name,
        value: '',
        type: 'string',
        description: DRAWN_MARK + meaning,
      })),
    ],
  };
  const content = writeJsonDocument(document);
  return { files: [{ path: 'collection.json', content }], requests: requests.length, notes };
}

function describeScript(listen: string, parts: readonly string[]): object {
  return { listen, script: { type: 'text/javascript', exec: parts.join('\n').trimEnd().split('\n') } };
}

function writePreRequest(
  { drawn, encoded }: ScriptPlan,
  variables: readonly { name: string }[],
): readonly string[] {
  const plan = {
    tokenPath: operations.token.paths[0],
    names: variables.map(({ name }) => name),
    drawn,
    encoded,
  };
  const head = `const plan = ${JSON.stringify(plan, null, 2)};`;
  return [head, readSignedValues, signWithRsa, drawValues, preRequest];
}

function nestRequests(requests: readonly PortableRequest[], notes: ExportNote[]): Folder['item'] {
  const root: Folder = { name: '', item: [] };
  const folders = new Map<string, Folder>([['', root]]);
  const open = (path: readonly string[]): Folder => {
    const key = path.join('/');
    const known = folders.get(key);
    if (known !== undefined) return known;
    const folder: Folder = { name: path.at(-1) ?? '', item: [] };
    folders.set(key, folder);
    open(path.slice(0, -1)).item.push(folder);
    return folder;
  };
  for (const request of requests) open(request.folders).item.push(writeItem(request, notes));
  return root.item;
}

function writeItem(request: PortableRequest, notes: ExportNote[]): object {
  const { name, method, headers, body, examples } = request;
  const hasBody = body !== null;
  const settings = {
    ...(hasBody && /^(?:GET|HEAD|COPY|PURGE|UNLOCK)$/.test(method) && { disableBodyPruning: true }),
    // It would send text/plain, or what the file's name says.
    ...(hasBody &&
      !hasHeader(request, 'content-type') && { disabledSystemHeaders: { 'content-type': true } }),
  };
  const basic = headers.map(readBasicCredentials).find((found) => found !== null);
  return {
    name,
    ...(Object.keys(settings).length > 0 && { protocolProfileBehavior: settings }),
    request: {
      ...(basic && {
        auth: {
          type: 'basic',
          basic: [
            { key: 'username', value: basic.user, type: 'string' },
            { key: 'password', value: basic.password, type: 'string' },
          ],
        },
      }),
      method,
      header: writeHeaders(request, notes),
      ...(hasBody && { body: writeBody(request, notes) }),
      url: writeUrl(request, notes),
    },
    response: examples.map(({ name: title, example }) => writeExample(title, example)),
  };
}

function writeHeaders({ headers, off, where }: PortableRequest, notes: ExportNote[]): object[] {
  const spellings = new Map<string, Set<string>>();
  for (const [name] of headers) {
    const key = name.toLowerCase();
    spellings.set(key, (spellings.get(key) ?? new Set()).add(name));
  }
  for (const names of spellings.values()) {
    if (names.size < 2) continue;
    const what = `Of its headers ${listSome([...names])} Postman sends the last: write their names alike.`;
    notes.push({ where, what });
  }
  const written = headers.flatMap((header): object[] =>
    readBasicCredentials(header) === null ? [{ key: header[0], value: header[1], type: 'text' }] : [],
  );
  off.headers.forEach(({ at, name: key, value }, index) =>
    written.splice(Math.min(at + index, written.length), 0, { key, value, type: 'text', disabled: true }),
  );
  return written;
}

const addressParts =
  /^(?:([a-z][a-z\d+.-]*):\/\/)?((?:\{\{[^{}]*\}\}|[^/?#{}:])*)(?::(\d+))?(?:\/((?:\{\{[^{}]*\}\}|[^?#{}])*))?(?:\?((?:\{\{[^{}]*\}\}|[^#{}])*))?(?:#(.*))?$/is;

/** As a text, or in the parts that a parameter that is off needs. */
function writeUrl({ url, off, where }: PortableRequest, notes: ExportNote[]): string | object {
  if (off.parameters.length === 0) return url;
  const found = addressParts.exec(url);
  // A part of a path that begins with a colon would be a variable there.
  if (found === null || /(?:^|\/):/.test(found[4] ?? '')) {
    const names = listSome(off.parameters.map(({ name }) => name));
    notes.push({ where, what: `Its parameters that are off (${names}) are not taken along.` });
    return url;
  }
  const [, protocol, host = '', port, path, query = '', hash] = found;
  const rows: object[] = query === '' ? [] : splitQuery(query).map(writeParameter);
  off.parameters.forEach(({ at, name: key, value }, index) =>
    rows.splice(Math.min(at + index, rows.length), 0, { key, value, disabled: true }),
  );
  return {
    raw: url,
    ...(protocol !== undefined && { protocol }),
    host: [host],
    ...(port !== undefined && { port }),
    ...(path !== undefined && { path: path.split('/') }),
    query: rows,
    ...(hash !== undefined && { hash }),
  };
}

const splitQuery = (query: string): string[] => query.match(/(?:\{\{[^{}]*\}\}|[^&])+/g) ?? [];

function writeParameter(raw: string): object {
  const [, key = raw, value = null] = /^((?:\{\{[^{}]*\}\}|[^=])*)=(.*)$/s.exec(raw) ?? [];
  return { key, value };
}

/** Masked once more: somebody may have written it by hand. */
function writeExample(name: string, { httpStatus, reason, headers, body, request }: Example): object {
  const [, method = 'GET', url = ''] = /^([A-Z]+) (\S.*)$/s.exec(request ?? '') ?? [];
  return {
    name,
    ...(url !== '' && { originalRequest: { method, header: [], url: maskCredentials(url) } }),
    status: reason,
    code: httpStatus,
    header: maskHeaders(headers).map(([key, value]) => ({ key, value })),
    body: maskCredentials(body),
  };
}

function writeBody({ body, headers, where }: PortableRequest, notes: ExportNote[]): object {
  if (body !== null && 'text' in body) {
    const type = headers.findLast(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
    // Without a type of its own Postman would name one by the language.
    // Of JSON it would leave comments out.
    const hasComments = stripJsonComments(body.text, { dropsLines: false }) !== body.text;
    const isJson = /\bjson\b/i.test(type);
    const language = isJson ? (hasComments ? 'text' : 'json') : /\bxml\b/i.test(type) ? 'xml' : null;
    return {
      mode: 'raw',
      raw: body.text,
      ...(language !== null && { options: { raw: { language } } }),
    };
  }
  const path = body?.path ?? null;
  notes.push({
    where,
    what:
      path === null
        ? 'Its body is not taken along: Postman cannot put files between texts.'
        : `Its body is the file '${path}': choose it in Postman, or run Newman with --working-dir in its folder.`,
  });
  return path === null ? { mode: 'raw', raw: '' } : { mode: 'file', file: { src: path } };
}
