import type { HandlersOf, MethodOutput } from '@shared/contract/contract';
import type { EventBus } from '@shared/contract/events';
import type { AppError } from '@shared/errors';
import type { RunSummary } from '@shared/run/run-result';
import { readStringToSign } from '@shared/signing/string-to-sign';
import { verifyText } from '../../platform/crypto/rsa-signatures';
import type { Ports } from '../../platform/ports';
import type { BalancesService } from '../balances/create-balances-service';
import type { CollectionsService } from '../collections/create-collections-service';
import type { EnvironmentsService } from '../environments/create-environments-service';
import type { InboxService } from '../inbox/create-inbox-service';
import type { LookupsService } from '../lookups/create-lookups-service';
import type { SendingService } from '../sending/create-sending-service';
import type { AskingRequest } from '../sending/find-missing-setup';
import type { KeySource } from '../signing/key-source';
import { readPublicKey } from '../vault/key-forms/key-reading';
import type { AppRuns } from './app-runs';
import type { RunDeps, RunOptions } from './run-context';
import { runRequests } from './run-requests';
import type { WebhookHub } from './webhook-hub';

export interface RunningDeps {
  readonly ports: Pick<Ports, 'clock' | 'random' | 'dataDirectory' | 'logger'>;
  readonly events: EventBus;
  readonly sending: Pick<SendingService, 'makeReady' | 'listOwnSecrets' | 'findMissingSetUp' | 'breakOff'>;
  readonly lookups: Pick<LookupsService, 'handlers'>;
  readonly balances: Pick<BalancesService, 'handlers'>;
  readonly keys: Pick<KeySource, 'getSigningKey'>;
  readonly environments: Pick<EnvironmentsService, 'handlers' | 'listProduction'>;
  /** Made when the app runs one. */
  collections(): Promise<Pick<CollectionsService, 'get'>>;
  /** Made when a run looks into it. */
  inbox(): Promise<Pick<InboxService, 'handlers'>>;
}

export interface RunningService {
  /** What the app runs: a collection, or a part of it. */
  handlers: HandlersOf<'running'>;
  /** Runs requests; resolves when the last of them is over. */
  run(options: RunOptions): Promise<RunSummary>;
  /** As `environments.list`, without the contract's schemas, which a run has no other use for. */
  listEnvironments(): Promise<MethodOutput<'environments.list'>>;
  /** Lists what requests ask of the vault and it does not have, before anything is sent. */
  findMissingSetUp(environment: string, requests: readonly AskingRequest[]): Promise<AppError[]>;
  /** Hands what the inbox gets from now on to a hub; the function that is returned ends it. */
  follow(hub: WebhookHub): Promise<() => void>;
  /** Has the runs that are kept, and the one under way, be of an environment that got another name. */
  renameEnvironment(from: string, to: string): Promise<void>;
  /** Ends what the app runs. */
  close(): Promise<void>;
}

/** Makes the service that runs requests as tests. */
export function createRunningService(deps: RunningDeps): RunningService {
  const { ports, events } = deps;
  const runDeps = createRunDeps(deps);
  const run = (options: RunOptions): Promise<RunSummary> => runRequests(runDeps, options);
  const listEnvironments = async () => deps.environments.handlers['environments.list']({});
  // A run that receives its webhooks itself goes without it, and without all that a listener is made of.
  const follow = async (hub: WebhookHub) => {
    const { followInbox } = await import('./follow-inbox');
    return followInbox((await deps.inbox()).handlers, events, hub);
  };
  const findMissingSetUp: RunningService['findMissingSetUp'] = (...of) =>
    deps.sending.findMissingSetUp(...of);
  const breakOff = (): Promise<void> => deps.sending.breakOff();
  const listProduction = () => deps.environments.listProduction();
  const told = { ports, events, run, listProduction, breakOff, listEnvironments, findMissingSetUp, follow };
  let made: Promise<AppRuns> | null = null;
  // The command line runs without it.
  const appRuns = (): Promise<AppRuns> =>
    (made ??= Promise.all([import('./app-runs'), import('./kept-runs')]).then(
      ([{ AppRuns }, { KeptRuns }]) =>
        new AppRuns({ ...told, kept: new KeptRuns(ports), collections: () => deps.collections() }),
    ));
  return {
    run,
    listEnvironments,
    findMissingSetUp,
    follow,
    renameEnvironment: async (from, to) => (await appRuns()).renameEnvironment(from, to),
    close: async () => (await made)?.close(),
    handlers: {
      'running.plan': async (subject) => (await appRuns()).plan(subject),
      'running.start': async (input) => (await appRuns()).start(input),
      'running.cancel': async ({ id }) => (await appRuns()).cancel(id),
      'running.get': async ({ collectionId }) => ({ run: (await appRuns()).get(collectionId) }),
    },
  };
}

function createRunDeps({ ports, sending, lookups, balances, keys }: RunningDeps): RunDeps {
  return {
    ports,
    makeReady: (input) => sending.makeReady(input),
    listOwnSecrets: (request) => sending.listOwnSecrets(request),
    lookUp: async (input) => lookups.handlers['lookups.status'](input),
    fetchBalances: async (input) => balances.handlers['balances.fetch'](input),
    async verify({ environment, body, signature }) {
      const { publicKeyPem, name } = await keys.getSigningKey(environment);
      const valid = verifyText(readStringToSign(body).text, signature, readPublicKey(publicKeyPem).publicKey);
      return {
        valid,
        reason: valid ? 'it verifies' : `it does not verify with the public half of '${name}'`,
      };
    },
  };
}
