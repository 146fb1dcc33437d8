import type { Contract } from '@shared/contract/contract';
import type { ContractCase, Stage } from './contract-stage';
import { startPostgres, whyNoPostgres, type TestPostgres } from './postgres';
import { makeTeamStore } from './team-store';

type TeamMethod = Extract<keyof Contract, `team.${string}`>;

let started: Promise<{ server: TestPostgres; url: string }> | null = null;

/** An inbox in a PostgreSQL of this process; where there is none, one that nobody answers for. */
async function findAddress(): Promise<string> {
  if (whyNoPostgres !== null) return 'postgres://ann@127.0.0.1:1/inbox';
  started ??= startStore();
  return (await started).url;
}

async function startStore(): Promise<{ server: TestPostgres; url: string }> {
  const server = await startPostgres();
  const store = await makeTeamStore(server);
  await store.close();
  return { server, url: store.url };
}

/** Ends what the cases started; whoever plays them calls it in the end. */
export async function stopTeamServer(): Promise<void> {
  await (await started)?.server.stop();
  started = null;
}

const savedId = (stage: Stage): string => stage.get('team.save').id;

/** Cases of team inboxes. */
export const teamCases: { [M in TeamMethod]: ContractCase<M> } = {
  'team.list': { input: {}, badInput: 2 },
  'team.save': {
    input: async ({ secrets }) => ({
      name: 'Payments team',
      address: await findAddress(),
      password: secrets.passphrase,
    }),
    badInput: { name: '', address: '' },
    refusal: {
      input: { name: 'No', address: 'postgres://ann:secret@db.example/inbox' },
      code: 'store.bad_address',
    },
  },
  'team.test': {
    input: async () => ({ address: await findAddress() }),
    badInput: { address: 4 },
    skip: whyNoPostgres,
    refusal: { input: { address: 'postgres://ann@127.0.0.1:1/inbox' }, code: 'store.unreachable' },
  },
  'team.open': {
    input: (stage) => ({ id: savedId(stage) }),
    badInput: { id: 'UPPER' },
    skip: whyNoPostgres,
    refusal: { input: { id: 'no-such' }, code: 'team.unknown' },
  },
  'team.close': {
    input: (stage) => ({ id: savedId(stage) }),
    badInput: {},
    refusal: { input: { id: 'no-such' }, code: 'team.unknown' },
  },
  'team.remove': {
    input: (stage) => ({ id: savedId(stage) }),
    badInput: { id: 1 },
    refusal: { input: { id: 'no-such' }, code: 'team.unknown' },
  },
};
