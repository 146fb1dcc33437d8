import { statSync } from 'node:fs';
import { join } from 'node:path';
import { getNodeValue, parseTree, type Node, type ParseError } from 'jsonc-parser';

import { longestEnvironmentId } from '@shared/contract/environment-id';
import { isSecretName } from '@shared/secrets';
import { isTooDeep } from '../../platform/files/json-depth';
import { describeParseFault } from '../../platform/files/json-parse-fault';
import { isInCloud, readRegularFile, type ReadFault } from '../../platform/files/regular-file';
import { createRecord } from '@shared/own-value';
import { listSome } from '@shared/list-some';

/** What an environment file of a collection cannot tell, and where. */
export interface EnvironmentFault {
  file: string;
  line: number;
  message: string;
  /** Of a remark on a file that is sound: tells its versions apart. */
  remarkOn?: string;
}

export interface CollectionEnvironments {
  /** Variables by environment name; those of `$shared` are in each. */
  environments: Map<string, Record<string, string>>;
  /** By environment name: variables whose value the private file gave. */
  privateNames: Map<string, string[]>;
  /** By environment name: variables that `$shared` gave. */
  sharedNames: Map<string, string[]>;
  /** What `$shared` says: values for every request of the collection. */
  shared: Record<string, string>;
  faults: EnvironmentFault[];
}

const sharedName = '$shared';
/** The private file is other tools' place for secrets; ours is the vault, so these names are never taken from it. */
const secretPart = /secret|passw|passphrase|token|private|credential|api_?key/i;
/** Of secrets that are not read so many are named, each so long at most. */
const mostNamed = 5;
const longestNamed = 80;
/** Of an environment: its id has the collection's own before it. */
const longestName = longestEnvironmentId - 100;
/** A longer file is not read: one that we write must not become so. */
export const maxEnvironmentFileBytes = 1024 * 1024;

const readFaults: Readonly<Record<Exclude<ReadFault, 'missing'>, string>> = {
  outside: 'is a link that leaves the folder of the collection',
  not_regular: 'is no regular file',
  too_large: 'is larger than 1 MiB',
  forbidden: 'cannot be opened: check its permissions',
  crowded: 'could not be opened, as too many files are: raise the limit (ulimit -n)',
  unreadable: 'could not be read by the system: look at its disk',
};

/** A value as text: numbers keep the literal that the file has. Anything else is no variable. */
function readValue(node: Node, text: string): string | null {
  if (node.type === 'string') return getNodeValue(node) as string;
  if (node.type === 'number' || node.type === 'boolean') {
    return text.slice(node.offset, node.offset + node.length);
  }
  return null;
}

function readMembers(node: Node | undefined): [name: string, value: Node][] {
  if (node?.type !== 'object') return [];
  return (node.children ?? []).flatMap(({ children }) => {
    const [key, value] = children ?? [];
    return key && value ? [[getNodeValue(key) as string, value] as [string, Node]] : [];
  });
}

/** What JetBrains' client keeps beside variables: certificates, and how tokens are fetched. */
const settingsOfOthers = new Set(['SSLConfiguration', 'Security']);

const isSecretInPrivate = (name: string): boolean => secretPart.test(name) || isSecretName(name);

interface EnvironmentValue {
  name: string;
  node: Node;
  /** By its own name, or by that of what it lies within. */
  isSecret: boolean;
}

/** Lists the values of an environment; what is nested is named as httpYac reaches it: `wallet.id`, `accounts[0].name`. */
function listValues(environment: Node, isSecret: (name: string) => boolean): EnvironmentValue[] {
  const values: EnvironmentValue[] = [];
  const add = (name: string, node: Node, isInSecret: boolean): void => {
    if (node.type === 'object')
      for (const [key, value] of readMembers(node)) add(`${name}.${key}`, value, isInSecret || isSecret(key));
    else if (node.type === 'array')
      for (const [index, value] of (node.children ?? []).entries())
        add(`${name}[${index}]`, value, isInSecret);
    else values.push({ name, node, isSecret: isInSecret });
  };
  for (const [name, node] of readMembers(environment))
    if (!settingsOfOthers.has(name)) add(name, node, isSecret(name));
  return values;
}

