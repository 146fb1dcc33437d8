import { AppError } from '../../errors';
import { memberOf, type JsonNode } from '../../json/json-tree';
import type { CredentialBook } from '../credentials';
import type { Imported, ImportSource, SourceFile } from '../imported';
import { listItems, readText } from '../nodes';
import { readDocument } from '../read-document';
import { readBruFolder } from './read-bru-folder';
import { readBrunoDocument } from './read-bruno-document';

const yaml = /\.ya?ml$/i;
const rootFile = /^(?:opencollection|collection)\.ya?ml$/i;

/**
 * Reads a collection of Bruno: a folder of `.bru` files, its JSON export, or OpenCollection as a folder or one file.
 *
 * @source docs.usebruno.com; opencollection.com
 */
export function readBruno(source: ImportSource, book: CredentialBook): Imported {
  const [file] = source.files;
  const isFolder = source.files.length > 1;
  const isBru = source.files.some(({ path }) => /\.bru$/i.test(path));
  if (
    isBru ||
    (!isFolder && file !== undefined && /^\s*(?:meta|vars)\b/.test(file.text) && !yaml.test(file.path))
  ) {
    return readBruFolder(
      isBru ? source : { ...source, files: [{ path: `${source.name}.bru`, text: file!.text }] },
      book,
    );
  }
  if (isFolder) return readBrunoDocument(gather(source), source.name, book);
  const root = readDocument(file?.text ?? '');
  if (
    memberOf(root, 'items') === null &&
    memberOf(root, 'http') === null &&
    readText(root, 'opencollection') === null
  ) {
    throw new AppError(
      'import.unsupported',
      'This is no collection of Bruno: neither .bru, its JSON export, nor OpenCollection.',
    );
  }
  return readBrunoDocument(root, source.name, book);
}

interface Folder {
  files: { node: JsonNode; seq: number }[];
  folders: Map<string, Folder>;
  own: JsonNode | null;
}

const createFolder = (): Folder => ({ files: [], folders: new Map(), own: null });

/** Puts the files of an OpenCollection folder together into the one document that it may be as well. */
function gather({ files }: ImportSource): JsonNode {
  const top = createFolder();
  const environments: JsonNode[] = [];
  let root: JsonNode | null = null;
  for (const file of files.filter(({ path }) => yaml.test(path))) {
    if (rootFile.test(file.path)) root = readDocument(file.text);
    else if (/^environments\//i.test(file.path)) environments.push(nameEnvironment(file));
    else addFile(top, file);
  }
  if (root === null) {
    throw new AppError(
      'import.unsupported',
      'This folder is no collection of Bruno: it has neither .bru files nor an opencollection.yml.',
    );
  }
  const members = root.kind === 'object' ? root.members : new Map<string, JsonNode>();
  const all = [...listItems(root, 'environments'), ...environments];
  return {
    kind: 'object',
    members: new Map([
      ...members,
      ['items', { kind: 'array', items: [...listItems(root, 'items'), ...listFolder(top)] } as JsonNode],
      ['environments', { kind: 'array', items: all } as JsonNode],
    ]),
  };
}

function nameEnvironment(file: SourceFile): JsonNode {
  const node = readDocument(file.text);
  if (node.kind !== 'object' || readText(node, 'name') !== null) return node;
  const name = file.path.replace(/^.*\//, '').replace(yaml, '');
  return {
    kind: 'object',
    members: new Map([...node.members, ['name', { kind: 'string', text: name } as JsonNode]]),
  };
}

function addFile(top: Folder, file: SourceFile): void {
  const parts = file.path.split('/');
  const name = parts.pop() ?? '';
  let folder = top;
  for (const part of parts) {
    const known = folder.folders.get(part) ?? createFolder();
    folder.folders.set(part, known);
    folder = known;
  }
  const node = readDocument(file.text);
  if (/^folder\.ya?ml$/i.test(name)) folder.own = node;
  else folder.files.push({ node: withName(node, name.replace(yaml, '')), seq: readSeq(node) });
}

function readSeq(node: JsonNode | null): number {
  const seq = Number(readText(node, 'info', 'seq') ?? Number.NaN);
  return Number.isNaN(seq) ? Number.MAX_SAFE_INTEGER : seq;
}

function withName(node: JsonNode, name: string): JsonNode {
  if (node.kind !== 'object' || readText(node, 'info', 'name') !== null) return node;
  return {
    kind: 'object',
    members: new Map([...node.members, ['name', { kind: 'string', text: name } as JsonNode]]),
  };
}

function listFolder({ files, folders }: Folder): JsonNode[] {
  const inner = [...folders].map(([name, folder]) => {
    const own = folder.own?.kind === 'object' ? folder.own.members : new Map<string, JsonNode>();
    const named = readText(folder.own, 'info', 'name') ?? name;
    const node: JsonNode = {
      kind: 'object',
      members: new Map<string, JsonNode>([
        ...own,
        [
          'info',
          {
            kind: 'object',
            members: new Map([
              ['name', { kind: 'string', text: named }],
              ['type', { kind: 'string', text: 'folder' }],
            ]),
          },
        ],
        ['items', { kind: 'array', items: listFolder(folder) }],
      ]),
    };
    return { node, seq: readSeq(folder.own) };
  });
  const bySeq = (a: { seq: number }, b: { seq: number }): number => a.seq - b.seq;
  return [...inner.sort(bySeq), ...files.sort(bySeq)].map(({ node }) => node);
}
