import { handlersKept, scriptsKept } from '../../http-file/foreign-lines';
import { escapedNote } from '../../http-file/foreign-meanings';
import { findOtherReadings, scriptNote } from '../../http-file/find-other-readings';
import { parseHttpFile } from '../../http-file/parse-http-file';
import { operations } from '../../payments/tables/operations';
import { products } from '../../payments/tables/products';
import type { ExportedFile, ExportNote, ExportResult, ExportSource } from '../export-source';
import { listExportVariables, noteEmpty, type ExportVariable } from '../export-variables';
import { noteLatin, noteLeftRows } from '../note-left';
import { holdsCredential, listPortableRequests } from '../portable-requests';
import readSignedValues from '../scripts/read-signed-values.js?raw';
import configuration from './httpyac-config.js?raw';
import { holdsScript } from './escape-scripts';
import { nameInScript, renameExpressions, rewriteForHttpyac } from './rewrite-file';
import { writeJsonDocument } from '../write-json';
import { listSome } from '../../list-some';
import { createRecord } from '../../own-value';

/** @source httpYac 6.16, methodRegex */
const methods =
  /^(?:GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS|CONNECT|TRACE|PROPFIND|PROPPATCH|MKCOL|COPY|MOVE|LOCK|UNLOCK|CHECKOUT|CHECKIN|REPORT|MERGE|MKACTIVITY|MKWORKSPACE|VERSION-CONTROL|BASELINE-CONTROL|MKCALENDAR|ACL|SEARCH)$/i;

/**
 * Writes a folder for httpYac: the `.http` files, a script that gets tokens and signs, and the environment's names.
 *
 * @source httpYac's configuration (`.httpyac.js`), its hooks, and `http-client.env.json`
 */
export function writeHttpyac(source: ExportSource): ExportResult {
  const notes: ExportNote[] = [];
  const collection = listPortableRequests({ ...source, files: source.files }, []);
  const rewritten = rewriteForHttpyac(source, notes);
  const variables = listExportVariables(source, {
    ...collection,
    secretNames: [...collection.secretNames, ...rewritten.secretNames],
  });
  for (const name of rewritten.secretNames) {
    if (!variables.some((one) => one.name === name)) variables.push({ name, value: '', isSecret: true });
  }
  noteEmpty(source, variables, notes);
  // What is switched off is a comment there, too.
  const none = { headers: [], parameters: [] };
  noteLeftRows(
    collection.requests.map(({ examples }) => ({ examples, off: none })),
    source.name,
    notes,
  );
  noteLatin(collection.requests, 'httpYac', notes);
  for (const { where, method } of collection.requests) {
    const what = `httpYac has no method ${method}, and this request fails there.`;
    if (!methods.test(method)) notes.push({ where, what });
  }
  for (const { path, text } of source.files) noteEscapes(path, text, notes);
  for (const { path, content } of rewritten.files) {
    noteReadings(path, String(content), notes);
    noteRun(path, String(content), notes);
  }
  return {
    files: [
      ...rewritten.files,
      ...listBodyFiles(source, notes),
      { path: '.httpyac.js', content: writeConfiguration() },
      { path: 'http-client.env.json', content: writeEnvironment(source, variables, notes) },
      { path: '.gitignore', content: 'http-client.private.env.json\n*.pem\n' },
    ],
    requests: rewritten.requests,
    notes,
  };
}

/** Braces that are sent here with their backslashes, and there without. */
function noteEscapes(path: string, text: string, notes: ExportNote[]): void {
  if (!text.includes(String.raw`\{\{`)) return;
  const said = parseHttpFile(text).requests.flatMap((request) => request.notes);
  for (const { line, message } of said)
    if (message === escapedNote) notes.push({ where: path, what: `Line ${line}: ${message}` });
}

function noteReadings(path: string, text: string, notes: ExportNote[]): void {
  for (const { line, message } of findOtherReadings(parseHttpFile(text))) {
    // What this export writes between braces is no stranger's script.
    if (message !== scriptNote) notes.push({ where: path, what: `Line ${line}: ${message}` });
  }
}

