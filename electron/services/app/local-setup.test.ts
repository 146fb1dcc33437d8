import { describe, expect, it } from 'vitest';
import { localEnvironmentId } from '@shared/contract/environment-id';
import { createEventBus } from '../../platform/event-bus';
import { createLocalSetup, type LocalSetupDeps } from './local-setup';

describe('createLocalSetup', () => {
  it('registers a key when it is bound, and not again when something else in the vault changes', async () => {
    const events = createEventBus();
    const keys = [{ environment: localEnvironmentId, publicKeyPem: 'first' }];
    const registered: string[][] = [];
    const setup = createLocalSetup({
      ports: {},
      events,
      vault: {
        listPublicKeys: () => Promise.resolve([...keys]),
        status: () => Promise.resolve({ state: 'unlocked' }),
      },
      sandbox: () =>
        Promise.resolve({
          start: () => Promise.resolve(),
          status: () => ({ state: 'running' }),
          register: (pems: string[]) => {
            if (pems.length > 0) registered.push(pems);
            return Promise.resolve();
          },
        }),
    } as unknown as LocalSetupDeps);
    await setup.start();
    events.emit('vault.changed', {});
    await settle();
    expect(registered).toEqual([]);

    keys.push({ environment: localEnvironmentId, publicKeyPem: 'second' });
    events.emit('vault.changed', {});
    await settle();
    expect(registered).toEqual([['second']]);

    keys.pop();
    events.emit('vault.changed', {});
    await settle();
    keys.push({ environment: localEnvironmentId, publicKeyPem: 'second' });
    events.emit('vault.changed', {});
    await settle();
    expect(registered).toEqual([['second'], ['second']]);
    setup.close();
  });
});

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
