import { createVaultService } from '../../electron/services/vault/create-vault-service';
import { createEventBus } from '../../electron/platform/event-bus';
import { createFileLogger } from '../../electron/platform/logger';
import { systemClock, systemRandom } from '../../electron/platform/node-ports';

/**
 * A process that writes to a vault: `node vault-writer.js DIRECTORY NAME COUNT`. Saves COUNT credentials named after
 * NAME, says 'saved' after each, and goes on for ever where COUNT is 0.
 */
const [dataDirectory = '', name = '', count = '0'] = process.argv.slice(2);
const vault = createVaultService({
  ports: {
    clock: systemClock,
    random: systemRandom,
    logger: createFileLogger({ dataDirectory, clock: systemClock }),
    dataDirectory,
    osKeychain: null,
    host: 'cli',
  },
  events: createEventBus(),
});
for (let index = 0; count === '0' || index < Number(count); index++) {
  const environment = `${name}-${index}`;
  await vault.saveCredentials(environment, {
    consumerKey: environment,
    consumerSecret: `secret of ${environment}`,
  });
  process.stdout.write(`${environment}\n`);
}
vault.close();
