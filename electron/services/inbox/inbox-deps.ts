import type { EventBus } from '@shared/contract/events';
import type { Ports } from '../../platform/ports';
import type { HistoryService } from '../history/create-history-service';

/** What the inbox needs of the rest of the app. */
export interface InboxDeps {
  ports: Pick<Ports, 'startWorker' | 'settings' | 'logger' | 'dataDirectory' | 'http' | 'clock' | 'random'>;
  events: EventBus;
  history: { store: Pick<HistoryService['store'], 'findAnswered'> };
  /** What seals the private key of an address that speaks HTTPS; null: nothing can. */
  readSealingKey(): Promise<string | null>;
  /** What signatures are verified with, and replays signed with. @throws {AppError} `signing.bad_webhook_key` */
  readWebhookKeys(): Promise<readonly string[]>;
  /** Told where senders are to send, each time that changes: the tunnel's address, else the main one. */
  onAddress?(url: string | null, isTunnel: boolean): void;
  /** The inbox was damaged: what was saved and lost. */
  onRescued?(message: string): void;
}
