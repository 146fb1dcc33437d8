import type { HandlersOf } from '@shared/contract/contract';
import type { EventBus } from '@shared/contract/events';
import type { Ports } from '../../platform/ports';
import type { EnvironmentsService } from '../environments/create-environments-service';
import type { HistoryService } from '../history/create-history-service';
import type { InboxService } from '../inbox/create-inbox-service';
import type { SandboxService } from '../sandbox/create-sandbox-service';
import type { VaultService } from '../vault/create-vault-service';
import { createAppStatus } from './app-status';
import { createExternalPages } from './open-external';

export interface AppDeps {
  ports: Pick<
    Ports,
    | 'host'
    | 'version'
    | 'dataDirectory'
    | 'logger'
    | 'openExternal'
    | 'takeLink'
    | 'showActions'
    | 'comeToFront'
  >;
  events: EventBus;
  environments: EnvironmentsService;
  sandbox: SandboxService;
  vault: VaultService;
  inbox: Pick<InboxService, 'status' | 'unreadCount'>;
  history: Pick<HistoryService['store'], 'hasCheckoutUrl'>;
}

export interface AppService {
  readonly handlers: HandlersOf<'app'>;
  close(): void;
}

/** Makes what the shell of the app asks for: its status bar, and pages outside of it. */
export function createAppService({ inbox, history, ...deps }: AppDeps): AppService {
  const { ports, sandbox } = deps;
  const status = createAppStatus({
    ...deps,
    listener: () => inbox.status(),
    unreadCount: () => countUnread(inbox, ports),
  });
  const pages = createExternalPages({
    ports,
    sandboxUrl: () => sandbox.status().baseUrl,
    hasCheckoutUrl: (url) => history.hasCheckoutUrl(url),
  });
  return {
    handlers: {
      'app.status': () => status.read(),
      'app.takeLink': () => ({ link: ports.takeLink?.() ?? null }),
      'app.showActions': ({ ids }) => {
        ports.showActions?.(ids);
        return {};
      },
      'app.comeToFront': () => {
        ports.comeToFront?.();
        return {};
      },
      ...pages.handlers,
    },
    close: status.close,
  };
}

/** An inbox that cannot be opened says so in the listener's state and in its own list; the rest of the status stands. */
function countUnread(inbox: { unreadCount(): number }, { logger }: Pick<Ports, 'logger'>): number {
  try {
    return inbox.unreadCount();
  } catch (error) {
    logger.log('warn', 'inbox.not_counted', { error: String(error) });
    return 0;
  }
}
