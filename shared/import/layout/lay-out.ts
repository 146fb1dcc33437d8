import { scriptNote } from '../../http-file/find-other-readings';
import { anySources, hasActingLine, listScriptLines } from '../../http-file/script-braces';
import { AppError } from '../../errors';
import { joinPath } from '../../join-path';
import { createRecord } from '../../own-value';
import { nameExample } from '../../http-file/example-file';
import { isSecretName } from '../../secrets';
import { createDynamicValues } from '../../http-file/dynamic-values';
import { parseHttpFile } from '../../http-file/parse-http-file';
import { prepareRequest } from '../../http-file/prepare-request';
import {
  createRepeatHiding,
  hideCredentials,
  type CredentialBook,
  type FoundCredential,
} from '../credentials';
import { refuseDeepFolders, refuseMany, requireRoomForItems, requireRoomForText } from '../imported';
import type {
  Imported,
  ImportedExample,
  ImportedFolder,
  ImportedItem,
  ImportedRequest,
  ImportNote,
} from '../imported';
import { printImportedExample } from './write-example';
import { addSchemes } from './add-schemes';
import { cleanRequest, findObstacle, nameByAddress, gatherUnpacked } from './clean-request';
import { noteBraces } from './note-braces';
import { takeOwnCredentials } from './own-credentials';
import { findOwnSecrets, isHidden, nameSecretVariables } from './secret-variables';
import {
  planEnvironments,
  refuseManyVariables,
  SHARED,
  type PlannedEnvironment,
  type PlannedSecrets,
} from './plan-environments';
import { createValueMask } from './mask-values';
import { findExampleRoom, makeSafeName, NameBook } from './safe-names';
import { renameVariable } from '../variables';
import { writeRequest } from './write-request';

/** A file to be made; its path is relative to the folder that takes the import, `/` between parts. */
export interface PlannedFile {
  path: string;
  content: string | Uint8Array;
}

/** What an import comes to, before anything is written. */
export interface ImportPlan {
  /** Of the collection; null: it has none. */
  name: string | null;
  /** Known again when the same document is imported once more; null: each import stands for itself. */
  document: string | null;
  files: PlannedFile[];
  /** Folders and requests in the order that they had. */
  order: string[];
  environments: PlannedEnvironment[];
  sealed: PlannedSecrets[];
  notes: ImportNote[];
  counts: { requests: number; folders: number; environments: number };
}

/** Files and folders, examples and bodies too: somewhat fewer than a collection may have that is to be opened. */
const MAX_ENTRIES = 28_000;

interface Layout {
  names: NameBook;
  /** Of variables: of all environments, else of the first that has one. */
  values: Readonly<Record<string, string>>;
  book: CredentialBook;
  plan: ImportPlan;
  sent: { path: string; url: string; text: string }[];
  items: number;
  bodyFiles: number;
  /** Of all files so far. */
  size: number;
  /** Written last: what any request proves itself with is masked in all of them. */
  examples: { folder: string; owner: string; example: ImportedExample }[];
  /** Notes that are made, so that none is made twice. */
  said: Set<string>;
  isText: Imported['isText'];
  /** What has another name with us, and where it stands. */
  renames: Map<string, { now: string; places: string[] }>;
}

/**
 * Lays out what was read as files: one a request, folders kept, names safe and free.
 *
 * @param taken - paths that other files have already
 * @throws {AppError} `import.nothing_found`, `import.too_many`, `import.too_large`, `import.too_deep`
 */
export function layOut(given: Imported, book: CredentialBook, taken: readonly string[] = []): ImportPlan {
  const plan = layOutNamed(given, book, taken);
  const hide = createHiding(given, book);
  const items = given.items.map((one) => hideInNames(one, hide));
  const hasNone = items.every((one, at) => one === given.items[at]);
  return hasNone ? plan : layOutNamed({ ...given, items }, book, taken);
}

