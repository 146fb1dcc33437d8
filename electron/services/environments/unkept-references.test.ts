import { expect, it } from 'vitest';
import { AppError } from '@shared/errors';
import { createEventBus } from '../../platform/event-bus';
import { createEnvironmentsService } from './create-environments-service';

const values = new Map<string, unknown>();
let isFull = false;
const notices: string[] = [];

function start() {
  const nothing = { read: async () => null, keep: async () => {}, keepOnly: async () => {} };
  return createEnvironmentsService({
    settings: {
      get: (key) => structuredClone(values.get(key)),
      set: (key, value) => {
        if (isFull) throw new AppError('platform.disk_full', 'The disk is full.');
        values.set(key, value);
      },
      notice: null,
    },
    events: createEventBus(),
    notify: (notice) => notices.push(notice),
    collections: () => [],
    vaultFacts: async () => ({ keyId: null, hasCredentials: false, holdsSecrets: false, sealedParts: [] }),
    sealedVariables: async () => nothing,
    sealedParts: async () => nothing,
  });
}

const lastOf = (service: ReturnType<typeof start>): string | undefined =>
  service.get('local').variables['last_reference'];

it('has the reference of what left where the disk is full, says once that it is not kept, and keeps it with the next change', () => {
  const service = start();
  service.rememberReference('local', 'payout', 'R-1');
  isFull = true;
  service.rememberReference('local', 'payout', 'R-2');
  service.rememberReference('local', 'payout', 'R-3');
  expect(lastOf(service)).toBe('R-3');
  expect(lastOf(start())).toBe('R-1');
  expect(notices).toEqual([
    'The reference of what was sent is not kept: after the next start {{last_reference}} stands for an earlier one. The disk is full.',
  ]);
  isFull = false;
  service.setLocalAddresses({ baseUrl: 'http://127.0.0.1:4010' });
  expect(lastOf(start())).toBe('R-3');
});

it('goes on with an address of the sandbox and the listener that cannot be kept', () => {
  isFull = true;
  const service = start();
  service.setLocalAddresses({ baseUrl: 'http://127.0.0.1:4019' });
  expect(service.get('local').baseUrl).toBe('http://127.0.0.1:4019');
});
