import { isSecretName } from '../../secrets';
import {
  createCredentialBook,
  findFree,
  hideCredentials,
  hideInHeader,
  hideInText,
  looksLikeCredential,
  nameSecret,
  type CredentialBook,
  type ProvingParts,
} from '../credentials';
import type { Imported, ImportedItem, ImportedRequest, ImportedVariable } from '../imported';
import { mapExpressions, renameVariable } from '../variables';
import { cleanRequest } from './clean-request';

const braces = /\{\{([^{}\r\n]{1,240})\}\}/g;
/** Stands for a variable while it is looked at: letters alone, so that it is read as a value is. */
const mark = /csvar([a-j]+)ravsc/g;
const letters = 'abcdefghij';

/**
 * Gives the variables that are secret names that tell so, in all that uses them: `{{tok}}` of `Authorization: Bearer {{tok}}`.
 *
 * What is secret is known by its name here. Called as they were, they would stand in a file that a team shares, or their values
 * would be lost: the vault keeps none of them.
 * @param book - keeps the names that it gave, and leaves those that are given here
 */
export function nameSecretVariables(imported: Imported, book: CredentialBook): Imported {
  const names = chooseNames(imported, book);
  if (names.size === 0) return imported;
  const rename = createRenaming(names);
  // The requests of environments that come alone lie in files, which nothing here rewrites: what they use goes on to stand there.
  const isAlone = imported.items.length === 0;
  const renameAll = (variables: readonly ImportedVariable[]): ImportedVariable[] =>
    variables.flatMap((one) => {
      const now = names.get(renameVariable(one.name));
      const renamed = { ...one, name: now ?? one.name, value: rename(one.value) };
      if (now === undefined || !isAlone) return [renamed];
      return [renamed, { name: one.name, value: `{{${now}}}`, isSecret: false }];
    });
  const notes = [...names].map(([name, now]) => {
    const holder = imported.environments.find(({ variables }) =>
      variables.some((one) => renameVariable(one.name) === name),
    );
    const ofRequests = isAlone
      ? ` {{${name}}} stands for it in the requests that use it, unless the file has a value of {{${name}}} already.`
      : '';
    return {
      where: imported.name ?? holder?.name ?? 'imported',
      what: `Its variable ${name} is called ${now} here: what is secret is known by its name.${ofRequests}`,
    };
  });
  return {
    ...imported,
    items: imported.items.map((item) => renameIn(item, names)),
    shared: renameAll(imported.shared),
    environments: imported.environments.map((one) => ({ ...one, variables: renameAll(one.variables) })),
    notes: [...imported.notes, ...notes],
  };
}

/** The variables of any name that requests prove themselves with, and those that they are made of. */
export function findProving(
  requests: readonly ProvingParts[],
  variables: ImportedRequest['variables'],
): Set<string> {
  return followTemplates(variables, new Set(requests.flatMap((one) => [...findIn(one)])));
}

/** The variables of its file alone that a request proves itself with. */
export function findOwnSecrets(request: ImportedRequest): ReadonlySet<string> {
  return request.variables.length === 0 ? new Set() : findProving([request], request.variables);
}

/** Tells whether a variable's value stays out of files. Templates are none: what they are made of is. */
export function isHidden({ name, value, isSecret }: ImportedVariable): boolean {
  if (value.includes('{{')) return false;
  return isSecret || isSecretName(renameVariable(name)) || looksLikeCredential(value) || holdsSecret(value);
}

function holdsSecret(value: string): boolean {
  const book = createCredentialBook();
  hideInText(value, book);
  return book.list().length > 0;
}

/** By the names that they have so far. */
function chooseNames(imported: Imported, book: CredentialBook): Map<string, string> {
  const all = [...imported.shared, ...imported.environments.flatMap(({ variables }) => variables)];
  const pairs = all.map(({ name, value }): [string, string] => [renameVariable(name), value]);
  const given = new Set(
    pairs.filter(([, value]) => value !== '' && !value.includes('{{')).map(([name]) => name),
  );
  const secret = new Set(
    all.filter((one) => one.value !== '' && isHidden(one)).map(({ name }) => renameVariable(name)),
  );
  for (const [name] of pairs) if (isSecretName(name)) secret.add(name);
  for (const name of book.listVariables()) secret.add(renameVariable(name));
  if (given.size > 0) for (const name of listUsed(imported.items)) secret.add(name);
  const taken = new Set([...pairs.map(([name]) => name), ...book.list().map(({ name }) => name)]);
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const name of followTemplates(pairs, secret)) {
    if (isSecretName(name) || !given.has(name)) continue;
    const free = findFree(nameSecret(name), taken, counts);
    taken.add(free);
    names.set(name, free);
  }
  book.reserve(names.values());
  return names;
}

