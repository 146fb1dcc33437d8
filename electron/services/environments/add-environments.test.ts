import { expect, it } from 'vitest';
import { createEventBus } from '../../platform/event-bus';
import { createEnvironmentsService } from './create-environments-service';
import type { SealedVariables } from './secret-variables';

/** Where settings stand, how often they were read and written, and what the vault has. */
function build({ onSeal }: { onSeal?: () => void } = {}) {
  const kept = new Map<string, string>();
  const counts = { reads: 0, writes: 0 };
  const sealed = new Map<string, string>();
  const vault: SealedVariables = {
    read: (id, name) => Promise.resolve(sealed.get(`${id} ${name}`) ?? null),
    async keep(id, values) {
      onSeal?.();
      for (const [name, value] of values) sealed.set(`${id} ${name}`, value);
    },
    async keepOnly(id, names) {
      for (const key of sealed.keys())
        if (key.startsWith(`${id} `) && !names.includes(key.slice(id.length + 1))) sealed.delete(key);
    },
  };
  const start = () =>
    createEnvironmentsService({
      settings: {
        get(key) {
          counts.reads += 1;
          return JSON.parse(kept.get(key) ?? 'null') as unknown;
        },
        set(key, value) {
          counts.writes += 1;
          kept.set(key, JSON.stringify(value));
        },
      },
      events: createEventBus(),
      collections: () => [],
      vaultFacts: () =>
        Promise.resolve({ keyId: null, hasCredentials: false, holdsSecrets: true, sealedParts: [] }),
      sealedVariables: () => Promise.resolve(vault),
      sealedParts: () => Promise.resolve(vault),
    });
  return { service: start(), start, kept, counts, sealed };
}

const describeOne = (name: string, variables: Record<string, string> = {}) => ({
  ...{ name, kind: 'sandbox' as const, baseUrl: `https://${name}.example`, variables },
  inClear: [],
});
const many = Array.from({ length: 50 }, (_, index) => describeOne(`env-${index}`, { region: 'KE' }));

it('adds many environments with one write of the settings', async () => {
  const { service, counts } = build();
  expect(await service.add(many)).toEqual(many.map(() => null));
  expect(counts.writes).toBe(1);
  expect(service.list().map(({ name }) => name)).toEqual(['local', ...many.map(({ name }) => name)]);
});

it('reads the settings as often to list many as to list one', async () => {
  const { service, counts } = build();
  await service.add(many);
  counts.reads = 0;
  await service.handlers['environments.list']({});
  expect(counts.reads).toBeLessThan(10);
});

it('leaves out those that cannot be saved, and adds the others', async () => {
  const { service } = build();
  const refusals = await service.add([
    describeOne('uat'),
    describeOne('-flag'),
    describeOne(' uat '),
    describeOne('qa'),
  ]);
  expect(refusals).toEqual([
    null,
    expect.stringContaining('must not be empty'),
    expect.stringContaining("already an environment 'uat'"),
    null,
  ]);
  expect(service.list().map(({ name }) => name)).toEqual(['local', 'uat', 'qa']);
});

it('adds one without an address, as another machine has it', async () => {
  const { service } = build();
  expect(await service.add([{ ...describeOne('uat'), baseUrl: '' }])).toEqual([null]);
});

it('leaves what another process added meanwhile, and says so', async () => {
  let other: unknown;
  const theirs = { ...describeOne('uat'), baseUrl: 'https://theirs.example' };
  const { service, start, sealed } = build({
    onSeal: () => (other ??= start().handlers['environments.save']({ ...theirs, variables: { a: 'b' } })),
  });
  const secret = describeOne('qa', { api_key: 'k-4711' });
  expect(await service.add([secret, describeOne('uat')])).toEqual([null, 'there is one of that name']);
  await other;
  expect(service.list().map(({ baseUrl }) => baseUrl)).toEqual(['', theirs.baseUrl, 'https://qa.example']);
  expect([...sealed]).toEqual([['data/qa api_key', 'k-4711']]);
});

it('gives a new environment nothing that the vault still has of a former one of its name', async () => {
  const { service, sealed } = build();
  sealed.set('data/uat api_key', 'former');
  await service.add([describeOne('uat', { api_key: '{{vault.api_key}}' })]);
  expect(sealed.size).toBe(0);
});

it('saves one after the other: of several of one name that are made at once the first is, and the others are refused', async () => {
  const { service, sealed } = build();
  const saves = Array.from({ length: 5 }, async (_, at) =>
    service.handlers['environments.save']({
      ...describeOne('uat', { api_key: `k-4711-${at}` }),
      baseUrl: `https://uat${at}.example`,
    }),
  );
  const made = await Promise.allSettled(saves);
  expect(made.map((one) => (one.status === 'rejected' ? one.reason : null))).toEqual([
    null,
    ...Array<unknown>(4).fill(expect.objectContaining({ code: 'environments.exists' })),
  ]);
  expect(service.list().map(({ baseUrl }) => baseUrl)).toEqual(['', 'https://uat0.example']);
  expect([...sealed]).toEqual([['data/uat api_key', 'k-4711-0']]);
});
