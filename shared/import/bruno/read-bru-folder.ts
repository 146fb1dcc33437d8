import { ownValue } from '../../own-value';
import type { CredentialBook } from '../credentials';
import {
  createImported,
  type Imported,
  type ImportedEnvironment,
  type ImportedFolder,
  type ImportedItem,
  type ImportedVariable,
  type ImportSource,
  type SourceFile,
  refuseDeepFolders,
} from '../imported';
import { isFalse, isTrue, listItems, readText } from '../nodes';
import { readDocument } from '../read-document';
import { mapCommonExpression, mapExpressions, trimSlashes, type Renames } from '../variables';
import { noteUnused, type ScopedVariable } from '../scoped-variables';
import {
  buildBrunoRequest,
  noDefaults,
  readFolderAuth,
  readScoped,
  type BrunoDefaults,
} from './bruno-request';
import { hideVariables } from '../auth';
import { parseBru, type BruBlock, type BruPair } from './parse-bru';
import { listAuthFields, nameByPath, noteBlocks, readBruAuth, readBruFile, valueOf } from './read-bru-file';

const notRequests = ['collection.bru', 'folder.bru'];
const environmentFile = /^environments\/([^/]+)\.bru$/i;

interface Level {
  defaults: BrunoDefaults;
  variables: ScopedVariable[];
  notes: string[];
  name: string | null;
  seq: number;
}

function readLevel(
  file: SourceFile | undefined,
  above: BrunoDefaults,
  renames: Renames,
  book: CredentialBook,
): Level {
  const blocks: BruBlock[] = file === undefined ? [] : parseBru(file.text, file.path);
  hideVariables(listAuthFields(blocks), book);
  const find = (name: string): BruBlock | undefined => blocks.find((block) => block.name === name);
  const offVariables: string[] = [];
  const variables = readScoped(find('vars:pre-request')?.pairs ?? [], offVariables, renames);
  const mode = valueOf(find('auth'), 'mode') ?? 'inherit';
  const auth = readFolderAuth(mode, readBruAuth(blocks, mode), above.auth);
  const seq = Number(valueOf(find('meta'), 'seq') ?? Number.NaN);
  return {
    defaults: {
      headers: [...(find('headers')?.pairs ?? []), ...above.headers],
      auth,
      variables: [...variables, ...above.variables],
    },
    variables,
    notes: [
      ...noteBlocks(blocks),
      ...((find('docs')?.text ?? '').trim() === '' ? [] : ['Its description is left out.']),
      ...(find('headers')?.pairs ?? [])
        .filter(({ isEnabled }) => !isEnabled)
        .map(({ name }) => `Its header ${name} is disabled, and left out.`),
      ...offVariables,
    ],
    name: valueOf(find('meta'), 'name'),
    seq: Number.isNaN(seq) ? Number.MAX_SAFE_INTEGER : seq,
  };
}

function toVariable({ name, value }: BruPair, renames: Renames): ImportedVariable {
  return { name, value: mapExpressions(value, mapCommonExpression, renames), isSecret: false };
}

const noteDisabled = (name: string): string => `Its variable ${name} is disabled, and left out.`;

/** Reads a folder of `.bru` files, or one of them. */
export function readBruFolder(source: ImportSource, book: CredentialBook): Imported {
  const name = readName(source) ?? source.name;
  const imported = createImported(name);
  const files = leaveIgnored(
    source,
    source.files.filter(({ path }) => /\.bru$/i.test(path)),
    imported.notes,
  );
  if (files.length === 1 && isEnvironment(files[0]!)) {
    imported.environments = [readEnvironment(files[0]!, imported)];
    return imported;
  }
  const top = readLevel(
    files.find(({ path }) => path.toLowerCase() === 'collection.bru'),
    noDefaults,
    imported.renames,
    book,
  );
  imported.shared = top.variables;
  imported.notes.push(...[...top.notes, ...noteSettings(source)].map((what) => ({ where: name, what })));
  imported.environments = files
    .filter(({ path }) => environmentFile.test(path))
    .map((file) => readEnvironment(file, imported));
  const rest = files.filter(({ path }) => !environmentFile.test(path));
  // Those of the collection itself are the environments'.
  imported.items = readFolder(rest, '', { ...top.defaults, variables: [] }, book);
  return imported;
}

function readName({ files }: ImportSource): string | null {
  const file = files.find(({ path }) => path.toLowerCase() === 'bruno.json');
  return file === undefined ? null : readText(readDocument(file.text), 'name');
}

/** Bruno shows nothing of the folders and files that `bruno.json` says to ignore. */
function leaveIgnored(
  { files }: ImportSource,
  given: readonly SourceFile[],
  notes: Imported['notes'],
): readonly SourceFile[] {
  const file = files.find(({ path }) => path.toLowerCase() === 'bruno.json');
  const ignored = file === undefined ? [] : listItems(readDocument(file.text), 'ignore');
  const starts = ignored.map((one) => trimSlashes(readText(one) ?? '')).filter((one) => one !== '');
  const isIn = (path: string, start: string): boolean => path === start || path.startsWith(`${start}/`);
  for (const where of starts) {
    if (given.some(({ path }) => isIn(path, where)))
      notes.push({ where, what: 'Left out: bruno.json says to ignore it.' });
  }
  return given.filter(({ path }) => !starts.some((start) => isIn(path, start)));
}

