import type { TreeNode } from '@shared/contract/collections';
import type { Operation, RequestIdentity } from '@shared/contract/common';
import type { Environment } from '@shared/contract/environments';
import type { KeySummary } from '@shared/contract/vault';
import { findTokenProduct } from '@shared/http-file/last-reference';
import { joinScopes } from '@shared/http-file/value-scopes';
import { createDynamicValues, type DynamicValues } from '@shared/http-file/dynamic-values';
import { findExampleOwner, indexRequests } from '@shared/http-file/example-file';
import { identifyBlock } from '@shared/http-file/identify-block';
import { labelEnvironment, readCollectionValues } from '../../session/environments';
import type { TreeEntry } from '../../ui/tree-rows';
import type { ValueSources } from './editor/describe-value';
import { inspectRequest, type RequestInsight } from './editor/inspect-request';
import { formatItemId, type OpenTab, type RequestsState, type ShownCollection } from './requests-store';

/** A row of the tree: a file or folder, or the collection itself. */
export interface TreeItem {
  collection: ShownCollection;
  /** Null: the collection itself. */
  node: TreeNode | null;
}

/** All collections' files and folders as the tree shows them; the collections themselves stand there where there are several. */
export function listEntries(collections: readonly ShownCollection[]): TreeEntry<TreeItem>[] {
  const areSeveral = collections.length > 1;
  return collections.flatMap((collection) => [
    ...(areSeveral ? [toEntry({ collection, node: null }, 0)] : []),
    ...collection.nodes.map((node) => toEntry({ collection, node }, node.depth + (areSeveral ? 1 : 0))),
  ]);
}

function toEntry(value: TreeItem, depth: number): TreeEntry<TreeItem> {
  const { collection, node } = value;
  return {
    id: formatItemId(collection.id, node?.path ?? ''),
    text: node?.name ?? collection.name,
    depth,
    isFolder: node === null || node.kind === 'folder',
    value,
  };
}

/** The folder that a row is or lies in; empty: the collection's own. */
export function folderOf({ node }: TreeItem): string {
  if (node === null) return '';
  return node.kind === 'folder' ? node.path : parentOf(node.path);
}

/** The folder that a path lies in; empty: the collection's own. */
export const parentOf = (path: string): string => path.replace(/(^|\/)[^/]*$/, '');

/** The collection that was worked in last; null: none is open. */
export const selectCollection = ({ collections, collectionId }: RequestsState): ShownCollection | null =>
  collections.find(({ id }) => id === collectionId) ?? null;

/** Path of the request that an example belongs to; null where it is gone. */
export function findOwnerPath(state: RequestsState, collectionId: string, path: string): string | null {
  const folder = parentOf(path);
  const nodes = state.collections.find(({ id }) => id === collectionId)?.nodes ?? [];
  const beside = nodes.filter((node) => node.kind === 'request' && parentOf(node.path) === folder);
  const names = beside.map((node) => node.path.slice(folder === '' ? 0 : folder.length + 1));
  const fileName = path.slice(folder === '' ? 0 : folder.length + 1);
  const found = findExampleOwner(fileName, indexRequests(names));
  return found && (folder === '' ? found.owner : `${folder}/${found.owner}`);
}

