import { describe, expect, it } from 'vitest';
import { localEnvironmentId } from '@shared/contract/environment-id';
import { createEventBus } from '../../platform/event-bus';
import { createLocalSetup, type LocalSetupDeps } from './local-setup';

const keyOf = (publicKeyPem: string) => ({ environment: localEnvironmentId, publicKeyPem });

/** A local setup over a vault with one key and a sandbox that notes what is registered with it. */
function stage(whileItStarts: (keys: ReturnType<typeof keyOf>[]) => void = () => undefined) {
  const events = createEventBus();
  const keys = [keyOf('first')];
  const registered: string[][] = [];
  const sandbox = { state: 'running', isFailing: false };
  const setup = createLocalSetup({
    ports: { logger: { log: () => undefined } },
    events,
    vault: {
      listPublicKeys: () => Promise.resolve([...keys]),
      status: () => Promise.resolve({ state: 'unlocked' }),
    },
    sandbox: () =>
      Promise.resolve({
        start: () => Promise.resolve(whileItStarts(keys)),
        status: () => ({ state: sandbox.state }),
        reportFailure: () => (sandbox.state = 'failed'),
        register: (pems: string[]) => {
          if (sandbox.isFailing) return Promise.reject(new Error('It is busy.'));
          if (pems.length > 0) registered.push(pems);
          return Promise.resolve();
        },
      }),
  } as unknown as LocalSetupDeps);
  const change = async (): Promise<void> => {
    events.emit('vault.changed', {});
    await new Promise((resolve) => setTimeout(resolve, 5));
  };
  return { setup, keys, registered, sandbox, change };
}

describe('createLocalSetup', () => {
  it('registers a key that is bound while the sandbox starts, and one again that it failed to', async () => {
    const { setup, keys, registered, sandbox, change } = stage((bound) => bound.push(keyOf('meanwhile')));
    await setup.start();
    expect(registered).toEqual([['meanwhile']]);

    keys.push(keyOf('refused'));
    sandbox.isFailing = true;
    await change();
    sandbox.isFailing = false;
    await change();
    expect(registered.slice(1)).toEqual([['refused']]);

    // Its start registers what is bound while it stands still.
    keys.push(keyOf('while it is stopped'));
    sandbox.state = 'stopped';
    await change();
    sandbox.state = 'running';
    await change();
    expect(registered).toHaveLength(2);
    setup.close();
  });

  it('starts again where the vault was unlocked while a start failed for its lock', async () => {
    let starts = 0;
    const { setup, sandbox, change } = stage(() => {
      starts += 1;
      if (starts > 1) return void (sandbox.state = 'running');
      void change();
      throw new Error('The vault is locked.');
    });
    await setup.start();
    await expect.poll(() => sandbox.state).toBe('running');
    expect(starts).toBe(2);
    setup.close();
  });

  it('registers a key when it is bound, and not again when something else in the vault changes', async () => {
    const { setup, keys, registered, change } = stage();
    await setup.start();
    await change();
    expect(registered).toEqual([]);

    keys.push(keyOf('second'));
    await change();
    expect(registered).toEqual([['second']]);

    keys.pop();
    await change();
    keys.push(keyOf('second'));
    await change();
    expect(registered).toEqual([['second'], ['second']]);
    setup.close();
  });
});