/**
 * Lines whose words httpYac evaluates as JavaScript; plain numbers are none.
 *
 * @source httpYac 6.16: the comments `@loop`, `@disabled` and `@sleep`, the assertions `js` and `body`
 */
const evaluated =
  /^\s*(?:(?:#+|\/{2,})\s+@(?:disabled\s+\S|sleep\s+(?!\d+\s*$)\S|loop\s+(?!for\s+\d+\s*$)\S)|\?\?\s*(?:js\b|body\b.*[(`]))/;

/** Says which lines are a program there, or write an answer to a file: they have the user's key and secrets at hand. */
function noteRun(path: string, text: string, notes: ExportNote[]): void {
  const scripts = parseHttpFile(text).requests.flatMap((request) =>
    request.notes.filter(({ message }) => message === scriptsKept || message === handlersKept),
  );
  const words = text.split('\n').flatMap((line, index) => (evaluated.test(line) ? [index + 1] : []));
  const lines = [...new Set([...scripts.map(({ line }) => line), ...words])].toSorted((a, b) => a - b);
  if (lines.length === 0) return;
  const where = `Line${lines.length === 1 ? '' : 's'} ${listSome(lines.map(String))}`;
  const what = `${where}: httpYac runs what stands there, or writes a file by it, and it reaches your key and secrets. Look at it before you send.`;
  notes.push({ where: path, what });
}

/** Files that stand in bodies lie beside the requests, as they did. */
function listBodyFiles(source: ExportSource, notes: ExportNote[]): ExportedFile[] {
  const files = new Map<string, ExportedFile>();
  for (const { path, text } of source.files) {
    const folder = path.split('/').slice(0, -1);
    for (const { put } of parseHttpFile(text).requests.flatMap(({ bodyCuts }) => bodyCuts)) {
      if (typeof put === 'string' || put.path.includes('{{')) continue;
      const target = joinPath(folder, put.path);
      const bytes = target === null ? null : source.readFile(path, put.path);
      if (target === null || bytes === null) continue;
      if (!holdsCredential(bytes)) files.set(target, { path: target, content: bytes });
      else
        notes.push({
          where: path,
          what: `${put.path} is left out: it holds a credential. Put it there yourself.`,
        });
    }
  }
  return [...files.values()];
}

/** Null: it lies outside the collection. */
function joinPath(folder: readonly string[], path: string): string | null {
  if (path.startsWith('/') || path.includes('\\')) return null;
  const parts = [...folder];
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return null;
    } else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

function writeConfiguration(): string {
  const plan = { tokenPath: operations.token.paths[0], products };
  return [
    '// Gets a token for the product of each request and signs the body as it is sent. Values: http-client.env.json;',
    '// secrets (consumer_secret, private_key): http-client.private.env.json, which git leaves out.',
    `const plan = ${JSON.stringify(plan)};`,
    '',
    readSignedValues,
    configuration,
  ].join('\n');
}

function writeEnvironment(
  { environment, name: collection }: ExportSource,
  variables: readonly ExportVariable[],
  notes: ExportNote[],
): string {
  const values = createRecord<string | Record<string, string>>();
  const vault = createRecord<string>();
  const writeValue = (name: string, value: string): string => {
    const written = renameExpressions(value);
    if (!holdsScript(written)) return written;
    const what = `The value of ${name} is left out: httpYac would run what stands in its braces as JavaScript.`;
    notes.push({ where: environment?.name ?? collection, what });
    return '';
  };
  for (const { name, value } of variables) {
    if (name.startsWith('vault.')) vault[nameInScript(name.slice('vault.'.length))] = '';
    // The script knows which reference was the last.
    else if (name !== 'last_reference') values[nameInScript(name)] = writeValue(name, value);
  }
  if (Object.keys(vault).length > 0) values['vault'] = vault;
  return writeJsonDocument({ [environment?.name ?? 'local']: values });
}
