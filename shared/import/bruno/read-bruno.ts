import { AppError } from '../../errors';
import { memberOf, type JsonNode } from '../../json/json-tree';
import type { CredentialBook } from '../credentials';
import { countBlockItems } from '../count-block-items';
import { requireRoomForItems, type Imported, type ImportSource, type SourceFile } from '../imported';
import { listItems, listMembers, readText } from '../nodes';
import { readSourceDocument } from '../read-document';
import { listSome } from '../../list-some';
import { dropNeedlessNotes } from './note-ampersands';
import { readBruFolder } from './read-bru-folder';
import { readBrunoDocument } from './read-bruno-document';

/** Lists of requests and folders in OpenCollection. */
const itemLists: ReadonlySet<string> = new Set(['items']);

const yaml = /\.ya?ml$/i;
/** The name of what stands at a collection's top, behind its folder. */
const markFile = /(?<=^|\/)(?:bruno\.json|opencollection\.ya?ml)$/i;
const rootFile = /^(?:opencollection|collection)\.ya?ml$/i;

/**
 * Reads a collection of Bruno: a folder of `.bru` files, its JSON export, or OpenCollection as a folder or one file.
 *
 * @source docs.usebruno.com; opencollection.com
 */
export function readBruno(given: ImportSource, book: CredentialBook): Imported {
  return dropNeedlessNotes(readCollection(given, book));
}

function readCollection(given: ImportSource, book: CredentialBook): Imported {
  const source = enterCollection(given);
  const { name, files } = source;
  if (files.some(({ path }) => /\.bru$/i.test(path))) return readBruFolder(source, book);
  if (files.length > 1) return readBrunoDocument(gather(source), name, book);
  const text = files[0]?.text ?? '';
  // A .bru file without its name begins with a block, as neither JSON nor YAML does.
  if (/^\s*[a-z](?:[\w:-]*\w)?[ \t]*[{[]/i.test(text))
    return readBruFolder({ name, files: [{ path: `${name}.bru`, text }] }, book);
  requireRoomForItems(countBlockItems(text, itemLists));
  const root = readSourceDocument(files[0]);
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
  return readBrunoDocument(root, name, book);
}

/**
 * Finds the collection in a folder around it, such as a repository: what holds for all of it (headers, authentication,
 * environments) stands at its own top.
 *
 * @throws {AppError} `import.unsupported` where there are several, as in a workspace
 */
function enterCollection(source: ImportSource): ImportSource {
  const tops = source.files.flatMap(({ path }) => (markFile.test(path) ? [path.replace(markFile, '')] : []));
  const outer = [...new Set(tops)].filter(
    (top) => !tops.some((other) => other !== top && top.startsWith(other)),
  );
  const [top = '', ...others] = outer;
  if (others.length > 0) {
    const named = listSome(outer.map((one) => one.slice(0, -1)));
    throw new AppError(
      'import.unsupported',
      `It holds ${outer.length} collections of Bruno: ${named}. Import each folder by itself.`,
    );
  }
  if (top === '') return source;
  const inner = source.files.filter(({ path }) => path.startsWith(top));
  return { ...source, files: inner.map((file) => ({ ...file, path: file.path.slice(top.length) })) };
}

interface Folder {
  files: JsonNode[];
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
    if (rootFile.test(file.path)) root = readSourceDocument(file);
    else if (/^environments\//i.test(file.path)) environments.push(readNamed(file));
    else addFile(top, file);
  }
  if (root === null) {
    throw new AppError(
      'import.unsupported',
      'This folder is no collection of Bruno: it has neither .bru files nor an opencollection.yml.',
    );
  }
  const all = [...listItems(root, 'environments'), ...environments];
  return {
    kind: 'object',
    members: new Map([
      ...listMembers(root),
      ['items', { kind: 'array', items: [...listItems(root, 'items'), ...listFolder(top)] } as JsonNode],
      ['environments', { kind: 'array', items: all } as JsonNode],
    ]),
  };
}

/** What has no name is called as its file is. */
function readNamed(file: SourceFile): JsonNode {
  const { path } = file;
  const node = readSourceDocument(file);
  if (readText(node, 'info', 'name') !== null || readText(node, 'name') !== null) return node;
  const name = path.slice(path.lastIndexOf('/') + 1).replace(yaml, '');
  const members = new Map<string, JsonNode>([...listMembers(node), ['name', { kind: 'string', text: name }]]);
  return { kind: 'object', members };
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
  if (/^folder\.ya?ml$/i.test(name)) folder.own = readSourceDocument(file);
  else folder.files.push(readNamed(file));
}

function listFolder({ files, folders }: Folder): JsonNode[] {
  const inner = [...folders].map(([name, folder]): JsonNode => {
    const info = new Map<string, JsonNode>([
      ['name', { kind: 'string', text: name }],
      ...listMembers(folder.own, 'info'),
    ]);
    const members = new Map<string, JsonNode>([
      ...listMembers(folder.own),
      ['info', { kind: 'object', members: info }],
      ['items', { kind: 'array', items: listFolder(folder) }],
    ]);
    return { kind: 'object', members };
  });
  return [...inner, ...files];
}
