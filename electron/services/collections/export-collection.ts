import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OpenCollection } from '@shared/contract/collections';
import type { Handlers, MethodOutput, ParsedInput } from '@shared/contract/contract';
import { AppError } from '@shared/errors';
import type { ExportEnvironment, ExportNote, ExportSource } from '@shared/export/export-source';
import { findExampleOwner, indexRequests, requestExtension } from '@shared/http-file/example-file';
import { findStats } from '../../platform/files/files';
import type { Clock, Random } from '../../platform/ports';
import type { LongWork } from '../../platform/workers/long-work';
import { readCollectionEnvironments } from '../environments/collection-environments';
import { errorsOf } from '../errors-of';
import { readBodyFile } from './body-files';
import { readCollectionFile, refuseOtherKind } from './collection-files';
import { findOrderFault } from './collection-order';
import { locate, unknownFile } from './collection-paths';
import { readTree } from './read-tree';

const CollectionsError = errorsOf<'collections.export'>();

export interface ExportDeps {
  /** Of this program. */
  version: string;
  longWork: LongWork<FolderExport>;
  /** @throws {AppError} `collections.not_open` */
  get(collectionId: string): OpenCollection;
}

type Asked = Omit<ParsedInput<'collections.export'>, 'collectionId'> &
  Pick<OpenCollection, 'name' | 'directory'> &
  Pick<ExportDeps, 'version'>;

/** What exporting a collection is to the thread for long work. */
export type FolderExport = {
  exportFolder(asked: Asked): Promise<MethodOutput<'collections.export'>>;
};

/** Files read in one go before others get their turn. */
const chunkFiles = 64;

/** Makes what reads collections for other tools: thousands of requests, or a body of megabytes, take seconds. */
export function createExportHandlers({
  get,
  version,
  longWork,
}: ExportDeps): Pick<Handlers, 'collections.export'> {
  return {
    async 'collections.export'({ collectionId, ...asked }) {
      const { name, directory } = get(collectionId);
      return longWork.call('exportFolder', { ...asked, name, directory, version }, Infinity);
    },
  };
}

/** Makes what writes a collection, a folder of it or a file in the form of another tool. */
export function createFolderExport({ clock, random }: { clock: Clock; random: Random }): FolderExport {
  return {
    async exportFolder({ name, directory, path, format, environment, version }) {
      const part = await readPart(directory, path);
      // Seldom asked for: its scripts and tables are not read at the start.
      const { exportCollection } = await import('@shared/export/export-collection');
      const result = exportCollection(
        {
          name: path === '' ? name : nameOf(path),
          files: part.files,
          examples: part.examples,
          environment: environment ?? readShared(directory),
          readFile: (file, wanted) => readFile(directory, part.root, file, wanted),
          sources: { now: () => clock.now(), random },
          version,
        },
        format,
      );
      if (result.requests === 0) throw refuseEmpty(part.notes[0] ?? result.notes[0]);
      return {
        name: path === '' ? name : nameOf(path),
        files: result.files.map(({ path: file, content }) => ({
          path: file,
          base64: Buffer.from(content as string).toString('base64'),
        })),
        requests: result.requests,
        notes: [...part.notes, ...result.notes],
      };
    },
  };
}

/** Where no environment was chosen: what its file gives to every request. */
function readShared(directory: string): ExportEnvironment | null {
  const { shared, privateNames } = readCollectionEnvironments(directory);
  if (Object.keys(shared).length === 0) return null;
  // As an export without values calls the one that it makes.
  return { name: 'local', baseUrl: '', variables: shared, privateNames: privateNames.get('$shared') ?? [] };
}

const nameOf = (path: string): string => path.replace(/^.*\//, '').replace(requestExtension, '');

function refuseEmpty(note: ExportNote | undefined): AppError {
  const why = note === undefined ? '' : ` ${note.where}: ${note.what}`;
  return new CollectionsError('collections.no_request', `There is no request here to export.${why}`);
}

interface Part {
  files: { path: string; text: string }[];
  examples: NonNullable<ExportSource['examples']>[number][];
  /** Where the paths of `files` begin. */
  root: string;
  notes: ExportNote[];
}

/** Reads the request files of a collection or of a part of it, in the order of the tree. */
async function readPart(directory: string, path: string): Promise<Part> {
  const { nodes } = await readTree(directory, new Map());
  const node = path === '' ? null : nodes.find((one) => one.path === path);
  if (node === undefined) {
    if (findStats(join(directory, path))?.isFile() === true) refuseOtherKind(path);
    throw unknownFile(path);
  }
  const root =
    node === null ? '' : node.kind === 'folder' ? `${path}/` : path.slice(0, path.lastIndexOf('/') + 1);
  const part: Part = { files: [], examples: [], root, notes: [] };
  const wanted = nodes.filter(
    (one) =>
      one.kind === 'request' && (one === node || (node?.kind !== 'request' && one.path.startsWith(root))),
  );
  for (const [index, { path: file }] of wanted.entries()) {
    if (index % chunkFiles === chunkFiles - 1) await nextTurn();
    const where = file.slice(root.length);
    try {
      part.files.push({ path: where, text: readCollectionFile(directory, file).text });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      part.notes.push({ where, what: `Left out: ${error.message}` });
    }
  }
  for (const one of nodes) {
    if (one.kind !== 'folder' || one.fault === null || !`${one.path}/`.startsWith(root)) continue;
    part.notes.push({
      where: one.path.slice(root.length) || one.path,
      what: `Left out: ${one.fault.message}`,
    });
  }
  readExamples(directory, nodes, part);
  const fault = findOrderFault(directory);
  const what = `It cannot be read, since ${fault}: the requests stand by name, not in its order.`;
  if (fault !== null) part.notes.push({ where: 'collection.json', what });
  return part;
}

/** Those whose requests are taken along, beside them; one that cannot be read is noted. */
function readExamples(directory: string, nodes: readonly { kind: string; path: string }[], part: Part): void {
  const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
  const folders = new Map<string, string[]>();
  for (const { path } of part.files) {
    const folder = folderOf(path);
    folders.set(folder, [...(folders.get(folder) ?? []), path.slice(folder.length)]);
  }
  const indexes = new Map([...folders].map(([folder, names]) => [folder, indexRequests(names)] as const));
  for (const { kind, path: file } of nodes) {
    const path = file.slice(part.root.length);
    if (kind !== 'example' || !file.startsWith(part.root)) continue;
    const folder = folderOf(path);
    const found = findExampleOwner(path.slice(folder.length), indexes.get(folder) ?? new Map());
    if (found === null) continue;
    try {
      const { text } = readCollectionFile(directory, file);
      part.examples.push({ path, owner: folder + found.owner, name: found.name, text });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      part.notes.push({ where: path, what: `Left out: ${error.message}` });
    }
  }
}

function readFile(directory: string, root: string, file: string, wanted: string): Uint8Array | null {
  try {
    return readBodyFile(dirname(locate(directory, root + file)), wanted);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