/** Of a request that nobody named, tools make the address its name, with what it has of credentials. @returns itself: it has none */
function hideInNames(item: ImportedItem, hide: (text: string) => string): ImportedItem {
  if (item.kind === 'left out') return item;
  const given = item.kind === 'request' ? nameOf(item) : item.name;
  const name = hide(given);
  if (item.kind === 'folder') {
    const items = item.items.map((one) => hideInNames(one, hide));
    const hasNone = name === given && items.every((one, at) => one === item.items[at]);
    return hasNone ? item : { ...item, name, items };
  }
  const examples = item.examples.map((one) => ({ ...one, name: hide(one.name) }));
  const hasNone = name === given && examples.every((one, at) => one.name === item.examples[at]?.name);
  return hasNone ? item : { ...item, name, examples };
}

const nameOf = ({ name, method, url }: ImportedRequest): string =>
  name.trim() === '' ? nameByAddress(method, url) : name;

/** What the requests and the secret variables hold, wherever else it stands. */
function createHiding({ shared, environments }: Imported, book: CredentialBook): (text: string) => string {
  const named = [...shared, ...environments.flatMap((one) => one.variables)]
    // An address that is kept secret begins those of requests that are not.
    .filter((one) => isHidden(one) && !one.value.includes('://'))
    .map(({ name, value }) => ({ name: renameVariable(name), value }));
  return createRepeatHiding([...named, ...book.list()]);
}

function layOutNamed(given: Imported, book: CredentialBook, taken: readonly string[]): ImportPlan {
  // Before a secret has two names: it counts once.
  refuseManyVariables(given);
  const imported = nameSecretVariables(addSchemes(given), book);
  const counts = { requests: 0, folders: 0, environments: 0 };
  const plan: ImportPlan = {
    name: imported.name,
    document: imported.document,
    files: [],
    order: [],
    environments: [],
    sealed: [],
    notes: [...imported.notes],
    counts,
  };
  const layout: Layout = {
    names: new NameBook(),
    values: listValues(imported),
    book,
    plan,
    sent: [],
    items: 0,
    bodyFiles: 0,
    size: 0,
    examples: [],
    said: new Set(),
    isText: imported.isText,
    renames: new Map(),
  };
  for (const name of ['collection.json', 'http-client.env.json', 'http-client.private.env.json']) {
    layout.names.reserve('', name);
  }
  for (const path of taken) {
    const at = path.lastIndexOf('/');
    layout.names.reserve(path.slice(0, Math.max(0, at)), path.slice(at + 1));
  }
  addItems(layout, imported.items, '', 0);
  const hide = createHiding(imported, book);
  hideRepeats(layout, hide);
  noteRenames(layout, imported);
  writeExamples(layout, imported);
  const found = book.list();
  const credentials = found.filter(({ isPlaceholder }) => !isPlaceholder);
  const { environments, sealed, notes } = planEnvironments(imported, layout.sent, credentials);
  for (const one of [...environments, ...sealed])
    for (const [name, value] of Object.entries(one.variables)) one.variables[name] = hide(value);
  Object.assign(plan, { environments, sealed });
  plan.notes.push(...notes, ...found.filter(({ isPlaceholder }) => isPlaceholder).map(describePlaceholder));
  counts.environments = environments.filter(({ name }) => name !== SHARED).length;
  if (counts.requests === 0 && counts.environments === 0) {
    const [first] = plan.notes;
    const why = first === undefined ? '' : ` ${first.where}: ${first.what}`;
    throw new AppError(
      'import.nothing_found',
      `There is nothing to import in it: no request that can be sent.${why}`,
    );
  }
  return { ...plan, notes: gatherUnpacked(plan.notes) };
}

function addItems(layout: Layout, items: readonly ImportedItem[], folder: string, depth: number): void {
  for (const item of items) {
    layout.items += 1;
    requireRoomForItems(layout.items);
    requireRoomForEntries(layout);
    if (item.kind === 'folder') addFolder(layout, item, folder, depth);
    else if (item.kind === 'request') addRequest(layout, item, folder);
    else note(layout, joinPath(folder, item.name), `Left out: ${item.why}`);
  }
}

