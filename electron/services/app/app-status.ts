import type { z } from 'zod';
import type { AppStatus } from '@shared/contract/app';
import type { EventBus } from '@shared/contract/events';
import type { listenerStatus } from '@shared/contract/inbox';
import { coalesce } from '../../platform/coalesce';
import type { Ports } from '../../platform/ports';
import type { EnvironmentsService } from '../environments/create-environments-service';
import type { SandboxService } from '../sandbox/create-sandbox-service';
import type { VaultService } from '../vault/create-vault-service';

export interface AppStatusDeps {
  ports: Pick<Ports, 'host' | 'version' | 'dataDirectory' | 'logger'>;
  events: EventBus;
  environments: EnvironmentsService;
  sandbox: SandboxService;
  listener(): z.output<typeof listenerStatus>;
  unreadCount(): number;
  vault: VaultService;
}

/** Changes that come together are told together. */
const gatherMs = 40;

/**
 * Reads what the status bar shows, and tells each change of it as `app.statusChanged`.
 *
 * @returns `read` for the contract, `close` to stop telling
 */
export function createAppStatus(deps: AppStatusDeps): { read(): Promise<AppStatus>; close(): void } {
  const { ports, events } = deps;
  let lastTold = '';

  const read = async (): Promise<AppStatus> => {
    const environment = await deps.environments.describe(deps.environments.active().id);
    return {
      host: ports.host,
      version: ports.version,
      platform: process.platform,
      dataDirectory: ports.dataDirectory ?? '',
      environment,
      sandbox: deps.sandbox.status(),
      listener: deps.listener(),
      vault: await deps.vault.status(),
      unreadCount: deps.unreadCount(),
    };
  };
  const tell = async (): Promise<void> => {
    const status = await read();
    const text = JSON.stringify(status);
    if (text === lastTold) return;
    lastTold = text;
    events.emit('app.statusChanged', status);
  };
  const notice = coalesce(
    () =>
      void tell().catch((error: unknown) =>
        ports.logger.log('warn', 'status.unreadable', { message: String(error) }),
      ),
    { delayMs: gatherMs },
  );
  const changed = notice.ask;
  const stops = [
    events.subscribe('vault.changed', changed),
    events.subscribe('environments.changed', changed),
    events.subscribe('inbox.changed', changed),
    events.subscribe('inbox.received', changed),
    events.subscribe('listener.changed', changed),
    events.subscribe('sandbox.changed', ({ reason }) => {
      if (reason === 'status') changed();
    }),
  ];
  return {
    read,
    close() {
      notice.cancel();
      for (const stop of stops) stop();
    },
  };
}
