import { localEnvironmentId } from '@shared/contract/environment-id';
import type { Given } from '../../platform/ports';
import { isAddressOf } from '../environments/address-binding';
import type { EnvironmentsService } from '../environments/create-environments-service';
import type { HistoryService } from '../history/create-history-service';
import type { SandboxService } from '../sandbox/create-sandbox-service';
import type { KeySource } from '../signing/key-source';
import type { TokensService } from '../tokens/create-tokens-service';
import { listSecretsThere } from '../tokens/list-secrets-there';
import type { VaultService } from '../vault/create-vault-service';
import type { LensServiceDeps } from './create-lens-service';
import { recordProxied } from './record-proxied';

/** As many as the sandbox's log and deliveries go back, and some. */
const MOST_OWN = 5000;

interface Sources {
  given: Given;
  environments: Pick<EnvironmentsService, 'active' | 'list' | 'connect' | 'requireBound'>;
  history: Pick<HistoryService, 'nextId' | 'finish' | 'store'>;
  keys: KeySource;
  /** Asked late: none is needed before a proxy starts. */
  need(name: 'sandbox'): Promise<SandboxService>;
  need(name: 'vault'): Promise<VaultService>;
  need(name: 'tokens'): Promise<Pick<TokensService, 'listKnownSecrets'>>;
}

type LensSources = Omit<LensServiceDeps, 'ports' | 'events'>;

/** Where the lens on the user's backend gets keys, secrets and addresses from, and where it puts payments. */
export function createLensSources({ given, environments, history, keys, need }: Sources): LensSources {
  const listOf = (target: URL) =>
    environments.list().filter(({ baseUrl }) => isAddressOf(target.href, baseUrl));
  /** Null: it is the sandbox's address, and the sandbox does not run. */
  const listSandboxKeys = async (target: URL): Promise<string[] | null> => {
    if (!listOf(target).some(({ id }) => id === localEnvironmentId)) return [];
    const sandbox = await need('sandbox');
    if (sandbox.status().state !== 'running') return null;
    const { publicKeys } = await sandbox.handlers['sandbox.state']({ limit: 1 });
    return publicKeys.map(({ pem }) => pem);
  };

  return {
    usualTarget: () => environments.list().find(({ id }) => id === localEnvironmentId)?.baseUrl ?? '',
    async listKeys(target) {
      const registered = await listSandboxKeys(target);
      if (registered === null || registered.length > 0) return registered;
      const all = await keys.listPublicKeys();
      const ids = new Set<string | null>(listOf(target).map(({ id }) => id));
      const bound = all.filter(({ environment }) => ids.has(environment));
      return (bound.length > 0 ? bound : all).map(({ publicKeyPem }) => publicKeyPem);
    },
    listSecrets: async (target) =>
      listSecretsThere(target, { given, environments, tokens: await need('tokens') }),
    async findWay(target) {
      const named = listOf(target).find(
        ({ setup: { ca, clientCertificate, proxyUrl } }) => `${ca}${clientCertificate}${proxyUrl}` !== '',
      );
      if (named === undefined) return null;
      const connection = await environments.connect(await environments.requireBound(named.id), target.href);
      return connection === null ? null : { environment: named.name, connection };
    },
    async listOwn() {
      const own = history.store.listOwnLocal(MOST_OWN);
      const vault = await need('vault');
      const credentials = await vault.getCredentials(localEnvironmentId).catch(() => null);
      return {
        requestIds: own.flatMap(({ requestId }) => requestId ?? []),
        references: own.flatMap(({ reference }) => reference ?? []),
        consumerKey: credentials?.consumerKey ?? null,
      };
    },
    record: (payments) => recordProxied({ environments, history }, payments),
  };
}
