import { listSome } from '../list-some';
import type { CredentialBook } from './credentials';
import { oneLine } from '../http-file/example-file';
import type { ImportedRequest, ImportedVariable } from './imported';
import { renameVariable } from './variables';

/** A variable that holds for one request, or for those of one folder. */
export interface ScopedVariable extends ImportedVariable {
  /** Some request below uses it. */
  isUsed: boolean;
}

export const toScoped = (one: ImportedVariable): ScopedVariable => ({ ...one, isUsed: false });

/**
 * Puts those that a request uses into its file, where they hold for it alone and come before the environment's, as there.
 *
 * @param scoped - the request's own first, then those of the folders around it from the innermost outwards
 */
export function addScopedVariables(
  request: ImportedRequest,
  scoped: readonly ScopedVariable[],
  book: CredentialBook,
): void {
  if (scoped.length === 0) return;
  const taken = new Set(request.variables.map(([name]) => name));
  const open = [...listUsed(request)];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const one = scoped.find((each) => renameVariable(each.name) === name);
    if (one === undefined || taken.has(name)) continue;
    one.isUsed = true;
    taken.add(name);
    const why = findWhyNot(name, one.value);
    if (why !== null) {
      request.notes.push(`Its variable ${name} ${why}: set it in the environment.`);
      continue;
    }
    request.variables.push([name, one.isSecret ? book.hide(name, one.value) : one.value]);
    open.push(...namesIn(one.value));
  }
}

/** Says of those that nothing uses that they are left out. @param whose - `Its variables` of a request or a folder */
export function noteUnused(scoped: readonly ScopedVariable[]): string[] {
  const names = scoped.filter(({ isUsed }) => !isUsed).map(({ name }) => name);
  return names.length === 0
    ? []
    : [`Its own variables that no request here uses are left out: ${listSome(names)}.`];
}

/** A line of a file has no more than a line, and no blanks at its ends. */
function findWhyNot(name: string, value: string): string | null {
  if (oneLine(value).trim() !== value) return 'has several lines, or blanks at an end, and is left out';
  return namesIn(value).includes(name) ? 'is made of one of the same name, and left out' : null;
}

function listUsed({
  url,
  headers,
  body,
  offHeaders,
  offParameters,
  variables,
}: ImportedRequest): Set<string> {
  const texts = [
    url,
    ...headers.flat(),
    ...(body?.isVerbatim === true ? [] : (body?.parts ?? [])).map((part) =>
      typeof part === 'string' ? part : part.file,
    ),
    ...[...offHeaders, ...offParameters].map(({ value }) => value),
    ...variables.map(([, value]) => value),
  ];
  return new Set(texts.flatMap(namesIn));
}

const namesIn = (text: string): string[] =>
  Array.from(text.matchAll(/\{\{%?([^{}\r\n]{1,240})\}\}/g), ([, name = '']) => name.trim());
