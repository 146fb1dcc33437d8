import { getNodeValue, parseTree, type Node, type ParseError } from 'jsonc-parser';
import { isTooDeep } from '../../platform/files/json-depth';
import { describeParseFault } from '../../platform/files/json-parse-fault';
import type { AppError } from '@shared/errors';
import { errorsOf } from '../errors-of';
import { isRecord } from '@shared/json/is-record';

const VaultError = errorsOf<'vault'>();

export const VAULT_FORMAT = 'countersign-vault';
/** Records of version 1 name their environment; since version 2 they hold its id. */
export const VAULT_VERSION = 2;
const READABLE_VERSIONS: readonly unknown[] = [1, VAULT_VERSION];

/** A value sealed by the vault's master key: names its box and key, so that a wrong key is told from damage. */
export interface SealedValue {
  box: 'vault';
  key_id: string;
  /** Nonce, ciphertext and tag, Base64. */
  data: string;
}

/** The master key as it lies in the file, sealed by a box. */
export interface SealedMaster {
  key_id: string;
  box: string;
  sealed: string;
  check: SealedValue;
}

/** One record: what is open, what is sealed, and where it stands in the text. */
export interface DocumentRecord {
  index: number;
  id: string;
  kind: string;
  name: string;
  environment: string | null;
  /** Everything but `sealed`, unknown fields included; authenticated with the sealed part. */
  open: Record<string, unknown>;
  sealed: SealedValue;
}

export interface VaultDocument {
  text: string;
  version: number;
  master: SealedMaster;
  records: DocumentRecord[];
  /** Entries of the list that are no records this version can read; kept as they are. */
  unreadableCount: number;
}

/** Writes a vault without records. */
export function writeEmptyDocument(master: SealedMaster): string {
  const head = { format: VAULT_FORMAT, version: VAULT_VERSION, master };
  return `${JSON.stringify({ ...head, records: [] }, null, 2)}\n`;
}

/**
 * Reads the text of `vault.json`.
 *
 * Only what every edit relies on must be sound; a record that makes no sense is counted and kept.
 * @throws {AppError} `vault.unreadable` with the line of the fault
 */
export function readDocument(bytes: Uint8Array): VaultDocument {
  const text = decodeText(bytes);
  const root = parseStrictly(text);
  const version = valueOf(root, 'version');
  if (valueOf(root, 'format') !== VAULT_FORMAT || typeof version !== 'number') {
    throw unreadable('it is not a vault of Countersign');
  }
  if (!READABLE_VERSIONS.includes(version)) {
    throw unreadable(
      `it was written by another version of Countersign (format ${version})`,
      'Use that version, or move it away to start an empty vault.',
    );
  }
  const master = valueOf(root, 'master');
  const records = nodeOf(root, 'records');
  if (!isMaster(master)) throw unreadable('the part that holds the master key is damaged');
  if (records?.type !== 'array') throw unreadable('its list of records is damaged');
  const read = (records.children ?? []).map((node, index) => readRecord(getNodeValue(node), index));
  const sound = read.filter((record) => record !== null);
  return { text, version, master, records: sound, unreadableCount: read.length - sound.length };
}

/** A change to the list; indexes are those of the document that it is applied to. */
export type DocumentEdit =
  | { kind: 'replaceMaster'; master: SealedMaster }
  | { kind: 'setVersion'; version: number }
  | { kind: 'append'; records: readonly Record<string, unknown>[] }
  | { kind: 'replace'; index: number; record: Record<string, unknown> }
  | { kind: 'remove'; index: number };

