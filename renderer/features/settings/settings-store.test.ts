import { AppError } from '@shared/errors';
import { expect, it } from 'vitest';
import { setTransport } from '../../transport/client';
import { createFakeTransport } from '../../transport/fake';
import { useSettings } from '../../session/settings-store';
import { useSettingsStore } from './settings-store';

it('takes a refused setting back and says why', async () => {
  const refuse = () => Promise.reject(new AppError('platform.unwritable', 'Disk full.'));
  setTransport(createFakeTransport({ 'settings.update': refuse }));
  const before = useSettings.getState().settings.requestTimeoutMs;
  await useSettingsStore.getState().change({ requestTimeoutMs: 1 });
  expect(useSettings.getState().settings.requestTimeoutMs).toBe(before);
  expect(useSettingsStore.getState().error?.code).toBe('platform.unwritable');
});
