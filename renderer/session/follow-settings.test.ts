import { afterEach, expect, it, vi } from 'vitest';
import { settingDefaults } from '@shared/contract/setting-limits';
import { setTransport } from '../transport/client';
import { createFakeTransport } from '../transport/fake';
import { followSettings } from './follow-settings';
import { updateSettings, useSettings, writeLayout } from './settings-store';

afterEach(() => useSettings.setState(useSettings.getInitialState(), true));

it('shows what another window or a command has set, and keeps the layout of its own', async () => {
  const fake = createFakeTransport({
    'settings.get': () => ({ ...settingDefaults, autoLockMinutes: 3, layout: { tree: 1 }, notice: null }),
    'settings.update': () => ({ ...settingDefaults, notice: null }),
  });
  setTransport(fake);
  const stop = followSettings();
  writeLayout('tree', 240);
  fake.emit('settings.changed', { names: ['layout'] });
  fake.emit('settings.changed', { names: ['autoLockMinutes'] });
  await expect.poll(() => useSettings.getState().settings.autoLockMinutes).toBe(3);
  // What another file's test left to be written a moment later may stand there, too.
  expect(useSettings.getState().settings.layout).toMatchObject({ tree: 240 });
  expect(fake.calls.filter(({ method }) => method === 'settings.get')).toHaveLength(1);
  stop();
});

it('shows what is in force once changes of a setting were refused, or an earlier one was', async () => {
  const answers: ((isTaken: boolean) => void)[] = [];
  setTransport(
    createFakeTransport({
      'settings.update': () =>
        new Promise((resolve, reject) =>
          answers.push((isTaken) =>
            isTaken ? resolve({ ...settingDefaults, notice: null }) : reject(new Error('The disk is full.')),
          ),
        ),
    }),
  );
  const shown = (): number => useSettings.getState().settings.keepDays;
  const change = async (...taken: [boolean, boolean]): Promise<number> => {
    const changes = [11, 12].map((keepDays) => updateSettings({ keepDays }));
    for (const isTaken of taken) answers.shift()!(isTaken);
    await Promise.allSettled(changes);
    return shown();
  };
  const before = shown();
  expect(await change(false, false)).toBe(before);
  expect(await change(false, true)).toBe(12);
  expect(await change(true, false)).toBe(11);
});

it('writes the layout again that could not be saved, with drafts in it, though nothing more changes', async () => {
  vi.useFakeTimers();
  const saved: unknown[] = [];
  let isAway = true;
  setTransport(
    createFakeTransport({
      'settings.update': ({ layout }) => {
        if (isAway) throw new Error('The data folder is away.');
        saved.push(layout);
        return { ...settingDefaults, notice: null };
      },
    }),
  );
  writeLayout('draft', 'typed');
  await vi.advanceTimersByTimeAsync(20_000);
  isAway = false;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(saved).toEqual([expect.objectContaining({ draft: 'typed' })]);
  vi.useRealTimers();
});
