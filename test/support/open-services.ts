import { prepareDataDirectory } from '../../electron/platform/files/data-directory';
import { createNodePorts } from '../../electron/platform/node-ports';
import { createEventBus } from '../../electron/platform/event-bus';
import { createServices, type Services } from '../../electron/services/create-services';
import { createVaultService, type VaultService } from '../../electron/services/vault/create-vault-service';

/** The services of a data directory in this process, from source; nothing is started, and there are no workers. */
export function openServices(dataDirectory: string): Services {
  return createServices(
    createNodePorts({ host: 'web', dataDirectory: prepareDataDirectory(dataDirectory), version: '0.0.0' }),
  );
}

/** The vault of a data directory alone, for what no method of the contract does. */
export function openVault(dataDirectory: string, passphrase: string | null = null): VaultService {
  const ports = createNodePorts({ host: 'cli', dataDirectory, version: '0.0.0' });
  return createVaultService({ ports, events: createEventBus(), passphrase });
}
