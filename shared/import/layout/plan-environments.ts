import { isBackEndValue } from '../../http-file/back-end-value';
import { isSecretName } from '../../secrets';
import type { FoundCredential } from '../credentials';
import { AppError } from '../../errors';
import type { Imported, ImportedVariable, ImportNote } from '../imported';
import { fillVariables, renameVariable, trimSlashes } from '../variables';
import { isHidden } from './secret-variables';
import { makeSafeName, NameBook } from './safe-names';
import { createRecord } from '../../own-value';

/** One environment of `http-client.env.json`; `$shared` holds what is in each. */
export interface PlannedEnvironment {
  name: string;
  variables: Record<string, string>;
}

/** Secrets of one environment: for the vault, if one is open, else for nobody. */
export interface PlannedSecrets {
  /** Of the environment that they belong to. */
  environment: string;
  /** Where it sends to; empty where nothing tells. */
  baseUrl: string;
  /** Nothing but a variable of any name told the address, among others that hold another. */
  isGuessed?: boolean;
  /** What else it holds. */
  variables: Record<string, string>;
  secrets: FoundCredential[];
}

export const SHARED = '$shared';

/** More than any team has; an environment file of a megabyte holds no more, either. */
const MAX_VARIABLES = 20_000;

/** A request, as far as environments go. */
interface Sent {
  path: string;
  url: string;
  text: string;
}

/** Sorts variables into what a file may hold and what it must not. */
function sortVariables(variables: readonly ImportedVariable[]): {
  plain: Record<string, string>;
  secrets: FoundCredential[];
} {
  const plain = createRecord<string>();
  const secrets: FoundCredential[] = [];
  for (const variable of variables) {
    const { value, isSecret } = variable;
    const name = renameVariable(variable.name);
    // What the app fills in by itself is none, where another tool only lists it.
    if (value === '' && (isBackEndValue(name) || name === 'last_reference' || isSecret || isSecretName(name)))
      continue;
    if (isHidden(variable)) secrets.push({ name, value });
    else plain[name] = value;
  }
  return { plain, secrets };
}

