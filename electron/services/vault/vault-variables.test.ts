import { expect, it } from 'vitest';
import { countProcessorMs } from '../../../test/support/processor-time';
import { systemClock, systemRandom } from '../../platform/node-ports';
import type { StoredRecord } from './vault-file';
import type { VaultStore } from './vault-store';
import { createVaultVariables } from './vault-variables';

it('keeps thousands of variables beside thousands of another environment, in time by their number', async () => {
  const names = Array.from({ length: 20_000 }, (_, at) => `client_secret_${at}`);
  const listOf = (environment: string, from: readonly string[]): StoredRecord[] =>
    from.map((name) => ({ kind: 'variable', environment, name, isLocked: false }) as unknown as StoredRecord);
  const records = [...listOf('kept', names), ...listOf('other', names)];
  const changed: { kind: string }[] = [];
  const store = {
    list: () => Promise.resolve(records),
    edit: (make: (given: StoredRecord[]) => { changes: { kind: string }[] }) =>
      Promise.resolve(void changed.push(...make(records).changes)),
  } as unknown as VaultStore;
  const variables = createVaultVariables({
    kind: 'variable',
    store,
    clock: systemClock,
    random: systemRandom,
  });
  const processorMs = countProcessorMs();
  await variables.keep('kept', new Map(names.map((name) => [name, 'value'])));
  await variables.keepOnly('kept', names.slice(1).toReversed());
  expect(changed).toHaveLength(20_001);
  expect(changed.at(-1)).toMatchObject({ kind: 'remove', record: { environment: 'kept', name: names[0] } });
  expect(processorMs()).toBeLessThan(1500);
});
