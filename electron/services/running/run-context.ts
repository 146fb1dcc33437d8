import type { MethodOutput } from '@shared/contract/contract';
import type { SendInput } from '@shared/contract/sending';
import type { PathDestination } from '@shared/http-file/path-form';
import type { ResolveInputs } from '@shared/http-file/resolve-request';
import type { PlannedRequest, RunRequest } from '@shared/run/plan-run';
import type { RequestResult } from '@shared/run/run-result';
import type { Product } from '@shared/payments/tables/products';
import type { Ports } from '../../platform/ports';
import type { ReadyRequest } from '../sending/create-sending-service';
import type { Limiter } from './limiter';
import type { ResumeLog } from './resume-log';
import type { WebhookHub } from './webhook-hub';

/** What a turn sent last: `{{last_reference}}` stands for it. */
export interface LastSent {
  readonly reference: string;
  readonly byProduct: Readonly<Partial<Record<Product, string>>>;
}

/** What a run needs of the other services. */
export interface RunDeps {
  readonly ports: Pick<Ports, 'clock' | 'random'>;
  makeReady(input: SendInput): Promise<ReadyRequest>;
  /** What a request proves itself with, as it was typed. */
  listOwnSecrets(request: Pick<SendInput, 'url' | 'headers' | 'body'>): Promise<string[]>;
  lookUp(input: {
    environment: string;
    product: Product;
    by: 'transaction_reference';
    value: string;
  }): Promise<MethodOutput<'lookups.status'>>;
  fetchBalances(input: {
    environment: string;
    product: Product;
    currency: string;
  }): Promise<MethodOutput<'balances.fetch'>>;
  /** Verifies a signature with the public half of the key that signs in an environment. */
  verify(input: {
    environment: string;
    body: string;
    signature: string;
  }): Promise<{ valid: boolean; reason: string }>;
}

/** Where the requests go. */
export interface RunEnvironment {
  readonly id: string;
  /** What the app calls it. */
  readonly label: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Whose path form counts. */
  readonly destination: PathDestination;
  readonly lastReferences?: ResolveInputs['lastReferences'];
  /** Polls may be quicker on this machine than on somebody's service. */
  readonly isLoopback: boolean;
}

/** One line of a table of data. */
export interface DataRow {
  /** From 1, the head not counted. */
  readonly number: number;
  readonly name: string;
  /** By column, as text. */
  readonly values: Readonly<Record<string, string>>;
}

/** The rows of a run: everything runs once for each of them. */
export interface RunRows {
  readonly rowCount: number;
  /** Reads them from their beginning, one after the other. */
  rows(): AsyncIterable<DataRow>;
}

/** What a run is asked for. */
export interface RunOptions {
  readonly requests: readonly PlannedRequest[];
  readonly environment: RunEnvironment;
  /** Values of the call: they go before all others. */
  readonly given: Readonly<Record<string, string>>;
  readonly allowHosts: readonly string[];
  /** Id of the production environment that the user said yes to; left out: none, and nothing goes to one. */
  readonly production?: string | undefined;
  readonly isBail: boolean;
  /** So many questions about waiting requests at once; 1: each request is waited for before the next leaves. */
  readonly jobs: number;
  readonly retries: number;
  readonly iterations: number;
  readonly delayMs: number;
  /** Null: one turn without a row. */
  readonly rows: RunRows | null;
  readonly resume: ResumeLog | null;
  /** Of files in bodies, as the run began: one that is another later is not sent, and ends the run. Left out: none is compared. */
  readonly bodyFiles?: ReadonlyMap<string, string>;
  readonly hub: WebhookHub;
  /** Texts that no report may hold. */
  readonly secrets: readonly string[];
  /** Looks at each address before a request leaves, captured ones included; throws where nothing may go. */
  readonly vet?: (url: string) => void;
  /** Longer answers are not judged by their bodies: others wait for this thread. Left out: whatever is read is judged. */
  readonly mostJudgedBytes?: number;
  /** No more is sent, and nothing waited for. */
  readonly stop: AbortSignal;
  onStarted?(title: string, request: RunRequest): void;
  onResult(result: RequestResult): void;
}

/** What the requests of one turn (an iteration, a row) share. */
export interface RunTurn {
  readonly iteration: number;
  readonly row: DataRow | null;
  /** Values of the row, what was captured so far, and before both the values of the call. */
  readonly values: Record<string, string>;
  /** Values of the call: nothing that comes with the run takes their place. */
  readonly given: Readonly<Record<string, string>>;
  /** Null: nothing yet. */
  lastSent: LastSent | null;
  /** Why a capture of that name got nothing. */
  readonly missed: Map<string, string>;
  /** Texts of this turn that no report may hold: of its row, captured, or of an example. */
  readonly secrets: string[];
  /** Names of captured values that are secret, and who gave them: null for the service of the environment, else that address. */
  readonly secretCaptures: Map<string, { readonly givenBy: string | null }>;
}

/** A payment that was accepted in this run and may still move money. */
export interface OpenPayment {
  readonly product: Product;
  readonly reference: string;
}

/** One run under way. */
export interface RunContext {
  readonly deps: RunDeps;
  readonly options: RunOptions;
  readonly polls: Limiter;
  /** Grows with what the vault gives to a request. */
  readonly secrets: string[];
  readonly openPayments: Map<string, OpenPayment>;
  /** References of earlier payments that were not final when a balance was looked at: what they move counts in it. */
  readonly unsettled: string[];
  /** Names of values that answers, webhooks and sends of the run bring with them. */
  readonly coming: ReadonlySet<string>;
  /** Of each request, where it stands in the run. */
  readonly places: ReadonlyMap<RunRequest, number>;
  /** Of a run with rows: by which request, as `keyOf` names it, a reference was sent. */
  readonly senders: Map<string, string>;
  /** Whose token this run has used. */
  readonly usedProducts: Set<Product>;
  /** Makes a title that no other result of this run has. */
  nameResult(name: string): string;
}