/** What most requests of a folder do, where it has some: a new one begins with it. */
export function folderOperation(
  state: RequestsState,
  collectionId: string,
  folder: string,
): Operation | null {
  const counts = new Map<Operation, number>();
  const owner = state.collections.find(({ id }) => id === collectionId);
  for (const { path, operation } of owner?.nodes ?? []) {
    if (operation === null || operation === 'other' || parentOf(path) !== folder) continue;
    counts.set(operation, (counts.get(operation) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

/** Files by path. Rows and tabs ask for theirs with every key that is typed: tens of thousands are not gone through each time. */
const nodesByPath = new WeakMap<readonly TreeNode[], ReadonlyMap<string, TreeNode>>();

/** A file or folder as the tree has it. */
export function findNode(
  { collections }: RequestsState,
  collectionId: string,
  path: string,
): TreeNode | undefined {
  const nodes = collections.find(({ id }) => id === collectionId)?.nodes;
  if (nodes === undefined) return undefined;
  const known = nodesByPath.get(nodes) ?? new Map(nodes.map((node) => [node.path, node]));
  nodesByPath.set(nodes, known);
  return known.get(path);
}

export const selectActiveTab = (state: RequestsState): OpenTab | null =>
  state.tabs.find((tab) => tab.id === state.activeId) ?? null;

/** True while a tab holds what the file does not. */
export const isDirty = (tab: OpenTab): boolean => tab.state === 'ready' && tab.text !== tab.savedText;

/** Keys to choose from: those that fit the environment, then those of other ones, which have to be confirmed. */
export function listKeyChoices(
  keys: readonly KeySummary[],
  environment: Pick<Environment, 'id'>,
): { id: string; label: string; isOther: boolean }[] {
  const toChoice = ({ id, name, fingerprint, environment: owner }: KeySummary) => {
    const isOther = owner !== null && owner !== environment.id;
    const ownerText = isOther ? `, of ${labelEnvironment(owner)}` : '';
    return { id, isOther, label: `${name} · ${fingerprint.slice(0, 8)}${ownerText}` };
  };
  return keys
    .filter(({ isLocked }) => !isLocked)
    .map(toChoice)
    .toSorted((a, b) => Number(a.isOther) - Number(b.isOther));
}

const dynamicValues = new Map<
  string,
  { round: number; values: DynamicValues; before: DynamicValues | null }
>();

/** The pinned `{{$…}}` values of a tab: the same until `dynamicRound` goes up. */
function pinnedValues(tab: OpenTab): DynamicValues {
  const known = dynamicValues.get(tab.id);
  if (known?.round === tab.dynamicRound) return known.values;
  const values = createDynamicValues({
    now: () => Date.now(),
    random: {
      uuid: () => crypto.randomUUID(),
      bytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
    },
  });
  dynamicValues.set(tab.id, { round: tab.dynamicRound, values, before: known?.values ?? null });
  return values;
}

/** Takes the time of now for `{{$timestamp}}` and its like; references and other draws stay as they were shown. */
export function renewTimes(id: string): void {
  dynamicValues.get(id)?.values.renewTimes();
  insights.delete(id);
}

/** Gives the next round the values of the last one: what was sent is sent once more with its reference. */
export function reuseValues(id: string, nextRound: number): void {
  const known = dynamicValues.get(id);
  if (known?.before) dynamicValues.set(id, { round: nextRound, values: known.before, before: known.values });
}

interface CachedInsight {
  text: string;
  requestIndex: number;
  round: number;
  environment: Environment | null;
  collection: Readonly<Record<string, string>>;
  insight: RequestInsight;
}

const insights = new Map<string, CachedInsight>();

/**
 * Reads a tab's request once for each state of text, environment and pinned values.
 *
 * Preview, warnings and what is sent all call this: they cannot differ.
 */
export function readInsight(tab: OpenTab, environment: Environment | null): RequestInsight {
  const collection = readCollectionValues(tab.collectionId);
  const cached = insights.get(tab.id);
  if (
    cached &&
    cached.text === tab.text &&
    cached.requestIndex === tab.requestIndex &&
    cached.round === tab.dynamicRound &&
    cached.environment === environment &&
    cached.collection === collection
  ) {
    return cached.insight;
  }
  const insight = inspectRequest(tab.text, tab.requestIndex, {
    ...joinScopes({ environment, collection }),
    dynamic: pinnedValues(tab),
  });
  insights.set(tab.id, {
    text: tab.text,
    requestIndex: tab.requestIndex,
    round: tab.dynamicRound,
    environment,
    collection,
    insight,
  });
  return insight;
}

/** All that values of a tab's request come from. */
export function readValueSources(
  tab: OpenTab,
  environment: Environment | null,
  { block }: RequestInsight,
): ValueSources {
  const collection = readCollectionValues(tab.collectionId);
  const product = findTokenProduct(block?.headers ?? []);
  return { environment, collection, product, fileVariables: block?.fileVariables ?? [] };
}

/** What history knows the request by that a tab shows. */
export function identifyRequest(
  { collectionId, path, requestIndex, lost }: OpenTab,
  { file }: RequestInsight,
): RequestIdentity {
  if (requestIndex === -1 && lost !== null) return { collectionId, path, block: lost.identity };
  const index = requestIndex < file.requests.length ? requestIndex : 0;
  return { collectionId, path, block: identifyBlock(file.requests, index) };
}

/** What a sent request is called where it stands among others: as its tab, and by its own name where the file holds several. */
export function titleRequest({ title, requestIndex }: OpenTab, { file }: RequestInsight): string {
  const request = file.requests[requestIndex];
  if (file.requests.length < 2 || request === undefined) return title;
  return `${title} · ${request.name ?? `${requestIndex + 1} of ${file.requests.length}`}`;
}

/** True where the last answer was 'too many' and what would be sent now is that very request: nothing new was drawn or typed. */
export function canRepeat({ exchange }: OpenTab, { prepared }: RequestInsight): boolean {
  return (
    exchange?.reading?.outcome === 'rate_limited' &&
    exchange.reference !== null &&
    exchange.request.body === prepared?.body
  );
}

/** Forgets what was kept for a tab that was closed. */
export function forgetInsight(id: string): void {
  insights.delete(id);
  dynamicValues.delete(id);
}
