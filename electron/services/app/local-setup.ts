import type { EventBus } from '@shared/contract/events';
import { localEnvironmentId } from '@shared/contract/environment-id';
import { AppError } from '@shared/errors';
import type { Ports } from '../../platform/ports';
import type { SandboxService } from '../sandbox/create-sandbox-service';
import type { VaultService } from '../vault/create-vault-service';

export interface LocalSetupDeps {
  ports: Pick<Ports, 'random' | 'logger'>;
  events: EventBus;
  vault: VaultService;
  /** Asked late: the sandbox is made with what this one gives. */
  sandbox(): Promise<SandboxService>;
}

/** The sandbox of this machine with its own key and credentials: there before the user asks for anything. */
export interface LocalSetup {
  /** Makes what is missing and starts the sandbox; failures stand in the sandbox's status, never end the app. */
  start(): Promise<void>;
  /** Consumer credentials of the local sandbox, made at the first start. */
  readCredentials(): Promise<{ consumerKey: string; consumerSecret: string }>;
  listPublicKeys(): Promise<string[]>;
  close(): void;
}

/**
 * Prepares the local sandbox: an RSA-2048 pair, its registration, consumer credentials.
 *
 * While the vault is locked nothing can be made; everything follows once it is unlocked. A key that is bound
 * to the local environment later is registered at once; one that was taken off the sandbox's list meanwhile stays off it.
 */
export function createLocalSetup(deps: LocalSetupDeps): LocalSetup {
  const { ports, vault, events } = deps;
  let underWay: Promise<void> | null = null;
  let isClosed = false;
  /** Public keys that were bound to the local environment at the last look. */
  let bound: readonly string[] = [];

  const listPublicKeys = async (): Promise<string[]> => {
    const keys = await vault.listPublicKeys();
    return keys.filter((key) => key.environment === localEnvironmentId).map((key) => key.publicKeyPem);
  };

  const ensureKey = async (): Promise<void> => {
    const keys = await vault.listPublicKeys();
    if (keys.some((key) => key.environment === localEnvironmentId)) return;
    await vault.generateKey({ name: 'Local sandbox', bits: 2048, environment: localEnvironmentId });
  };

  const readCredentials = async (): Promise<{ consumerKey: string; consumerSecret: string }> => {
    const known = await vault.getCredentials(localEnvironmentId);
    if (known !== null) return known;
    const made = {
      consumerKey: `ck_${toHex(ports.random.bytes(12))}`,
      consumerSecret: `cs_${toHex(ports.random.bytes(24))}`,
    };
    await vault.saveCredentials(localEnvironmentId, made);
    return made;
  };

  const registerNew = async (sandbox: SandboxService): Promise<void> => {
    const now = await listPublicKeys();
    await sandbox.register(now.filter((pem) => !bound.includes(pem)));
    bound = now;
  };

  const startNow = async (): Promise<void> => {
    const sandbox = await deps.sandbox();
    try {
      await ensureKey();
      bound = await listPublicKeys();
      await sandbox.start();
      // What the vault told meanwhile was not listened to.
      await registerNew(sandbox);
    } catch (error) {
      const code = error instanceof AppError ? error.code : 'app.internal';
      ports.logger.log('warn', 'local_setup.incomplete', { code, message: String(error) });
      sandbox.reportFailure(error);
    }
  };
  const start = (): Promise<void> => {
    underWay ??= startNow().finally(() => (underWay = null));
    return underWay;
  };

  const onVaultChange = async (): Promise<void> => {
    // It may have failed for want of what the vault now tells of.
    await underWay;
    if (isClosed) return;
    const sandbox = await deps.sandbox();
    const { state } = sandbox.status();
    const { state: vaultState } = await vault.status();
    if (vaultState !== 'unlocked') return;
    if (state === 'failed') await start();
    else if (state === 'running') await registerNew(sandbox);
    else if (state === 'stopped') bound = await listPublicKeys();
  };
  const unsubscribe = events.subscribe('vault.changed', () => {
    onVaultChange().catch((error: unknown) => {
      ports.logger.log('warn', 'local_setup.not_registered', { message: String(error) });
    });
  });

  return {
    start,
    readCredentials,
    listPublicKeys,
    close() {
      isClosed = true;
      unsubscribe();
    },
  };
}

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
