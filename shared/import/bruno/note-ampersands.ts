import type { Imported, ImportedItem } from '../imported';
import { renameVariable } from '../variables';

const head = 'A & in the value of {{';
const noteOf = (name: string): string =>
  `${head}${name}}} is encoded here; Bruno, which fills it in first, begins another parameter of the query with it.`;

/** Variables within an encoded query that are part of a value or a name. */
export function noteAmpersands(url: string): string[] {
  const query = url.slice(url.search(/\?|$/));
  return [...new Set(Array.from(query.matchAll(/\{\{%([^{}]{1,200})\}\}/g), ([, name]) => noteOf(name!)))];
}

type Pairs = readonly (readonly [name: string, value: string])[];

const listNotes = (pairs: Pairs): string[] =>
  pairs.flatMap(([name, value]) => (value.includes('&') ? [noteOf(name)] : []));

/** Leaves out, of what `noteAmpersands` said, all but that of variables that have such a sign in a value. @param imported - its items are changed */
export function dropNeedlessNotes(imported: Imported): Imported {
  const { shared, environments, items } = imported;
  const all = [...shared, ...environments.flatMap(({ variables }) => variables)];
  drop(items, new Set(listNotes(all.map(({ name, value }) => [renameVariable(name), value]))));
  return imported;
}

function drop(items: readonly ImportedItem[], needed: ReadonlySet<string>): void {
  for (const item of items) {
    if (item.kind === 'folder') drop(item.items, needed);
    if (item.kind !== 'request') continue;
    const own = listNotes(item.variables);
    item.notes = item.notes.filter(
      (note) => !note.startsWith(head) || needed.has(note) || own.includes(note),
    );
  }
}
