import type { Environment } from '@shared/contract/environments';
import { usualSetup } from '@shared/contract/usual-setup';
import { AppError } from '@shared/errors';
import { beforeEach, describe, expect, it } from 'vitest';
import { startEnvironments, useEnvironments } from '../../session/environments';
import { whenRenamed } from '../../session/renamed-environments';
import { setTransport } from '../../transport/client';
import { createFakeTransport, type FakeTransport } from '../../transport/fake';
import { checkDraft, describeFaults, readStates, toDraft, toSaveInput } from './environment-draft';
import { useEnvironmentsStore } from './environments-store';
import { bringUpToDate } from './keep-typed';
import { noteUnsaved, readUnsaved } from '../../session/unsaved';

const uat: Environment = {
  id: 'data/uat',
  name: 'uat',
  label: 'uat',
  kind: 'sandbox',
  baseUrl: 'https://uat.example.com',
  variables: { base_url: 'https://uat.example.com', callback_url: 'http://127.0.0.1:4020/hooks/payments' },
  source: 'data',
  keyId: 'k1',
  hasCredentials: false,
  setup: usualSetup,
  sealedParts: [],
  session: {},
  addressChange: null,
  isActive: false,
};

let fake: FakeTransport;
let calls: [string, unknown][];

beforeEach(() => {
  calls = [];
  const note =
    <T>(name: string, value: T) =>
    (input: unknown): Promise<T> => {
      calls.push([name, input]);
      return Promise.resolve(value);
    };
  fake = createFakeTransport({
    'environments.list': () => Promise.resolve({ environments: [uat] }),
    'environments.save': note('save', uat),
    'environments.setUp': note('setUp', uat),
    'environments.delete': note('delete', {}),
    'credentials.save': note('credentials', {}),
    'keys.update': note('key', {} as never),
  });
  setTransport(fake);
});

const { save } = useEnvironmentsStore.getState();

describe('the environments of the shell', () => {
  it('are read again whenever they change', async () => {
    const stop = startEnvironments();
    await Promise.resolve();
    fake.emit('environments.changed', {});
    await new Promise((resolve) => setTimeout(resolve));
    stop();
    expect(fake.calls).toHaveLength(2);
    expect(useEnvironments.getState().environments).toEqual([uat]);
  });
});

