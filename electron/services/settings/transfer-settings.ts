import { parse, type ParseError } from 'jsonc-parser';
import { z } from 'zod';
import { findAction } from '@shared/actions/action-list';
import { findKeyConflict } from '@shared/actions/key-bindings';
import { apartSettings, settings, type Settings } from '@shared/contract/app';
import type { Handlers, ParsedInput } from '@shared/contract/contract';
import { oneOfThatName } from '@shared/contract/environment-id';
import { readPlace } from '@shared/http-file/read-place';
import { holdsCredential } from '@shared/import/credentials';
import { isSecretName } from '@shared/secrets';
import { isTooDeep } from '../../platform/files/json-depth';
import { describeParseFault } from '../../platform/files/json-parse-fault';
import { errorsOf } from '../errors-of';
import { namedValues } from '@shared/contract/named-values';

const SettingsError = errorsOf<'settings.import'>();

const FORMAT = 'countersign-settings';
const VERSION = 1;
const MOST_ENVIRONMENTS = 200;
/** A file would otherwise say whose programs are to be trusted. */
const SOURCE_LEFT_OUT = 'where updates come from: set it yourself';
/** Where the service sends its webhooks: another's address would have them. Left out, it follows the listener. */
const CALLBACK = 'callback_url';

/** A file of settings: no key, credential, token, address of this machine or place on it. */
const settingsFile = z.object({
  format: z.literal(FORMAT),
  version: z.number().int().min(1),
  settings: settings.omit({ layout: true, ...apartSettings }).partial(),
  environments: z
    .array(
      z.object({
        name: z.string().min(1).max(80),
        kind: z.enum(['sandbox', 'production']),
        base_url: z.string().max(5000),
        variables: namedValues(z.string().max(65_536), z.string().max(300)),
      }),
    )
    .max(MOST_ENVIRONMENTS),
});
type SettingsFile = z.infer<typeof settingsFile>;

export interface TransferDeps {
  read(): Settings;
  update(changes: Partial<Settings>): unknown;
  environments(): Promise<{
    handlers: Pick<Handlers, 'environments.list'>;
    add(inputs: readonly ParsedInput<'environments.save'>[]): Promise<(string | null)[]>;
  }>;
  /** Whether webhooks or exchanges are kept here, which a limit could delete. */
  holdsRecords(): Promise<boolean>;
}

/** Writes settings and the data folder's own environments as a file for another machine or a teammate, without secrets. */
export async function exportSettings({
  read,
  environments,
}: TransferDeps): Promise<{ text: string; leftOut: string[] }> {
  const { layout: _layout, updateAddress, updateKey: _updateKey, ...shared } = read();
  const { environments: all } = await (await environments()).handlers['environments.list']({});
  const leftOut: string[] = updateAddress === '' ? [] : [SOURCE_LEFT_OUT];
  const own = all.filter(({ source }) => source === 'data');
  const file: SettingsFile = {
    format: FORMAT,
    version: VERSION,
    settings: shared,
    environments: own.map(({ name, kind, baseUrl, variables }) => {
      const isLeft = ([variable, value]: [string, string]): boolean =>
        isSecretName(variable) || value.includes('{{vault.') || holdsCredential(value);
      const entries = Object.entries(variables).filter(
        ([variable]) => !['base_url', CALLBACK].includes(variable),
      );
      leftOut.push(...entries.filter(isLeft).map(([variable]) => `${name}: ${variable}`));
      return {
        name,
        kind: kind === 'production' ? 'production' : 'sandbox',
        base_url: withoutUser(baseUrl),
        variables: Object.fromEntries(entries.filter((entry) => !isLeft(entry))),
      };
    }),
  };
  return { text: `${JSON.stringify(file, null, 2)}\n`, leftOut };
}

/**
 * Takes over what {@link exportSettings} wrote. An environment that is here already stays as it is: its address is what
 * its key and credentials are for.
 *
 * @throws {AppError} `settings.bad_file`
 */
