import { z } from 'zod';
import { apartSettings, settings, type Settings } from '@shared/contract/app';
import type { Handlers } from '@shared/contract/contract';
import { AppError } from '@shared/errors';
import { holdsCredential } from '@shared/import/credentials';
import { isSecretName } from '@shared/secrets';
import { errorsOf } from '../errors-of';
import { namedValues } from '@shared/contract/named-values';

const SettingsError = errorsOf<'settings.import'>();

const VERSION = 1;
const MOST_ENVIRONMENTS = 200;
/** A file would otherwise say whose programs are to be trusted. */
const SOURCE_LEFT_OUT = 'where updates come from: set it yourself';

/** A file of settings: no key, credential, token, address of this machine or place on it. */
const settingsFile = z.object({
  format: z.literal('countersign-settings'),
  version: z.number(),
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
  environments(): Promise<Pick<Handlers, 'environments.list' | 'environments.save'>>;
}

/** Writes settings and the data folder's own environments as a file for another machine or a teammate, without secrets. */
export async function exportSettings({
  read,
  environments,
}: TransferDeps): Promise<{ text: string; leftOut: string[] }> {
  const { layout: _layout, updateAddress, updateKey: _updateKey, ...shared } = read();
  const { environments: all } = await (await environments())['environments.list']({});
  const leftOut: string[] = updateAddress === '' ? [] : [SOURCE_LEFT_OUT];
  const own = all.filter(({ source }) => source === 'data');
  const file: SettingsFile = {
    format: 'countersign-settings',
    version: VERSION,
    settings: shared,
    environments: own.map(({ name, kind, baseUrl, variables }) => {
      const isLeft = ([variable, value]: [string, string]): boolean =>
        isSecretName(variable) || value.includes('{{vault.') || holdsCredential(value);
      const entries = Object.entries(variables).filter(
        ([variable]) => !['base_url', 'callback_url'].includes(variable),
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
  { update, environments }: TransferDeps,
): Promise<{ settings: string[]; environments: string[]; leftOut: string[] }> {
  const file = readFile(text);
  const handlers = await environments();
  const known = new Set((await handlers['environments.list']({})).environments.map(({ name }) => name));
  const [added, leftOut]: [string[], string[]] = [[], namesSource(text) ? [SOURCE_LEFT_OUT] : []];
  for (const { name, kind, base_url: baseUrl, variables } of file.environments) {
    const refusal = known.has(name)
      ? 'there is one of that name'
      : await refusalOf(() => handlers['environments.save']({ name, kind, baseUrl, variables, inClear: [] }));
    if (refusal === null) added.push(name);
    else leftOut.push(`${name}: ${refusal}`);
    known.add(name);
  }
  update(file.settings);
  return { settings: Object.keys(file.settings), environments: added, leftOut };
}

/** Tells of a file that could be read whether it would set what is set by hand alone. */
function namesSource(text: string): boolean {
  const { settings: given } = JSON.parse(text) as { settings: object };
  return Object.keys(apartSettings).some((name) => Object.hasOwn(given, name));
}

/** Why something was refused; null: it was not. */
async function refusalOf(act: () => unknown): Promise<string | null> {
  try {
    await act();
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

function readFile(text: string): SettingsFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new SettingsError('settings.bad_file', 'This is no file of settings: it is not JSON.');
  }
  const read = settingsFile.safeParse(value);
  if (!read.success) {
    const where = read.error.issues[0]?.path.join('.').slice(0, 100) ?? '';
    throw new SettingsError(
      'settings.bad_file',
      `This is no file of settings that can be taken over${where === '' ? '' : `: see ${where}`}.`,
    );
  }
  if (read.data.version > VERSION)
    throw new SettingsError(
      'settings.bad_file',
      'This file of settings was written by a newer Countersign. Import it with that version.',
    );
  return read.data;
}

function withoutUser(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  return url.username === '' && url.password === ''
    ? address
    : Object.assign(url, { username: '', password: '' }).href;
}
