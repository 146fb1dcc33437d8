import type { EventBus } from '@shared/contract/events';
import type { KnownEnvironment } from '@shared/http-file/find-production';
import type { PaymentState } from '@shared/payments/tables/states';
import type { Retention } from '../../listener/inbox-indexer';
import type { Ports } from '../../platform/ports';
import type { LongWork } from '../../platform/workers/long-work';
import type { ExplainWork } from './explain-signature';
import type { ExportWork } from './export-webhooks';
import type { ReplayWork } from './replay-webhook';
import type { RulesWork } from './try-rules';
import type { InboxSource } from './inbox-source';
import type { SentTo } from '../environments/find-service';
import type { HistoryService } from '../history/create-history-service';

/** What the inbox needs of the rest of the app. */
export interface InboxDeps {
  ports: Pick<
    Ports,
    | 'version'
    | 'startWorker'
    | 'settings'
    | 'logger'
    | 'dataDirectory'
    | 'http'
    | 'clock'
    | 'random'
    | 'given'
  >;
  /** Left out: this thread does all of it. */
  longWork?: LongWork<ReplayWork & RulesWork & ExportWork & ExplainWork>;
  events: EventBus;
  history: { store: Pick<HistoryService['store'], 'findAnswered' | 'listOfPayment'> };
  /** States that webhooks of an environment report beside those that are known everywhere. */
  readWebhookStates(environment: string): Readonly<Record<string, PaymentState>>;
  /** The service that something was sent to, by its origin; null: not known. */
  readService(sent: SentTo): string | null;
  /** All that is production: no payment that came here is sent there from here. */
  listProduction(): Promise<readonly KnownEnvironment[]>;
  /** What seals the private key of an address that speaks HTTPS; null: nothing can. */
  readSealingKey(): Promise<string | null>;
  /** What signatures are verified with, and replays signed with. @throws {AppError} `signing.bad_webhook_key` */
  readWebhookKeys(): Promise<readonly string[]>;
  /** A team's inbox; `local`: the one that the run was given in the place of the local one. */
  findTeam(store: string): Promise<InboxSource>;
  /** How much is kept; asked again when settings change. */
  readRetention(): Retention;
  /** Told where senders are to send, each time that changes: the tunnel's address, else the main one. */
  onAddress?(url: string | null, isTunnel: boolean): void;
  /** The inbox was damaged: what was saved and lost. */
  onRescued?(message: string): void;
}