/** The line that a place of a text stands in, from 1. */
function countLines(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

function describeParseError(text: string, file: string, error: ParseError | undefined): EnvironmentFault {
  const { line, what } = describeParseFault(text, error);
  return {
    file,
    line,
    message: `${file} cannot be read as JSON (line ${line}: ${what}). Mend it; it is left as it is.`,
  };
}

function describeFault(file: string, what: string): EnvironmentFault {
  return { file, line: 1, message: `${file} ${what}. It is not read, and left as it is.` };
}

/** The object that a file of environments holds; null: it is not there, or the fault says what keeps it from being read. */
function readRoot(
  { faults }: CollectionEnvironments,
  directory: string,
  file: string,
): { root: Node; text: string } | null {
  const read = readRegularFile(join(directory, file), { root: directory, maxBytes: maxEnvironmentFileBytes });
  if (read.fault !== null) {
    if (read.fault !== 'missing') faults.push(describeFault(file, readFaults[read.fault]));
    else if (isInCloud(join(directory, file)))
      faults.push(describeFault(file, 'is in iCloud and not on this disk: download it'));
    return null;
  }
  const text = read.bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (isTooDeep(text)) {
    faults.push(describeFault(file, 'is nested too deeply'));
    return null;
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  if (root?.type !== 'object' || errors.length > 0) {
    faults.push(describeParseError(text, file, errors[0]));
    return null;
  }
  return { root, text };
}

function readFileInto(result: CollectionEnvironments, directory: string, file: string): void {
  const found = readRoot(result, directory, file);
  if (found === null) return;
  const { root, text } = found;
  const isPrivate = file.includes('private');
  const isSecretOf = isPrivate ? isSecretInPrivate : isSecretName;
  const unread: { shown: string; offset: number }[] = [];
  for (const [name, node] of readMembers(root)) {
    if (node.type !== 'object') continue;
    if (name.length > longestName) {
      const line = countLines(text, node.offset);
      result.faults.push({ file, line, message: describeLongName(file, line, name) });
      continue;
    }
    const variables = result.environments.get(name) ?? createRecord<string>();
    for (const { name: key, node: value, isSecret: isNamedSecret } of listValues(node, isSecretOf)) {
      // A value is masked by its name: one that only lies within a secret would not be.
      const isHidden = isNamedSecret && (isPrivate || !isSecretName(key));
      const given = readValue(value, text);
      if (isHidden && given) unread.push({ shown: `${key} of '${name}'`, offset: value.offset });
      if (given === null || isHidden) continue;
      variables[key] = given;
      if (isPrivate) result.privateNames.set(name, [...(result.privateNames.get(name) ?? []), key]);
    }
    result.environments.set(name, variables);
  }
  const [first] = unread;
  if (first === undefined) return;
  const { mtimeMs, size } = statSync(join(directory, file));
  const fault = describeUnread(file, countLines(text, first.offset), unread);
  result.faults.push({ ...fault, remarkOn: `${mtimeMs} ${size}` });
}

/** It could be seen, and never chosen: nothing takes so long an id. */
function describeLongName(file: string, line: number, name: string): string {
  return (
    `${file} names an environment with ${name.length} letters in line ${line} (“${name.slice(0, longestNamed)}…”), ` +
    `and is left as it is. Shorten the name to at most ${longestName}: until then it cannot be chosen.`
  );
}

/** Whoever comes with a file of other tools looks for its secrets in requests that lack them. */
function describeUnread(file: string, line: number, unread: readonly { shown: string }[]): EnvironmentFault {
  const names = unread.map(({ shown }) => shown);
  return {
    file,
    line,
    message:
      `No secret is taken from ${file}: ${listSome(names, mostNamed)}. Keep credentials in Keys and tokens, or give them as ` +
      'COUNTERSIGN_CONSUMER_KEY and COUNTERSIGN_CONSUMER_SECRET; keep other secrets in an environment of your own, where the vault seals them.',
  };
}

/**
 * Reads the environments of a collection: `http-client.env.json`, then `http-client.private.env.json` over it.
 *
 * The files are never written. One that cannot be read is a fault; the other still counts.
 * @source the environment files of JetBrains IDEs and httpYac; `$shared` as in the VS Code REST Client
 */
export function readCollectionEnvironments(directory: string): CollectionEnvironments {
  const result: CollectionEnvironments = {
    environments: new Map(),
    privateNames: new Map(),
    sharedNames: new Map(),
    shared: {},
    faults: [],
  };
  readFileInto(result, directory, 'http-client.env.json');
  readFileInto(result, directory, 'http-client.private.env.json');
  const shared = result.environments.get(sharedName) ?? {};
  const ofShared = result.privateNames.get(sharedName) ?? [];
  result.environments.delete(sharedName);
  // Where requests go is an environment's to say.
  result.shared = Object.fromEntries(Object.entries(shared).filter(([key]) => key !== 'base_url'));
  for (const [name, variables] of result.environments) {
    result.environments.set(name, { ...shared, ...variables });
    result.sharedNames.set(
      name,
      Object.keys(shared).filter((key) => !Object.hasOwn(variables, key)),
    );
    const own = result.privateNames.get(name) ?? [];
    result.privateNames.set(name, [...own, ...ofShared.filter((key) => !Object.hasOwn(variables, key))]);
  }
  return result;
}
