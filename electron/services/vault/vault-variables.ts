import type { Clock, Random } from '../../platform/ports';
import type { SealedVariables } from '../environments/secret-variables';
import { putRecord, type StoredRecord } from './vault-file';
import type { VaultStore } from './vault-store';

/** What is kept by name: of an environment its secret variables and parts of its connection, of a team's inbox its password. */
export type NamedSecretKind = 'variable' | 'connection' | 'team_store';

/** Keeps secrets of environments by their names. */
export function createVaultVariables({
  kind,
  store,
  clock,
  random,
}: {
  kind: NamedSecretKind;
  store: VaultStore;
  clock: Clock;
  random: Random;
}): SealedVariables {
  const isOf = (record: StoredRecord, environment: string): boolean =>
    record.kind === kind && record.environment === environment;
  return {
    async read(environment, name) {
      const records = (await store.list(kind)).filter(
        (record) => isOf(record, environment) && record.name === name,
      );
      const record = records.findLast(({ isLocked }) => !isLocked) ?? records.at(-1);
      if (record === undefined) return null;
      const plain = await store.open(record);
      const value = plain.toString('utf8');
      plain.fill(0);
      return value;
    },
    async keep(environment, values) {
      await store.edit((records) => {
        const known = new Map(
          records
            .filter((record) => isOf(record, environment) && !record.isLocked)
            .map((record) => [record.name, record]),
        );
        const changes = [...values].map(([name, value]) => {
          const secret = Buffer.from(value, 'utf8');
          const identity = { id: random.uuid(), kind, name, environment, created_at: clock.now() };
          return putRecord(known.get(name), identity, {}, secret);
        });
        return { changes, result: undefined };
      });
    },
    async keepOnly(environment, names) {
      const kept = new Set(names);
      const isLeft = (record: StoredRecord): boolean => isOf(record, environment) && !kept.has(record.name);
      if (!(await store.list(kind)).some(isLeft)) return;
      await store.edit((records) => ({
        changes: records.filter(isLeft).map((record) => ({ kind: 'remove', record })),
        result: undefined,
      }));
    },
  };
}