/** The variables of all requests that these prove themselves with, but for those of a file alone. */
function* listUsed(items: readonly ImportedItem[]): Generator<string> {
  for (const item of items) {
    if (item.kind === 'folder') yield* listUsed(item.items);
    if (item.kind !== 'request') continue;
    const own = new Set(item.variables.map(([name]) => name));
    for (const name of followTemplates(item.variables, findIn(cleanRequest(item))))
      if (!own.has(name)) yield name;
  }
}

function createRenaming(names: ReadonlyMap<string, string>): (text: string) => string {
  return (text) =>
    mapExpressions(text, (inner) => {
      const [, sign = '', name = ''] = /^(%?)(.*)$/s.exec(inner.trim()) ?? [];
      const now = names.get(name);
      return now === undefined ? inner : `${sign}${now}`;
    });
}

function renameIn(item: ImportedItem, all: ReadonlyMap<string, string>): ImportedItem {
  if (item.kind === 'folder') return { ...item, items: item.items.map((one) => renameIn(one, all)) };
  if (item.kind !== 'request') return item;
  const names = new Map(all);
  for (const [name] of item.variables) names.delete(name);
  const rename = createRenaming(names);
  const renameRow = <Row extends { readonly value: string }>(row: Row): Row => ({
    ...row,
    value: rename(row.value),
  });
  const { body } = item;
  const parts = body?.parts.map((part) => (typeof part === 'string' ? rename(part) : part));
  return {
    ...item,
    url: rename(item.url),
    headers: item.headers.map(([name, value]) => [rename(name), rename(value)]),
    offHeaders: item.offHeaders.map(renameRow),
    offParameters: item.offParameters.map(renameRow),
    variables: item.variables.map(([name, value]) => [name, rename(value)]),
    body: body === null || body.isVerbatim === true ? body : { ...body, parts: parts! },
  };
}

/** What a secret variable is made of is secret, too: `auth` is `Bearer {{tok}}`. @returns those given, and these */
function followTemplates(
  variables: readonly (readonly [name: string, value: string])[],
  secret: ReadonlySet<string>,
): Set<string> {
  const values = new Map<string, Set<string>>();
  for (const [name, value] of variables) {
    if (!value.includes('{{')) continue;
    const known = values.get(name);
    if (known === undefined) values.set(name, new Set([value]));
    else known.add(value);
  }
  const found = new Set(secret);
  // A set goes on to what is added meanwhile.
  for (const name of found) {
    for (const value of values.get(name) ?? []) {
      const marks = createMarks();
      const book = createCredentialBook();
      hideInHeader('authorization', marks.put(value), book);
      for (const inner of marks.namesIn(book.list())) found.add(inner);
    }
  }
  return found;
}

function findIn(request: ProvingParts): Set<string> {
  const marks = createMarks();
  const isOpen = ({ value }: { readonly value: string }): boolean => value.includes('{{');
  const putRow = <Row extends { readonly value: string }>(row: Row): Row => ({
    ...row,
    value: marks.put(row.value),
  });
  const { headers, body } = request;
  const probe: ProvingParts = {
    ...request,
    url: marks.put(request.url),
    headers: headers
      .filter(([, value]) => value.includes('{{'))
      .map(([name, value]) => [name, marks.put(value)]),
    offHeaders: request.offHeaders.filter(isOpen).map(putRow),
    offParameters: request.offParameters.filter(isOpen).map(putRow),
    variables: [],
    description: '',
    body:
      body === null || body.isVerbatim
        ? null
        : {
            parts: body.parts
              .filter((part) => typeof part === 'string' && part.includes('{{'))
              .map((part) => marks.put(part as string)),
          },
  };
  if (marks.isEmpty()) return new Set();
  const book = createCredentialBook();
  hideCredentials(probe, book);
  return marks.namesIn(book.list());
}

function createMarks() {
  const names: string[] = [];
  const numbers = new Map<string, number>();
  const write = (name: string): string => {
    const number = numbers.get(name) ?? names.push(name) - 1;
    numbers.set(name, number);
    return `csvar${[...String(number)].map((digit) => letters[Number(digit)]).join('')}ravsc`;
  };
  return {
    isEmpty: () => names.length === 0,
    put: (text: string): string =>
      text.replace(braces, (_whole, name: string) => write(name.trim().replace(/^%/, ''))),
    namesIn(credentials: readonly { readonly value: string }[]): Set<string> {
      const found = new Set<string>();
      for (const { value } of credentials) {
        for (const [, written = ''] of value.matchAll(mark)) {
          const name = names[Number([...written].map((letter) => letters.indexOf(letter)).join(''))];
          if (name !== undefined) found.add(name);
        }
      }
      return found;
    },
  };
}
