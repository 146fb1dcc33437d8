import { beforeEach, expect, it } from 'vitest';
import { usualSetup } from '@shared/contract/usual-setup';
import { createEventBus } from '../../platform/event-bus';
import { createEnvironmentsService, type EnvironmentsService } from './create-environments-service';
import type { SealedVariables } from './secret-variables';

const id = 'data/uat';
const values = new Map<string, unknown>();
const sealed = new Map<string, string>();
/** What ends the process: the vault that was just written, or one that takes nothing. */
let ends: 'behind the vault' | 'before the vault' | null;
let isGone: boolean;
let service: EnvironmentsService;
const vault: SealedVariables = {
  read: (of, name) => Promise.resolve(sealed.get(`${of} ${name}`) ?? null),
  keep(of, secrets) {
    if (ends === 'before the vault') return Promise.reject(new Error('locked'));
    for (const [name, value] of secrets) sealed.set(`${of} ${name}`, value);
    isGone = ends === 'behind the vault';
    return Promise.resolve();
  },
  keepOnly: () => Promise.resolve(),
};

function start(): EnvironmentsService {
  [isGone, ends] = [false, null];
  return createEnvironmentsService({
    settings: {
      get: (key) => structuredClone(values.get(key)),
      set: (key, value) => {
        if (isGone) throw new Error('killed');
        values.set(key, value);
      },
      notice: null,
    },
    events: createEventBus(),
    collections: () => [],
    vaultFacts: (of) =>
      Promise.resolve({
        keyId: null,
        hasCredentials: false,
        holdsSecrets: [...sealed.keys()].some((key) => key.startsWith(`${of} `)),
        sealedParts: [],
      }),
    sealedVariables: () => Promise.resolve(vault),
    sealedParts: () => Promise.resolve(vault),
    onRename: (from, to) => {
      for (const [key, value] of [...sealed]) sealed.set(key.replace(`${from} `, `${to} `), value);
      return Promise.resolve();
    },
  });
}

const save = (baseUrl: string, api_key: string, more: { id?: string; name?: string } = { id }) =>
  service.handlers['environments.save']({
    name: 'uat',
    kind: 'sandbox',
    baseUrl,
    variables: { api_key },
    inClear: [],
    ...more,
  });
const setUp = (proxyUrl: string, proxyPassword: string) =>
  service.handlers['environments.setUp']({
    id,
    setup: { ...usualSetup, proxyUrl, proxyUser: 'me' },
    secrets: { proxyPassword },
  });
const held = { code: 'environments.address_changed', details: { from: null, to: 'https://old.example' } };

beforeEach(async () => {
  values.clear();
  sealed.clear();
  service = start();
  await save('https://old.example', 'old', {});
  await setUp('http://old-proxy.example', 'old');
});

it('sends a secret for another address nowhere where it was killed before the settings had that', async () => {
  ends = 'behind the vault';
  await expect(save('https://new.example', 'new', { id, name: 'live' })).rejects.toThrow('killed');
  service = start();
  await expect(service.requireBound(id)).rejects.toMatchObject(held);
  // What else is kept is for the former address, and asks before it goes to another.
  await save('https://new.example', 'new');
  await expect(service.requireBound(id)).rejects.toMatchObject({ details: { to: 'https://new.example' } });
});

it('sends a password for another proxy nowhere likewise', async () => {
  ends = 'behind the vault';
  await expect(setUp('http://new-proxy.example', 'new')).rejects.toThrow('killed');
  service = start();
  await expect(service.requireBound(id)).rejects.toMatchObject(held);
});

it('sends neither of them after the settings could not be written for a while, whatever is saved then', async () => {
  ends = 'behind the vault';
  await expect(save('https://new.example', 'new')).rejects.toThrow('killed');
  [isGone, ends] = [false, null];
  await save('https://old.example', '{{vault.api_key}}');
  await expect(service.requireBound(id)).rejects.toMatchObject(held);
  service.bind(id);
  ends = 'behind the vault';
  await expect(setUp('http://new-proxy.example', 'new')).rejects.toThrow('killed');
  [isGone, ends] = [false, null];
  await save('https://old.example', '{{vault.api_key}}');
  await expect(service.requireBound(id)).rejects.toMatchObject(held);
});

it('goes on as before where the vault takes nothing, and as always where all was kept', async () => {
  ends = 'before the vault';
  await expect(save('https://new.example', 'new')).rejects.toThrow('locked');
  await expect(setUp('http://new-proxy.example', 'new')).rejects.toThrow('locked');
  await expect(service.requireBound(id)).resolves.toMatchObject({ baseUrl: 'https://old.example' });
  ends = null;
  await setUp('http://new-proxy.example', 'new');
  await expect(service.requireBound(id)).resolves.toMatchObject({ baseUrl: 'https://old.example' });
  await save('https://old.example/v2', 'new', { id, name: 'live' });
  await expect(service.requireBound('data/live')).resolves.toMatchObject({ name: 'live' });
  await save('https://new.example', 'newer', { id: 'data/live', name: 'live' });
  await expect(service.requireBound('data/live')).rejects.toMatchObject({
    details: { from: 'https://old.example', to: 'https://new.example' },
  });
});