function requireRoomForEntries({ items, bodyFiles }: Layout): void {
  if (items + bodyFiles > MAX_ENTRIES) throw refuseMany(MAX_ENTRIES, 'requests, folders and files of bodies');
}

function addFile(layout: Layout, file: PlannedFile): void {
  layout.size += file.content.length;
  requireRoomForText(layout.size);
  layout.plan.files.push(file);
}

function note({ plan, said }: Layout, where: string, what: string): void {
  const key = `${where}\n${what}`;
  if (said.has(key)) return;
  said.add(key);
  plan.notes.push({ where, what });
}

function addFolder(layout: Layout, item: ImportedFolder, folder: string, depth: number): void {
  refuseDeepFolders(depth + 1);
  const path = joinPath(folder, layout.names.take(folder, makeSafeName(item.name, 'Folder'), ''));
  const before = layout.plan.counts.requests;
  layout.plan.order.push(path);
  for (const what of item.notes) note(layout, path, what);
  addItems(layout, item.items, path, depth + 1);
  if (layout.plan.counts.requests > before) layout.plan.counts.folders += 1;
  else {
    layout.plan.order.pop();
    note(layout, path, 'Left out: the folder holds no request.');
  }
}

function addRequest(layout: Layout, item: ImportedRequest, folder: string): void {
  const { plan, names } = layout;
  const given = nameOf(item);
  const obstacle = findObstacle(item);
  if (obstacle !== null) {
    note(layout, joinPath(folder, given), `Left out: ${obstacle}`);
    return;
  }
  // A file that is called an example holds an answer, and is never sent.
  const safe = makeSafeName(given, 'Request').replace(/\.(?=example$)/i, ' ');
  const free = names.take(folder, safe, '.http');
  // Two of one name would look the same in the tree.
  const name = `${given}${free.slice(safe.length)}`;
  const cleaned = takeOwnCredentials(cleanRequest({ ...item, name }), layout.values);
  const request = hideCredentials(hideOwnVariables(layout, cleaned), layout.book);
  const written = writeRequest(request, free);
  if (written === null) {
    note(
      layout,
      joinPath(folder, given),
      'Left out: its address, headers or body cannot be written in a request file.',
    );
    return;
  }
  const path = joinPath(folder, `${free}.http`);
  for (const example of item.examples) layout.examples.push({ folder, owner: free, example });
  const { text, bodyFile } = written;
  addFile(layout, { path, content: text });
  if (bodyFile !== null) {
    addFile(layout, { path: joinPath(folder, bodyFile.name), content: bodyFile.content });
    layout.bodyFiles += 1;
    requireRoomForEntries(layout);
  }
  plan.order.push(path);
  plan.counts.requests += 1;
  layout.sent.push({
    path,
    url: request.url,
    text: `${text}${typeof bodyFile?.content === 'string' ? bodyFile.content : ''}`,
  });
  for (const [given, now] of item.renames) {
    const known = layout.renames.get(given) ?? { now, places: [] };
    known.places.push(path);
    layout.renames.set(given, known);
  }
  const braces = layout.isText ? noteBraces(item, request, layout.isText, bodyFile !== null) : [];
  for (const what of [...request.notes, ...braces, ...written.notes, ...listForeign(text)])
    note(layout, path, what);
}

/** In the files of requests: braces in a file of a body are text. */
function hideRepeats({ plan, sent }: Layout, hide: (text: string) => string): void {
  for (const file of plan.files)
    if (typeof file.content === 'string' && file.path.endsWith('.http')) file.content = hide(file.content);
  for (const one of sent) Object.assign(one, { url: hide(one.url), text: hide(one.text) });
}

/** Those of its file alone that it proves itself with. */
function hideOwnVariables({ book }: Layout, request: ImportedRequest): ImportedRequest {
  const secret = findOwnSecrets(request);
  const variables = request.variables.map(([name, value]): [string, string] => [
    name,
    secret.has(name) ? book.hide(name, value) : value,
  ]);
  return { ...request, variables };
}

