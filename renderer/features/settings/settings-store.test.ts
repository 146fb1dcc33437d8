import { AppError } from '@shared/errors';
import { expect, it } from 'vitest';
import { setTransport } from '../../transport/client';
import { toClientError } from '../../transport/client-error';
import { createFakeTransport } from '../../transport/fake';
import { dropUnreachable } from '../../transport/drop-unreachable';
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

it('takes a refused setting back alone: what was set meanwhile, and was kept, stays', async () => {
  let refuse = (): void => undefined;
  const late = new Promise<never>(
    (_resolve, reject) => (refuse = () => reject(new AppError('platform.unwritable', 'No.'))),
  );
  const handler = ({ theme }: { theme?: unknown }) => (theme === undefined ? late : {});
  setTransport(createFakeTransport({ 'settings.update': handler as never }));
  const { change } = useSettingsStore.getState();
  const before = useSettings.getState().settings.requestTimeoutMs;
  const refused = change({ requestTimeoutMs: 1 });
  await change({ theme: 'dark' });
  refuse();
  await refused;
  expect(useSettings.getState().settings).toMatchObject({ theme: 'dark', requestTimeoutMs: before });
});

it('takes back that nothing answers once it does, also where that was while another view was on show; nothing else', () => {
  const fake = createFakeTransport();
  setTransport(fake);
  const fail = (code: 'app.unreachable' | 'platform.unwritable'): void =>
    useSettingsStore.setState({ error: toClientError(new AppError(code, 'No.')) });
  fail('app.unreachable');
  const stop = dropUnreachable(useSettingsStore);
  expect(useSettingsStore.getState().error).toBeNull();
  fake.setConnection('offline');
  fail('app.unreachable');
  expect(useSettingsStore.getState().error).not.toBeNull();
  fake.setConnection('online');
  expect(useSettingsStore.getState().error).toBeNull();
  fail('platform.unwritable');
  fake.setConnection('offline');
  fake.setConnection('online');
  expect(useSettingsStore.getState().error?.code).toBe('platform.unwritable');
  stop();
});
