import type { Contract } from '@shared/contract/contract';
import type { ContractCase } from './contract-stage';
import { releaseFile, startReleaseServer, type ReleaseServer } from './release-server';

type UpdateMethod = Extract<keyof Contract, `updates.${string}`>;

let server: Promise<ReleaseServer> | null = null;

/** A publisher of this process. */
async function findSource(): Promise<{ address: string; publicKeyPem: string }> {
  server ??= startReleaseServer();
  const { address, publicKeyPem } = await server;
  return { address, publicKeyPem };
}

/** Ends what the cases started; whoever plays them calls it in the end. */
export async function stopReleaseServer(): Promise<void> {
  await (await server)?.close();
  server = null;
}

/** Cases of updates. */
export const updateCases: { [M in UpdateMethod]: ContractCase<M> } = {
  'updates.setSource': {
    input: findSource,
    badInput: { address: 1 },
    refusal: {
      input: { address: 'http://updates.example.test/latest.json', publicKeyPem: '' },
      code: 'updates.bad_address',
    },
  },
  'updates.check': { input: {}, badInput: 'now' },
  'updates.download': {
    input: { name: releaseFile.name },
    badInput: {},
    refusal: { input: { name: '../settings.json' }, code: 'updates.unknown_file' },
  },
};