describe('saving an environment', () => {
  it('tells of a new name what views keep by the former one, before they are read anew, and of a form saved under its own none', async () => {
    const heard: string[] = [];
    const stops = [whenRenamed((from, to) => heard.push(`${from} ${to}`)), startEnvironments()];
    fake.emit('environments.changed', { renamed: { from: 'data/dev', to: 'data/uat' } });
    expect(heard.splice(0)).toEqual(['data/dev data/uat']);
    await save(toDraft({ ...uat, id: 'data/old' }, null), { ...uat, id: 'data/old' });
    expect(heard.splice(0)).toEqual(['data/old data/uat']);
    await save(toDraft(uat, null), uat);
    fake.emit('environments.changed', {});
    expect(heard).toEqual([]);
    for (const stop of stops) stop();
  });

  it('keeps all of the form: values, setup, credentials of each product, and the key', async () => {
    const draft = toDraft(uat, 'http://127.0.0.1:4020/hooks/payments');
    expect(draft.callbackUrl).toBe('');
    const profile = { ...usualSetup.profile, credentials: 'per_product' as const };
    await save(
      {
        ...draft,
        webhookStates: 'pending = Processing\n\nDONE = succeeded',
        setup: { ...usualSetup, profile },
        credentials: {
          '': { consumerKey: 'old', consumerSecret: 'old' },
          payout: { consumerKey: ' ck ', consumerSecret: 'cs' },
        },
        keyId: 'k2',
      },
      uat,
    );
    const saved = calls.find(([name]) => name === 'setUp')?.[1];
    expect(saved).toMatchObject({
      setup: { profile: { webhookStates: { PENDING: 'processing', DONE: 'succeeded' } } },
    });
    expect(calls.filter(([name]) => name === 'credentials' || name === 'key')).toEqual([
      [
        'credentials',
        { environment: 'data/uat', product: 'payout', consumerKey: 'ck', consumerSecret: 'cs' },
      ],
      ['key', { id: 'k1', environment: null }],
      ['key', { id: 'k2', environment: 'data/uat' }],
    ]);
  });

  it('leaves no half of a new one where its setup is refused', async () => {
    fake.handlers['environments.setUp'] = () => Promise.reject(new AppError('environments.bad_setup', 'No.'));
    const draft = { ...toDraft(null, null), name: 'new', baseUrl: 'https://x.example' };
    await expect(save(draft, null)).rejects.toMatchObject({ code: 'environments.bad_setup' });
    expect(calls.map(([name]) => name)).toEqual(['save', 'delete']);
    calls = [];
    await expect(save(toDraft(uat, null), uat)).rejects.toMatchObject({ code: 'environments.bad_setup' });
    expect(calls.map(([name]) => name)).toEqual(['save']);
  });

  it('takes no state of a webhook without what it means', () => {
    for (const line of ['PENDING', 'PENDING =', ' PENDING = ']) {
      expect(readStates(`A = failed\n${line}`).fault).toBe(
        'Line 2: say what PENDING means: “PENDING = processing”, succeeded, failed or canceled.',
      );
    }
    expect(readStates('pending = Failed')).toEqual({ states: { PENDING: 'failed' }, fault: null });
  });

  it('says what is wrong before anything is sent', () => {
    const draft = { ...toDraft(uat, null), callbackUrl: 'x', webhookStates: 'A = b', variables: '?' };
    const half = { ...draft, credentials: { '': { consumerKey: 'a', consumerSecret: '' } } };
    expect(Object.keys(checkDraft(half, [])).toSorted()).toEqual([
      'callbackUrl',
      'credentials',
      'variables',
      'webhookStates',
    ]);
    expect(readStates('A = b = c').fault).toMatch(/Line 1/);
    expect(
      toSaveInput(toDraft({ ...uat, source: 'collection' }, null), { ...uat, source: 'collection' }),
    ).toEqual({
      id: 'data/uat',
      name: 'uat',
      kind: 'sandbox',
      baseUrl: 'https://uat.example.com',
      variables: {},
      inClear: [],
    });
  });
});

it('names the first field that keeps a draft from being saved', () => {
  const draft = toDraft(uat, null);
  expect(describeFaults(checkDraft(draft, []))).toBeNull();
  expect(describeFaults(checkDraft({ ...draft, callbackUrl: 'nowhere' }, []))).toBe(
    'Callback address: Write the whole address, with https:// in front.',
  );
  const described = describeFaults(checkDraft({ ...draft, name: '', callbackUrl: 'nowhere' }, []));
  expect(described).toMatch(/^Name: /);
});

describe('an environment that is saved', () => {
  const typed = {
    variables: 'amount = 7\nmine = 2',
    over: { ...toDraft(uat, null), variables: 'amount = 7' },
  };
  const list = (environments: Environment[]): void =>
    setTransport(createFakeTransport({ 'environments.list': () => Promise.resolve({ environments }) }));

  it('is read anew first: no event tells of what a command has saved', async () => {
    const now = { ...uat, variables: { amount: '7', api_secret: '{{vault.api_secret}}' } };
    list([now]);
    expect(await bringUpToDate(uat, typed)).toMatchObject({
      environment: now,
      draft: { variables: 'amount = 7\nmine = 2\napi_secret = {{vault.api_secret}}' },
    });
  });

  it('is not saved where a command has deleted it: what was typed stands in the form of a new one', async () => {
    const known = { ...uat, variables: { amount: '7' } };
    list([known]);
    await bringUpToDate(known, {});
    noteUnsaved('environment/data/uat', typed);
    list([]);
    expect(await bringUpToDate(known, typed)).toBeNull();
    expect(readUnsaved('environment/')).toMatchObject({ variables: 'amount = 7\nmine = 2', deleted: 'uat' });
    expect(await bringUpToDate(null, { name: 'new' })).toMatchObject({ environment: null });
    noteUnsaved('environment/', null);
  });
});