export async function importSettings(
  text: string,
  { read, update, environments, holdsRecords }: TransferDeps,
): Promise<{ settings: string[]; environments: string[]; leftOut: string[] }> {
  const value = readJson(text.replace(/^\ufeff/, ''));
  const file = readFile(value);
  const { handlers, add } = await environments();
  const { environments: all } = await handlers['environments.list']({});
  const known = new Set(all.map(({ name }) => name));
  const [added, leftOut]: [string[], string[]] = [[], namesSource(value) ? [SOURCE_LEFT_OUT] : []];
  const unknown = file.environments.filter(({ name }) => !known.has(name) && known.add(name));
  const there = [...all, ...unknown.map(({ kind, base_url: baseUrl }) => ({ kind, baseUrl }))];
  const live = new Set(
    there.filter(({ kind }) => kind === 'production').map(({ baseUrl }) => readPlace(baseUrl)),
  );
  const isLive = (baseUrl: string): boolean => URL.canParse(baseUrl) && live.has(readPlace(baseUrl));
  const refusals = await add(
    unknown.map(({ name, kind, base_url: baseUrl, variables: { [CALLBACK]: _callback, ...variables } }) => ({
      ...{ name, kind: isLive(baseUrl) ? 'production' : kind, baseUrl, variables },
      inClear: [],
    })),
  );
  for (const one of file.environments) {
    const [{ name, kind, base_url: baseUrl, variables }, at] = [one, unknown.indexOf(one)];
    const refusal = at === -1 ? oneOfThatName : refusals[at];
    if (refusal !== null) {
      leftOut.push(`${name}: ${refusal}`);
      continue;
    }
    added.push(name);
    if (kind !== 'production' && isLive(baseUrl)) leftOut.push(`${name}: that it is a test environment`);
    if (variables[CALLBACK] !== undefined) leftOut.push(`${name}: ${CALLBACK}`);
  }
  const taken = takeSettings(file.settings, (await holdsRecords()) ? read() : null, leftOut);
  update(taken);
  return { settings: Object.keys(taken), environments: added, leftOut };
}

/**
 * Leaves out what would delete, and keys that would do another thing than is expected of them.
 *
 * @param now - null: there is nothing to be deleted
 */
function takeSettings(given: Partial<Settings>, now: Settings | null, leftOut: string[]): Partial<Settings> {
  const taken = { ...given };
  for (const [name, what] of Object.entries(limits) as [keyof typeof limits, string][]) {
    const [most, before] = [given[name] ?? 0, now?.[name] ?? 0];
    if (now === null || most === 0 || (before !== 0 && most >= before)) continue;
    leftOut.push(`${what}: less would be kept than now, set it yourself`);
    Reflect.deleteProperty(taken, name);
  }
  if (given.keys === undefined) return taken;
  taken.keys = withoutConflicts(given.keys, leftOut);
  // Those that are set here stay where none of the file's is taken.
  if (Object.keys(given.keys).length > 0 && Object.keys(taken.keys).length === 0) delete taken.keys;
  return taken;
}

/** What is beyond them is deleted at once; 0: nothing is. */
const limits = {
  keepCount: 'how many webhooks are kept',
  keepDays: 'how long webhooks are kept',
  keepMib: 'how large the webhooks that are kept may be',
  historyMost: 'how much of the history is kept',
  historyDays: 'how long the history is kept',
} as const satisfies Partial<Record<keyof Settings, string>>;

/** Leaves out keys that the settings view would refuse, as they are without those left out: one that pastes or saves is not to send. */
function withoutConflicts(keys: Settings['keys'], leftOut: string[]): Settings['keys'] {
  const isRefused = ([id, wanted]: [string, string]): boolean =>
    wanted !== '' && (findAction(id) === undefined || findKeyConflict(id, wanted, keys) !== null);
  const entries = Object.entries(keys);
  const refused = entries.filter(isRefused);
  if (refused.length === 0) return keys;
  for (const [id] of refused) leftOut.push(`keys: ${findAction(id)?.title ?? id.slice(0, 80)}`);
  return withoutConflicts(Object.fromEntries(entries.filter((entry) => !refused.includes(entry))), leftOut);
}

/** Tells of a file that could be read whether it would set what is set by hand alone. */
function namesSource(value: unknown): boolean {
  const { settings: given } = value as { settings: object };
  return Object.keys(apartSettings).some((name) => Object.hasOwn(given, name));
}

/** @throws {AppError} `settings.bad_file`, with the line of the fault */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const errors: ParseError[] = [];
    if (!isTooDeep(text)) parse(text, errors, { disallowComments: true });
    const { line, what } = describeParseFault(text, errors[0]);
    const where = errors[0] === undefined ? 'it is not JSON' : `line ${line} is no JSON (${what})`;
    throw new SettingsError('settings.bad_file', `This is no file of settings: ${where}.`);
  }
}

function readFile(value: unknown): SettingsFile {
  // First: what a newer version writes may have another shape.
  const head = z.object({ format: z.literal(FORMAT), version: z.number() }).safeParse(value);
  if (head.success && head.data.version > VERSION)
    throw new SettingsError(
      'settings.bad_file',
      'This file of settings was written by a newer Countersign. Import it with that version.',
    );
  const read = settingsFile.safeParse(value);
  if (!read.success) {
    const where = read.error.issues[0]?.path.join('.').slice(0, 100) ?? '';
    throw new SettingsError(
      'settings.bad_file',
      `This is no file of settings that can be taken over${where === '' ? '' : `: see ${where}`}.`,
    );
  }
  return read.data;
}

function withoutUser(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  return url.username === '' && url.password === ''
    ? address
    : Object.assign(url, { username: '', password: '' }).href;
}
