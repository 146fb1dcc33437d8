import type { MethodOutput } from '@shared/contract/contract';
import type { EventBus } from '@shared/contract/events';
import type { RunSummary } from '@shared/run/run-result';
import { readStringToSign } from '@shared/signing/string-to-sign';
import { verifyText } from '../../platform/crypto/rsa-signatures';
import type { Ports } from '../../platform/ports';
import type { BalancesService } from '../balances/create-balances-service';
import type { EnvironmentsService } from '../environments/create-environments-service';
import type { InboxService } from '../inbox/create-inbox-service';
import type { LookupsService } from '../lookups/create-lookups-service';
import type { SendingService } from '../sending/create-sending-service';
import type { KeySource } from '../signing/key-source';
import { readPublicKey } from '../vault/key-forms/key-reading';
import { followInbox } from './follow-inbox';
import type { RunDeps, RunOptions } from './run-context';
import { runRequests } from './run-requests';
import type { WebhookHub } from './webhook-hub';

export interface RunningDeps {
  readonly ports: Pick<Ports, 'clock' | 'random'>;
  readonly events: EventBus;
  readonly sending: Pick<SendingService, 'send'>;
  readonly lookups: Pick<LookupsService, 'handlers'>;
  readonly balances: Pick<BalancesService, 'handlers'>;
  readonly keys: Pick<KeySource, 'getSigningKey'>;
  readonly environments: Pick<EnvironmentsService, 'handlers'>;
  /** Made when a run looks into it. */
  inbox(): Promise<Pick<InboxService, 'handlers'>>;
}

export interface RunningService {
  /** Runs requests; resolves when the last of them is over. */
  run(options: RunOptions): Promise<RunSummary>;
  /** As `environments.list`, without the contract's schemas, which a run has no other use for. */
  listEnvironments(): Promise<MethodOutput<'environments.list'>>;
  /** Hands what the inbox gets from now on to a hub; the function that is returned ends it. */
  follow(hub: WebhookHub): Promise<() => void>;
}

/** Makes the service that runs requests as tests. */
export function createRunningService(deps: RunningDeps): RunningService {
  const { ports, sending, lookups, balances, keys, events } = deps;
  const runDeps: RunDeps = {
    ports,
    send: (input, onAnswer) => sending.send(input, onAnswer),
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
  return {
    run: (options) => runRequests(runDeps, options),
    listEnvironments: async () => deps.environments.handlers['environments.list']({}),
    follow: async (hub) => followInbox((await deps.inbox()).handlers, events, hub),
  };
}