/** Applies one change by splicing the text: every byte outside of it stays as it was. */
export function editDocument(text: string, edit: DocumentEdit): string {
  const root = parseStrictly(text);
  if (edit.kind === 'replaceMaster') return replaceNode(text, nodeOf(root, 'master')!, edit.master);
  if (edit.kind === 'setVersion') return replaceNode(text, nodeOf(root, 'version')!, edit.version);
  const list = nodeOf(root, 'records')!;
  const items = list.children ?? [];
  if (edit.kind === 'append') return appendItems(text, list, edit.records);
  const item = items[edit.index];
  if (item === undefined) throw new VaultError('app.internal', 'A vault record to change is not there.');
  if (edit.kind === 'replace') return replaceNode(text, item, edit.record);
  const previous = items[edit.index - 1];
  const next = items[edit.index + 1];
  if (previous !== undefined) return splice(text, endOf(previous), endOf(item), '');
  if (next !== undefined) return splice(text, item.offset, next.offset, '');
  return splice(text, list.offset + 1, endOf(list) - 1, '');
}

/** All at once: to read the text again for each takes seconds where there are hundreds. */
function appendItems(text: string, list: Node, records: readonly Record<string, unknown>[]): string {
  if (records.length === 0) return text;
  const last = list.children?.at(-1);
  const items = records.map((record) => `\n    ${JSON.stringify(record)}`).join(',');
  if (last !== undefined) return splice(text, endOf(last), endOf(last), `,${items}`);
  return splice(text, list.offset + 1, endOf(list) - 1, `${items}\n  `);
}

function replaceNode(text: string, node: Node, value: unknown): string {
  return splice(text, node.offset, endOf(node), JSON.stringify(value));
}

function splice(text: string, start: number, end: number, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}

function endOf(node: Node): number {
  return node.offset + node.length;
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw unreadable('it holds bytes that are not text', PUT_BACK, error);
  }
}

function parseStrictly(text: string): Node {
  if (isTooDeep(text)) throw unreadable('it is nested too deep');
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const first = errors[0];
  if (first !== undefined) {
    const { line, what } = describeParseFault(text, first);
    throw unreadable(`line ${line} is not valid JSON: ${what}`);
  }
  if (root?.type !== 'object') throw unreadable('it is empty or not a vault');
  const names = (root.children ?? []).map((member) => String(member.children?.[0]?.value));
  if (new Set(names).size !== names.length) throw unreadable('a part of it stands there twice');
  return root;
}

function nodeOf(root: Node, name: string): Node | undefined {
  return root.children?.find((member) => member.children?.[0]?.value === name)?.children?.[1];
}

function valueOf(root: Node, name: string): unknown {
  const node = nodeOf(root, name);
  return node === undefined ? undefined : getNodeValue(node);
}

function readRecord(value: unknown, index: number): DocumentRecord | null {
  if (!isRecord(value)) return null;
  const { sealed, ...open } = value;
  const { id, kind, name, environment = null } = open;
  if (typeof id !== 'string' || typeof kind !== 'string' || typeof name !== 'string') return null;
  if (environment !== null && typeof environment !== 'string') return null;
  return isSealedValue(sealed) ? { index, id, kind, name, environment, open, sealed } : null;
}

function isMaster(value: unknown): value is SealedMaster {
  if (!isRecord(value)) return false;
  const { key_id: keyId, box, sealed, check } = value;
  return [keyId, box, sealed].every((part) => typeof part === 'string') && isSealedValue(check);
}

function isSealedValue(value: unknown): value is SealedValue {
  if (!isRecord(value)) return false;
  const { box, key_id: keyId, data } = value;
  return [box, keyId, data].every((part) => typeof part === 'string');
}

const PUT_BACK = 'Put a copy from a backup back in its place, or move it away to start an empty vault.';
/** What follows tells what to do with a vault that is in use. */
const LEFT_THERE = ' It was left as it is.';

function unreadable(reason: string, advice = PUT_BACK, cause?: unknown): AppError {
  return new VaultError('vault.unreadable', `vault.json cannot be read: ${reason}.${LEFT_THERE} ${advice}`, {
    cause,
  });
}

/** Says of a vault that is not in use why it cannot be read. @param error - as `readDocument` throws it */
export const describeVaultFault = ({ message }: AppError): string => message.split(LEFT_THERE, 1)[0]!;
