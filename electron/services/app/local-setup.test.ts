import { describe, expect, it } from 'vitest';
import { localEnvironmentId } from '@shared/contract/environment-id';
import { createEventBus } from '../../platform/event-bus';
import { createLocalSetup, type LocalSetupDeps } from './local-setup';

describe('createLocalSetup', () => {
  it('registers a key that is bound while the sandbox starts, and one again that it failed to', async () => {
    const events = createEventBus();
    const keys = [{ environment: localEnvironmentId, publicKeyPem: 'first' }];
    const bind = (publicKeyPem: string) => keys.push({ environment: localEnvironmentId, publicKeyPem });
    const registered: string[][] = [];
    let [state, isFailing] = ['running', false];
    const setup = createLocalSetup({
      ports: { logger: { log: () => undefined } },
      events,
      vault: {
        listPublicKeys: () => Promise.resolve([...keys]),
        status: () => Promise.resolve({ state: 'unlocked' }),
      },
      sandbox: () =>
        Promise.resolve({
          start: () => Promise.resolve(bind('meanwhile')),
          status: () => ({ state }),
          register: (pems: string[]) => {
            if (isFailing) return Promise.reject(new Error('It is busy.'));
            if (pems.length > 0) registered.push(pems);
            return Promise.resolve();
          },
        }),
    } as unknown as LocalSetupDeps);
    const change = async (): Promise<void> => {
      events.emit('vault.changed', {});
      await settle();
    };
    await setup.start();
    expect(registered).toEqual([['meanwhile']]);

    bind('refused');
    isFailing = true;
    await change();
    isFailing = false;
    await change();
    expect(registered.slice(1)).toEqual([['refused']]);

    // Its start registers what is bound while it stands still.
    bind('while it is stopped');
    state = 'stopped';
    await change();
    state = 'running';
    await change();
    expect(registered).toHaveLength(2);
    setup.close();
  });

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
