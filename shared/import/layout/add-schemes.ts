import { createRecord } from '../../own-value';
import type { Imported, ImportedItem, ImportedVariable, ImportNote } from '../imported';
import { fillVariables, renameVariable } from '../variables';
import { readHead } from './plan-environments';

type Values = Readonly<Record<string, string>>;

/** A host, a port that may be open, and no scheme. */
const bareHost =
  /^(?:\[[\da-f:.]{2,45}\]|[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}._-]*[\p{L}\p{M}\p{N}.])?)(?::(?:\d{1,5}|\{\{[^{}]*\}\}))?(?=[/?#\s]|$)/iu;
const firstVariable = /^\{\{[^{}]{1,300}\}\}/;

/**
 * Puts `http://` before addresses whose variables hold a host alone, as the tools do that send them: `{{host}}/pay`.
 *
 * A `base_url` gets it itself, since ours is a whole address; before any other it stands in the requests.
 */
export function addSchemes(imported: Imported): Imported {
  // A server of OpenAPI without a scheme is a path of wherever the document lies.
  if (imported.document !== null) return imported;
  const heads = new Set(listHeads(imported.items));
  const isFree = [...heads].some((head) => /^\{\{\s*base_url\s*\}\}/.test(head));
  const isTaken = [...heads].some((head) => /\/\/\{\{\s*base_url\s*\}\}/.test(head));
  const whole = isFree && !isTaken ? completeBaseUrls(imported) : imported;
  const shared = toValues(whole.shared);
  const tables =
    whole.environments.length === 0
      ? [shared]
      : whole.environments.map(({ variables }) => ({ ...shared, ...toValues(variables) }));
  const known = new Map<string, boolean>();
  const isBare = (head: string): boolean => {
    const found = known.get(head) ?? isBareIn(head, tables);
    known.set(head, found);
    return found;
  };
  const named = new Set<string>();
  const items = whole.items.map((item) => completeItem(item, isBare, named));
  const notes = [...named].map((variable) => ({
    where: whole.name ?? 'imported',
    what: `${variable} holds a host without a scheme: http:// stands before it in the requests here, as other tools send them. Write https:// there where the service takes it.`,
  }));
  return { ...whole, items, notes: [...whole.notes, ...notes] };
}

function* listHeads(items: readonly ImportedItem[]): Generator<string> {
  for (const item of items) {
    if (item.kind === 'folder') yield* listHeads(item.items);
    if (item.kind === 'request') yield readHead(item.url.trim());
  }
}

function completeBaseUrls(imported: Imported): Imported {
  const notes: ImportNote[] = [];
  const complete = (where: string, variables: readonly ImportedVariable[]): ImportedVariable[] =>
    variables.map((one) => {
      if (renameVariable(one.name) !== 'base_url' || !bareHost.test(one.value)) return one;
      const value = `http://${one.value}`;
      notes.push({ where, what: `Its base_url had no scheme: it is ${value} here, as other tools send it.` });
      return { ...one, value };
    });
  return {
    ...imported,
    shared: complete(imported.name ?? 'imported', imported.shared),
    environments: imported.environments.map((one) => ({
      ...one,
      variables: complete(one.name, one.variables),
    })),
    notes: [...imported.notes, ...notes],
  };
}

function toValues(variables: readonly ImportedVariable[]): Record<string, string> {
  const values = createRecord<string>();
  for (const { name, value } of variables) values[renameVariable(name)] = value;
  return values;
}

/** Tells whether it is a host alone wherever it is one at all: with a scheme in one environment it would have two. */
function isBareIn(head: string, tables: readonly Values[]): boolean {
  const filled = tables
    .map((values) => fillVariables(head, values))
    .filter((one) => one !== '' && !one.startsWith('{{'));
  return filled.length > 0 && filled.every((one) => bareHost.test(one));
}

function completeItem(
  item: ImportedItem,
  isBare: (head: string) => boolean,
  named: Set<string>,
): ImportedItem {
  if (item.kind === 'folder')
    return { ...item, items: item.items.map((one) => completeItem(one, isBare, named)) };
  if (item.kind !== 'request') return item;
  const url = item.url.trim();
  const [variable] = firstVariable.exec(url) ?? [];
  if (variable === undefined || !isBare(fillVariables(readHead(url), toValuesOfRequest(item.variables))))
    return item;
  named.add(variable);
  return { ...item, url: `http://${url}` };
}

const toValuesOfRequest = (variables: readonly (readonly [string, string])[]): Values =>
  Object.fromEntries(variables);
