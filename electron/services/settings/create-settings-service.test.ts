import { describe, expect, it } from 'vitest';
import { appMethods } from '@shared/contract/app';
import type { SettingsStore } from '../../platform/ports';
import { createSettingsService } from './create-settings-service';

function open(kept: Record<string, unknown> = {}, notice: string | null = null) {
  const values = new Map(Object.entries(kept));
  const settings: SettingsStore = {
    get: (key: string) => values.get(key),
    set: (key: string, value: unknown) => void values.set(key, value),
    notice,
  };
  const changed: string[][] = [];
  const onChanged = (names: string[]): void => void changed.push(names);
  const logger = { log: () => undefined };
  const environments = () => Promise.reject(new Error('not asked'));
  return {
    values,
    settings,
    changed,
    service: createSettingsService({ settings, logger, onChanged, environments, holdsRecords: environments }),
  };
}

describe('settings', () => {
  it('start with defaults', async () => {
    expect(await open().service.handlers['settings.get']({})).toEqual({
      theme: 'system',
      layout: {},
      autoLockMinutes: 0,
      requestTimeoutMs: 30_000,
      keepCount: 0,
      keepDays: 0,
      keepMib: 0,
      historyMost: 100_000,
      historyDays: 0,
      notifications: false,
      keys: {},
      railNames: true,
      seenVersion: '',
      updateAddress: '',
      updateKey: '',
      notice: null,
    });
  });

  it('keep what was changed and leave the rest', async () => {
    const { service, values, changed } = open({ theme: 'dark', other: 'of another version' });
    expect(await service.handlers['settings.update']({ autoLockMinutes: 5 })).toMatchObject({
      theme: 'dark',
      autoLockMinutes: 5,
    });
    expect(service.read('autoLockMinutes')).toBe(5);
    expect(changed).toEqual([['autoLockMinutes']]);
    expect(values.get('other')).toBe('of another version');
  });

  it('count a value that is not valid as its default, and leave it in the file', () => {
    const { service, values } = open({ theme: 'purple', requestTimeoutMs: -1, keys: { send: 7 } });
    expect(service.read('keys')).toEqual({});
    expect(service.read('theme')).toBe('system');
    expect(service.read('requestTimeoutMs')).toBe(30_000);
    expect(values.get('theme')).toBe('purple');
  });

  it('count what is longer than it may be set as its default, too: the other settings are to be had all the same', async () => {
    const long = 'x'.repeat(3000);
    const kept = {
      keys: { send: long },
      seenVersion: long,
      updateAddress: long,
      updateKey: long,
      theme: 'dark',
    };
    const shown = await open(kept).service.handlers['settings.get']({});
    expect(appMethods['settings.get'].output.parse(shown)).toEqual(shown);
    expect(shown).toMatchObject({
      keys: {},
      seenVersion: '',
      updateAddress: '',
      updateKey: '',
      theme: 'dark',
    });
    expect(open({ keys: { [long]: 'mod+x' } }).service.read('keys')).toEqual({});
  });

  it('say what happened to a file that could not be read', async () => {
    const { service } = open({}, 'put aside');
    expect(await service.handlers['settings.get']({})).toMatchObject({ notice: 'put aside' });
    expect(service.notice()).toBe('put aside');
  });

  it('refuse a layout out of all proportion, also one that grows by its entries', () => {
    const { update } = { update: open().service.handlers['settings.update'] };
    const tooLarge = expect.objectContaining({ code: 'settings.too_large' });
    expect(() => update({ layout: { tabs: 'x'.repeat(1_100_000) } })).toThrow(tooLarge);
    const half = 'x'.repeat(600_000);
    update({ layout: { tabs: half } });
    expect(() => update({ layout: { more: half } })).toThrow(tooLarge);
  });

  it('take of the layout what is given, and leave what another window has written', () => {
    const { service } = open();
    const update = service.handlers['settings.update'];
    update({ layout: { tree: 240, tabs: ['a'] } });
    update({ layout: { tabs: ['b'], rail: 1 } });
    expect(service.read('layout')).toEqual({ tree: 240, tabs: ['b'], rail: 1 });
    update({ layout: { tree: null } });
    expect(service.read('layout')).toEqual({ tabs: ['b'], rail: 1 });
  });

  it('take of the layout what another process has written until the file is held', () => {
    const { service, settings, values } = open({ layout: { tree: 240 } });
    settings.exclusively = (run) => {
      values.set('layout', { tree: 240, theirs: 1 });
      return run();
    };
    service.write({ layout: { mine: 2 } });
    expect(service.read('layout')).toEqual({ tree: 240, theirs: 1, mine: 2 });
  });
});
