import type { Environment } from '@shared/contract/environments';
import { AppError } from '@shared/errors';
import { beforeEach, describe, expect, it } from 'vitest';
import { setTransport } from '../../transport/client';
import { createFakeTransport, type FakeTransport } from '../../transport/fake';
import { useSettings } from '../../session/settings-store';
import { checkEnvironment, isUnprotected, readVariables, writeVariables } from './settings-selectors';
import { useSettingsStore } from './settings-store';

const uat: Environment = {
  id: 'data/uat',
  name: 'uat',
  label: 'uat',
  kind: 'sandbox',
  baseUrl: 'https://uat.example.com',
  variables: {},
  source: 'data',
  keyId: null,
  hasCredentials: false,
  addressChange: null,
  isActive: false,
};

let fake: FakeTransport;
const state = () => useSettingsStore.getState();

beforeEach(() => {
  useSettingsStore.setState(useSettingsStore.getInitialState(), true);
  fake = createFakeTransport({ 'environments.list': () => ({ environments: [uat] }) });
  setTransport(fake);
});

describe('settings store', () => {
  it('reads the environments again whenever they change', async () => {
    const stop = state().start();
    await Promise.resolve();
    fake.emit('environments.changed', {});
    await new Promise((resolve) => setTimeout(resolve));
    stop();
    expect(fake.calls).toHaveLength(2);
    expect(state().environments).toEqual([uat]);
  });

  it('takes a refused setting back and says why', async () => {
    const before = useSettings.getState().settings.requestTimeoutMs;
    fake.handlers['settings.update'] = () =>
      Promise.reject(new AppError('platform.unwritable', 'Disk full.'));
    await state().change({ requestTimeoutMs: 1 });
    expect(useSettings.getState().settings.requestTimeoutMs).toBe(before);
    expect(state().error?.code).toBe('platform.unwritable');
  });

  it('hands a refused environment to its form', async () => {
    fake.handlers['environments.save'] = () => Promise.reject(new AppError('environments.bad_url', 'No.'));
    await expect(state().saveEnvironment({ name: 'x', kind: 'sandbox', baseUrl: 'x' })).rejects.toMatchObject(
      {
        code: 'environments.bad_url',
      },
    );
  });
});

describe('settings selectors', () => {
  it('reads variables line by line, equals signs in values kept', () => {
    expect(readVariables('a = 1\n\ntoken=x=y').variables).toEqual({ a: '1', token: 'x=y' });
    expect(readVariables('a = 1\nnonsense').fault).toContain('Line 2');
    expect(readVariables(writeVariables({ base_url: 'u', a: 'b c' })).variables).toEqual({ a: 'b c' });
  });

  it('names what is wrong with an environment', () => {
    expect(checkEnvironment({ name: 'local', baseUrl: 'https://x' }, []).name).toContain('embedded');
    expect(checkEnvironment({ name: 'uat', baseUrl: 'https://x' }, ['uat']).name).toContain('already');
    expect(checkEnvironment({ name: 'a', baseUrl: 'x.example.com' }, []).baseUrl).toContain('https://');
    expect(checkEnvironment({ name: 'a', baseUrl: 'https://x/?a=1' }, []).baseUrl).toContain('?');
    expect(checkEnvironment({ name: 'a', baseUrl: 'https://x' }, [])).toEqual({ name: null, baseUrl: null });
  });

  it('warns of plain HTTP to another machine alone', () => {
    expect(isUnprotected('http://example.com')).toBe(true);
    expect(isUnprotected('http://127.0.0.1:4010')).toBe(false);
    expect(isUnprotected('https://example.com')).toBe(false);
  });
});
