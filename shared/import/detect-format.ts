import { AppError } from '../errors';
import { requestExtension } from '../http-file/example-file';
import { memberOf, type JsonNode } from '../json/json-tree';
import { importableTools, type ImportFormat } from './import-formats';
import type { ImportSource } from './imported';
import { readText } from './nodes';
import { nameOtherDocument, nameOtherText, nameSettings } from './other-tools';
import { readSourceDocument } from './read-document';

/** What tells a JSON or YAML document; the first that fits. */
const marks: readonly (readonly [format: ImportFormat, fits: (root: JsonNode) => boolean])[] = [
  ['postman', (root) => /getpostman\.com|postman/i.test(readText(root, 'info', 'schema') ?? '')],
  ['postman', (root) => readText(root, '_postman_variable_scope') !== null],
  ['postman', (root) => readText(root, 'collection', 'info', 'schema') !== null],
  ['postman', (root) => memberOf(root, 'info', '_postman_id') !== null],
  ['openapi', (root) => readText(root, 'openapi') !== null || readText(root, 'swagger') !== null],
  ['insomnia', (root) => memberOf(root, '__export_format') !== null],
  ['insomnia', (root) => /\binsomnia\.rest\//.test(readText(root, 'type') ?? '')],
  ['har', (root) => memberOf(root, 'log', 'entries') !== null],
  ['bruno', (root) => readText(root, 'opencollection') !== null],
  ['bruno', (root) => memberOf(root, 'brunoConfig') !== null],
  ['bruno', (root) => readText(root, 'version') !== null && memberOf(root, 'items') !== null],
  ['bruno', (root) => memberOf(root, 'http', 'url') !== null && memberOf(root, 'info') !== null],
  // An environment of Postman that was exported without its scope.
  ['postman', (root) => memberOf(root, 'values')?.kind === 'array' && readText(root, 'name') !== null],
  ['postman', (root) => memberOf(root, 'item')?.kind === 'array' && memberOf(root, 'info') !== null],
];

const commandLine =
  /(?:^|[\s;&|(]|^[ \t]*(?:\([\w.-]{1,40}\) )?[a-z]:\\[^<>|"\r\n]{0,300}>)(?:curl(?:\.exe)?|Invoke-WebRequest|Invoke-RestMethod|iwr|irm)[ \t\u00a0^`\\]+/im;
/** One far behind the head of a script begins a line: longer texts have such words in their midst. */
const lateCommand = /^[ \t]*(?:curl(?:\.exe)?|Invoke-WebRequest|Invoke-RestMethod)[ \t]+\S/im;
const bruBlock =
  /^[^\S\r\n\u2028\u2029]*(?:meta|get|post|put|patch|delete|head|options|http|vars)(?::\w+)? *\{/m;

const pemHead = /^\s*-----BEGIN (?:[A-Z0-9]+ ){0,3}(?:KEY|CERTIFICATE)-----/;

/** Of a YAML document: reading it whole, to find that out, takes seconds where it is large. */
const firstLines: readonly (readonly [format: ImportFormat, line: RegExp])[] = [
  ['openapi', /^openapi[ \t]*:[ \t]*['"]?3\.[01]/m],
  ['insomnia', /^type[ \t]*:[ \t]*['"]?\w+\.insomnia\.rest\/5/m],
  ['bruno', /^opencollection[ \t]*:[ \t]*['"]?\d/m],
];

/**
 * Finds out which tool a file or folder comes from.
 *
 * @throws {AppError} `import.unknown_format` naming what is read; `import.not_readable` where a document is damaged
 */
export function detectFormat({ name, files }: ImportSource): ImportFormat {
  if (files.length > 1) return 'bruno';
  const [file] = files;
  const { path, text } = file ?? { path: '', text: '' };
  if (/\.bru$/i.test(path)) return 'bruno';
  if (requestExtension.test(name))
    throw new AppError(
      'import.unknown_format',
      `${name} is a request file already: put it into a collection's folder, or open the folder that it lies in.`,
    );
  if (pemHead.test(text))
    throw new AppError(
      'import.unknown_format',
      `${nameAsSubject(name)} is a key or a certificate, not requests, and was kept nowhere: a private key comes in by “New key”, “Import a key…” in Keys and tokens, a certificate in the form of its environment.`,
    );
  // `[me@host dir]$ ` is a prompt.
  if (!/^\s*(?:\{|\[(?![\w.-]+@))/.test(text)) {
    const head = text.slice(0, 100_000);
    const isDocument = /^(?:openapi|swagger|type|opencollection|_type)\s*:/m.test(head);
    if (commandLine.test(head) && !isDocument) return 'curl';
    if (bruBlock.test(head)) return 'bruno';
    const known = firstLines.find(([, line]) => line.test(head));
    if (known !== undefined) return known[0];
    const other = nameOtherText(head);
    if (other !== null) throw refuseOther(name, other);
    if (!isDocument && lateCommand.test(text.slice(head.length))) return 'curl';
  }
  const settings = nameSettings(text);
  if (settings !== null) throw refuseOther(name, settings);
  const root = readSourceDocument(file);
  const found = root.kind === 'object' ? marks.find(([, fits]) => fits(root)) : undefined;
  if (found !== undefined) return found[0];
  const other = nameOtherDocument(root);
  if (other !== null) throw refuseOther(name, other);
  throw new AppError(
    'import.unknown_format',
    `${nameAsSubject(name)} is none of what is read: ${importableTools}.`,
  );
}

function refuseOther(name: string, other: string): AppError {
  return new AppError(
    'import.unknown_format',
    `${nameAsSubject(name)} is ${other}. What is read: ${importableTools}.`,
  );
}

/** What has no file name begins a sentence as a word does. */
function nameAsSubject(name: string): string {
  return { 'pasted text': 'The pasted text', 'standard input': 'Standard input' }[name] ?? name;
}