/** `bruno.json` has what holds for every request. */
function noteSettings({ files }: ImportSource): string[] {
  const file = files.find(({ path }) => path.toLowerCase() === 'bruno.json');
  if (file === undefined) return [];
  const root = readDocument(file.text);
  const proxyHost =
    readText(root, 'proxy', 'hostname') || readText(root, 'proxy', 'config', 'hostname') || '';
  const hasProxy =
    proxyHost !== '' && !isFalse(root, 'proxy', 'enabled') && !isTrue(root, 'proxy', 'disabled');
  return [
    ...(hasProxy ? ['Its proxy is not taken over: set it in the environment.'] : []),
    ...(listItems(root, 'clientCertificates', 'certs').length > 0
      ? ['Its client certificates are not taken over: set them in the environment.']
      : []),
  ];
}

function isEnvironment({ path, text }: SourceFile): boolean {
  return (
    /(?:^|\/)environments\//i.test(path) ||
    parseBru(text, path).some(({ name }) => name === 'vars' || name === 'vars:secret')
  );
}

/** Says which values Bruno has a store of secrets fetch: of AWS, Azure, GCP or HashiCorp. */
export function noteFetched(pairs: readonly BruPair[], where: string, { notes }: Imported): void {
  for (const { name, isEnabled } of pairs) {
    const what = `Bruno fetches {{$secrets.${name}.…}} from a store of secrets: put a variable of an environment in its place.`;
    notes.push({ where, what: isEnabled ? what : noteDisabled(name) });
  }
}

function readEnvironment({ path, text }: SourceFile, imported: Imported): ImportedEnvironment {
  const name = nameByPath(path);
  const blocks = parseBru(text, path);
  const pairs = blocks.filter((block) => block.name === 'vars').flatMap((block) => block.pairs);
  const secrets = blocks.filter((block) => block.name === 'vars:secret').flatMap((block) => block.names);
  for (const pair of pairs.filter(({ isEnabled }) => !isEnabled)) {
    imported.notes.push({ where: name, what: noteDisabled(pair.name) });
  }
  for (const secret of secrets) {
    imported.notes.push({
      where: name,
      what: secret.startsWith('~')
        ? noteDisabled(secret.slice(1))
        : `Bruno keeps the value of ${secret} to itself: enter it here.`,
    });
  }
  const fetched = blocks.filter((block) => block.name.startsWith('vars:externalsecrets'));
  noteFetched(
    fetched.flatMap((block) => block.pairs),
    name,
    imported,
  );
  const enabled = pairs.filter(({ isEnabled }) => isEnabled);
  return {
    name,
    variables: enabled.map((pair) => toVariable(pair, imported.renames)),
    kept: secrets.filter((secret) => !secret.startsWith('~')),
  };
}

/** Reads what stands in one folder and below. @param folder - empty, or with `/` at its end */
function readFolder(
  files: readonly SourceFile[],
  folder: string,
  defaults: BrunoDefaults,
  book: CredentialBook,
): ImportedItem[] {
  const direct: { item: ImportedItem; seq: number }[] = [];
  const below = new Map<string, SourceFile[]>();
  for (const file of files) {
    const rest = file.path.slice(folder.length);
    const at = rest.indexOf('/');
    if (at !== -1) {
      const name = rest.slice(0, at);
      const known = below.get(name) ?? [];
      known.push(file);
      below.set(name, known);
    } else if (!notRequests.includes(rest.toLowerCase())) direct.push(readRequest(file, defaults, book));
  }
  refuseDeepFolders(folder.split('/').length - 1);
  const folders = [...below].map(([name, inner]) => {
    const level = readLevel(
      inner.find(({ path }) => path.toLowerCase() === `${folder}${name}/folder.bru`.toLowerCase()),
      defaults,
      new Map(),
      book,
    );
    const items = readFolder(inner, `${folder}${name}/`, level.defaults, book);
    const notes = [...level.notes, ...noteUnused(level.variables)];
    const item: ImportedFolder = { kind: 'folder', name: level.name ?? name, items, notes };
    return { item, seq: level.seq };
  });
  return [...folders.sort(bySeq), ...direct.sort(bySeq)].map(({ item }) => item);
}

const bySeq = (a: { seq: number }, b: { seq: number }): number => a.seq - b.seq;

function readRequest(
  file: SourceFile,
  defaults: BrunoDefaults,
  book: CredentialBook,
): { item: ImportedItem; seq: number } {
  const bruno = readBruFile(file.text, file.path);
  return { item: buildItem(bruno, defaults, book), seq: bruno.seq };
}

const otherTypes: Readonly<Record<string, string>> = {
  grpc: 'It is a call of gRPC, and Countersign sends HTTP.',
  ws: 'It is a WebSocket, and Countersign sends HTTP.',
  websocket: 'It is a WebSocket, and Countersign sends HTTP.',
};

/** Makes a request of ours, or says why it is none. */
export function buildItem(
  bruno: Parameters<typeof buildBrunoRequest>[0],
  defaults: BrunoDefaults,
  book: CredentialBook,
): ImportedItem {
  const type = bruno.type.replace(/-request$/, '');
  if (type === 'http' || type === 'graphql') return buildBrunoRequest(bruno, defaults, book);
  const why = ownValue(otherTypes, type) ?? `It is no request of HTTP, but '${type.slice(0, 40)}'.`;
  return { kind: 'left out', name: bruno.name, why };
}