/** A file for each, beside its request. */
function writeExamples(layout: Layout, imported: Imported): void {
  const { examples, book } = layout;
  const mask = createValueMask(listSecrets(imported, book));
  const room = Math.max(0, MAX_ENTRIES - layout.items - layout.bodyFiles);
  if (examples.length > room) {
    const what = `${examples.length - room} of its ${examples.length} saved answers are left out: an import comes to at most ${MAX_ENTRIES} files and folders.`;
    note(layout, imported.name ?? 'All of it', what);
  }
  for (const { folder, owner, example } of examples.slice(0, room)) {
    const content = printImportedExample(example, mask);
    const why = content === null ? 'it is too much to look through for secrets' : findWhyActs(content);
    if (content !== null && why === null) {
      addFile(layout, { path: nameExampleFile(layout, folder, owner, example), content });
      continue;
    }
    note(layout, joinPath(folder, `${owner}.http`), `Its example '${titleOf(example)}' is left out: ${why}.`);
  }
}

const findWhyActs = (content: string): string | null =>
  hasActingLine(content) ? 'other clients would run lines of it' : null;

const titleOf = ({ name, httpStatus, reason }: ImportedExample): string =>
  name.trim() === '' ? `${httpStatus} ${reason}`.trim() : name;

function nameExampleFile({ names }: Layout, folder: string, owner: string, example: ImportedExample): string {
  const safe = makeSafeName(titleOf(example), String(example.httpStatus), findExampleRoom(owner));
  const wanted = nameExample(owner, safe).replace(/\.example$/, '');
  // Behind what makes it an example a number would make it a request.
  return joinPath(folder, `${names.take(folder, wanted, '.example.http')}.example.http`);
}

const describePlaceholder = ({ name }: FoundCredential): ImportNote => ({
  where: `{{${name}}}`,
  what: 'A placeholder stood where a value belongs: give one in Environments.',
});

function listValues({ shared, environments }: Imported): Record<string, string> {
  const values = createRecord<string>();
  for (const { name, value } of [...shared, ...environments.flatMap((one) => one.variables)])
    values[renameVariable(name)] ??= value;
  return values;
}

function listSecrets({ shared, environments }: Imported, book: CredentialBook): string[] {
  const variables = [...shared, ...environments.flatMap((one) => one.variables)];
  return [
    ...book
      .list()
      .filter(({ isPlaceholder }) => !isPlaceholder)
      .map(({ value }) => value),
    ...variables.filter(({ name, isSecret }) => isSecret || isSecretName(name)).map(({ value }) => value),
  ].filter((value) => !value.includes('{{'));
}

/** What is another name by its blanks alone is so for tools that take them for a part of it. */
const describeRename = (given: string, now: string, many: string): string =>
  `${given} is written ${now} here${many}${`{{${given.slice(2, -2).trim()}}}` === now ? ': there, blanks within its braces belong to its name' : ''}.`;

/** Says each once, however many requests have it. */
function noteRenames(layout: Layout, imported: Imported): void {
  const { renames, plan } = layout;
  const whole = imported.name ?? 'All of it';
  for (const [given, { now, places }] of renames) {
    const [first = ''] = places;
    const many = places.length === 1 ? '' : ` in ${places.length} requests`;
    note(layout, many === '' ? first : whole, describeRename(given, now, many));
  }
  for (const [given, now] of imported.renames) {
    if (!renames.has(given)) plan.notes.push({ where: whole, what: describeRename(given, now, '') });
  }
}

/** What of the written request is not done here: `{{$randomFirstName}}` and the like. */
function listForeign(text: string): string[] {
  const [block] = parseHttpFile(text).requests;
  if (block === undefined) return [];
  const { notes } = prepareRequest(block, { variables: {}, dynamic: createDynamicValues(anySources) });
  const scripts = listScriptLines(block).length > 0 ? [scriptNote] : [];
  return [...notes.map(({ message }) => message), ...scripts];
}
