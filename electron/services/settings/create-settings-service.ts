import type { Settings } from '@shared/contract/app';
import type { HandlersOf } from '@shared/contract/contract';
import {
  keyLimits,
  settingDefaults,
  settingLimits,
  themes,
  updateLimits,
} from '@shared/contract/setting-limits';
import type { Logger, SettingsStore } from '../../platform/ports';
import { changeSettings } from '../../platform/files/settings-store';
import { errorsOf } from '../errors-of';
import type { TransferDeps } from './transfer-settings';
import { isRecord } from '@shared/json/is-record';

const SettingsError = errorsOf<'settings.update'>();

type SettingName = keyof Settings;

export interface SettingsService {
  handlers: HandlersOf<'settings'>;
  /** One setting; its default where it was never set or is not valid any more. */
  read<N extends SettingName>(name: N): Settings[N];
  /** Keeps settings, and tells of it. */
  write(changes: Partial<Settings>): void;
  /** What the user must hear of the settings file; null: nothing. */
  notice(): string | null;
}

const DEFAULTS: Settings = settingDefaults;
const NAMES = Object.keys(DEFAULTS) as SettingName[];

const isWhole =
  ({ min, max }: { min: number; max: number }) =>
  (value: unknown): boolean =>
    Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;

const isText =
  (most: number) =>
  (value: unknown): boolean =>
    typeof value === 'string' && value.length <= most;
const isShort = isText(keyLimits.characters);

/** Whether a value that was stored is one of the setting; the contract's schemas say the same of one that comes in. */
const checks: Readonly<Record<SettingName, (value: unknown) => boolean>> = {
  theme: (value) => (themes as readonly unknown[]).includes(value),
  layout: isRecord,
  autoLockMinutes: isWhole(settingLimits.autoLockMinutes),
  requestTimeoutMs: isWhole(settingLimits.requestTimeoutMs),
  keepCount: isWhole(settingLimits.keepCount),
  keepDays: isWhole(settingLimits.keepDays),
  keepMib: isWhole(settingLimits.keepMib),
  notifications: (value) => typeof value === 'boolean',
  historyMost: isWhole(settingLimits.historyMost),
  historyDays: isWhole(settingLimits.historyDays),
  keys: (value) =>
    isRecord(value) &&
    Object.keys(value).length <= keyLimits.most &&
    Object.entries(value).every(([action, keys]) => isShort(action) && isShort(keys)),
  railNames: (value) => typeof value === 'boolean',
  seenVersion: isShort,
  updateAddress: isText(updateLimits.address),
  updateKey: isText(updateLimits.key),
};
/** Open tabs take a quarter of it at most; several windows of a browser each keep theirs. */
const MAX_LAYOUT_CHARACTERS = 1024 * 1024;

/**
 * Makes the settings service over whatever store the host has.
 *
 * Each value is checked by itself: one that is not valid counts as its default and stays in the file, for the
 * version of the app that wrote it.
 */
export function createSettingsService(deps: {
  settings: SettingsStore;
  logger: Logger;
  environments: TransferDeps['environments'];
  holdsRecords: TransferDeps['holdsRecords'];
  /** Told which settings were changed. */
  onChanged?: (names: string[]) => void;
  /** What was damaged and replaced; grows. */
  notices?: readonly string[];
}): SettingsService {
  const { settings: store, logger, notices = [] } = deps;
  const notice = (): string | null => [store.notice ?? [], notices].flat().join(' ') || null;
  const read = <N extends SettingName>(name: N): Settings[N] => {
    const value = store.get(name);
    if (value === undefined) return DEFAULTS[name];
    if (checks[name](value)) return value as Settings[N];
    logger.log('warn', 'settings.invalid', { name });
    return DEFAULTS[name];
  };
  const readAll = (): Settings => Object.fromEntries(NAMES.map((name) => [name, read(name)])) as Settings;
  const update = (changes: Partial<Settings>): void => {
    changeSettings(store, () => {
      const layout = changes.layout && mergeLayout(read('layout'), changes.layout);
      refuseHugeLayout(layout);
      const merged = { ...changes, ...(layout && { layout }) };
      for (const name of NAMES) {
        const value = merged[name];
        if (value !== undefined) store.set(name, value);
      }
    });
    deps.onChanged?.(Object.keys(changes));
  };
  const { environments, holdsRecords } = deps;
  const transfer: TransferDeps = { read: readAll, update, environments, holdsRecords };
  return {
    read,
    write: update,
    notice,
    handlers: {
      'settings.get': () => ({ ...readAll(), notice: notice() }),
      'settings.update': (changes) => {
        update(changes);
        return { ...readAll(), notice: notice() };
      },
      'settings.export': async () => (await import('./transfer-settings')).exportSettings(transfer),
      'settings.import': async ({ text }) =>
        (await import('./transfer-settings')).importSettings(text, transfer),
    },
  };
}

/** Several windows write it, each what it changed: what is given goes in place of its own entry, and null takes it away. */
function mergeLayout(known: Settings['layout'], given: Settings['layout']): Settings['layout'] {
  const entries = Object.entries({ ...known, ...given });
  return Object.fromEntries(entries.filter(([, value]) => value !== null && value !== undefined));
}

function refuseHugeLayout(layout: Settings['layout'] | undefined): void {
  if (layout === undefined || JSON.stringify(layout).length <= MAX_LAYOUT_CHARACTERS) return;
  throw new SettingsError(
    'settings.too_large',
    'The layout to be kept is too large. Close some tabs and try again.',
  );
}