/** The beginning of an address as far as its host and port go, all of them: what a variable leaves open is no host. */
const origins = /^https?:\/\/(?:[^/?#@\s]*@)?[^/?#{}@\s]+(?=[/?#\s]|$)/i;

/** Fills variables in as far as an address needs them. */
function readOrigin(url: string, variables: Readonly<Record<string, string>>): string | null {
  const filled = fillVariables(url, variables);
  const origin = origins.exec(filled)?.[0];
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).origin : null;
}

/** An address as far as its origin can go: thousands of requests begin alike, and each environment asks for them. */
const heads = /^(?:\{\{[^{}]*\}\}|[^/?#\s])*(?:\/\/(?:\{\{[^{}]*\}\}|[^/?#\s])*)?/;

export const readHead = (url: string): string => heads.exec(url)![0];

/** How many requests begin with which address, the first first. */
function countHeads(requests: readonly Sent[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { url } of requests) {
    const head = readHead(url);
    counts.set(head, (counts.get(head) ?? 0) + 1);
  }
  return counts;
}

function chooseBaseUrl(
  asked: ReadonlyMap<string, number>,
  variables: Readonly<Record<string, string>>,
): string {
  const own = readOrigin(variables['base_url'] ?? '', variables);
  if (own !== null) return variables['base_url'] === undefined ? own : stripEnd(variables['base_url'], own);
  const counts = new Map<string, number>();
  for (const [head, count] of asked) {
    const origin = readOrigin(head, variables);
    if (origin !== null) counts.set(origin, (counts.get(origin) ?? 0) + count);
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  return most?.[0] ?? findNamedOrigin(variables).origin;
}

/** What a variable is called that holds the address of the service, beside those of webhooks, pages and the like. */
const baseName = /^(?:base|api|host|server|service)(?:[_-]?(?:ur[li]|host|address))?$|base[_-]?ur[li]$/i;

/** Gives the address that a variable holds; it is guessed where several hold another and no name tells. */
function findNamedOrigin(variables: Readonly<Record<string, string>>): {
  origin: string;
  isGuessed: boolean;
} {
  const found = Object.entries(variables).flatMap(([name, value]) => {
    const origin = readOrigin(value, {});
    return origin === null ? [] : [{ name, origin }];
  });
  const named = found.find(({ name }) => baseName.test(name));
  const origins = new Set(found.map(({ origin }) => origin));
  return {
    origin: (named ?? found[0])?.origin ?? '',
    isGuessed: named === undefined && origins.size > 1,
  };
}

function stripEnd(baseUrl: string, origin: string): string {
  return baseUrl.includes('{{') ? origin : trimSlashes(baseUrl.replace(/[?#].*/s, ''));
}

/**
 * Plans the environments of an import: what stands in the file that a team shares, and what only the vault may have.
 *
 * An environment without a `base_url` gets one, where the addresses of the requests tell: tokens and keys belong to an address.
 * @param requests - as they are written; a credential that stood in one belongs where that one is sent to
 */
export function planEnvironments(
  imported: Imported,
  requests: readonly Sent[],
  credentials: readonly FoundCredential[],
): { environments: PlannedEnvironment[]; sealed: PlannedSecrets[]; notes: ImportNote[] } {
  const notes = checkVariables(imported);
  const shared = sortVariables(imported.shared);
  const names = new NameBook();
  const take = (name: string): string =>
    names.take('', makeSafeName(name, 'environment').replace(/^\$+/, '') || 'environment', '');
  const named = imported.environments.map(({ name, variables, kept = [] }) => ({
    name: take(name),
    own: new Set([...variables.map((one) => one.name), ...kept].map(renameVariable)),
    ...sortVariables(variables),
  }));
  notes.push(...noteOverridden(imported, shared.secrets, named));
  const isAlone = imported.shared.length > 0 && named.length === 0;
  const { base_url: ownAddress, ...common } = shared.plain;
  if (isAlone) {
    // Its environments may come later, in files of their own, and count on the values: the address alone is this one's.
    const plain: Record<string, string> = ownAddress === undefined ? {} : { base_url: ownAddress };
    named.push({
      name: take(imported.name ?? 'imported'),
      own: new Set(shared.secrets.map((one) => one.name)),
      plain,
      secrets: shared.secrets,
    });
  }
  const asked = countHeads(requests);
  const { guessed, notes: added } = addAddresses(named, shared.plain, asked);
  notes.push(...added);
  // Without an address nothing could be sent there: its values are shared by those that come later.
  if (isAlone && requests.length > 0 && isBare(named[0]!) && credentials.length === 0) named.pop();
  const ofAll = isAlone ? common : shared.plain;
  const environments = [
    ...(Object.keys(ofAll).length > 0 ? [{ name: SHARED, variables: ofAll }] : []),
    ...named
      // Of secrets of the collection alone the file would have a name and no more.
      .filter(({ plain }) => !isAlone || requests.length === 0 || Object.keys(plain).length > 0)
      .map(({ name, plain }) => ({ name, variables: plain })),
  ];
  const ofEnvironments = named.flatMap(({ name, own, plain, secrets }): PlannedSecrets | [] => {
    // What it says of a name itself counts there: the collection's secret would go to another's address.
    const all = [...shared.secrets.filter((one) => !own.has(one.name)), ...secrets, ...credentials];
    if (all.length === 0) return [];
    const variables = { ...shared.plain, ...plain };
    return {
      environment: name,
      baseUrl: chooseBaseUrl(asked, variables),
      ...(guessed.has(name) && { isGuessed: true }),
      variables,
      secrets: all,
    };
  });
  if (named.length > 0) return { environments, sealed: ofEnvironments, notes };
  const users = findUsers(requests);
  const byOrigin = new Map<string, PlannedSecrets>();
  for (const credential of credentials) {
    const origin = readOrigin(users.get(credential.name)?.url ?? '', {}) ?? '';
    const environment = origin === '' ? (imported.name ?? 'imported') : new URL(origin).host;
    const planned = byOrigin.get(origin) ?? { environment, baseUrl: origin, variables: {}, secrets: [] };
    planned.secrets.push(credential);
    byOrigin.set(origin, planned);
  }
  return { environments, sealed: [...byOrigin.values()], notes };
}

/** Says which secrets of the collection no environment takes, as each has a value of its own under that name. */
function noteOverridden(
  { name }: Imported,
  secrets: readonly FoundCredential[],
  named: readonly { own: ReadonlySet<string> }[],
): ImportNote[] {
  if (named.length === 0) return [];
  const dropped = secrets.filter((one) => named.every(({ own }) => own.has(one.name)));
  return dropped.map((one) => ({
    where: name ?? 'imported',
    what: `Its value of {{${one.name}}} is a credential, and dropped: each of its environments has a value of its own.`,
  }));
}

const isBare = ({ plain, secrets }: ReturnType<typeof sortVariables>): boolean =>
  Object.keys(plain).length + secrets.length === 0;

/** Gives an address to each that has none of its own; nothing but a variable of any name may tell it. */
function addAddresses(
  named: readonly { name: string; plain: Record<string, string> }[],
  shared: Readonly<Record<string, string>>,
  asked: ReadonlyMap<string, number>,
): { guessed: Set<string>; notes: ImportNote[] } {
  const guessed = new Set<string>();
  const notes: ImportNote[] = [];
  for (const { name, plain } of named) {
    if (plain['base_url'] !== undefined || shared['base_url'] !== undefined) continue;
    const variables = { ...shared, ...plain };
    const baseUrl = chooseBaseUrl(asked, variables);
    if (baseUrl === '') continue;
    plain['base_url'] = baseUrl;
    const places = new Set([...asked.keys()].map((head) => readOrigin(head, variables)));
    places.delete(null);
    const isAskedThere = places.has(baseUrl);
    const { origin, isGuessed } = findNamedOrigin(variables);
    // Requests that go to several places tell no more than variables that hold several.
    if ((isGuessed || origin !== baseUrl) && (!isAskedThere || places.size > 1)) guessed.add(name);
    const whence = isAskedThere ? 'where its requests go' : 'as another of its variables has it';
    notes.push({ where: name, what: `It had no base_url: ${baseUrl} is added, ${whence}.` });
  }
  return { guessed, notes };
}

/** @throws {AppError} `import.too_many` */
export function refuseManyVariables({ shared, environments }: Imported): void {
  const count = environments.reduce((sum, { variables }) => sum + variables.length, shared.length);
  if (count <= MAX_VARIABLES) return;
  throw new AppError(
    'import.too_many',
    `It holds more than ${MAX_VARIABLES} variables. Take out what no request uses, and import it again.`,
  );
}

/** Says which variables cannot be ours. */
function checkVariables({ name, shared, environments }: Imported): ImportNote[] {
  const places = [{ name: name ?? 'imported', variables: shared }, ...environments];
  return places.flatMap(({ name: where, variables }) => [
    ...variables.flatMap((variable) => {
      const what = describeName(variable.name);
      return what === null ? [] : [{ where, what }];
    }),
    ...listRepeated(variables).map((repeated) => ({
      where,
      what: `Its variable ${repeated} stands there with several values: the last is taken.`,
    })),
  ]);
}

/** Names that stand for several values, once they are written as ours are. */
function listRepeated(variables: readonly ImportedVariable[]): string[] {
  const values = new Map<string, string>();
  const repeated = new Set<string>();
  for (const { name: given, value } of variables) {
    const name = renameVariable(given);
    if (values.has(name) && values.get(name) !== value) repeated.add(name);
    values.set(name, value);
  }
  return [...repeated];
}

function describeName(given: string): string | null {
  const name = renameVariable(given);
  return name === given.trim() ? null : `Its variable ${given} is called ${name} here.`;
}

/** The first request that each variable stands in. */
function findUsers(requests: readonly Sent[]): Map<string, Sent> {
  const users = new Map<string, Sent>();
  for (const one of requests) {
    for (const [, name = ''] of one.text.matchAll(/\{\{([^{}\r\n]{1,240})\}\}/g)) {
      if (!users.has(name)) users.set(name, one);
    }
  }
  return users;
}
