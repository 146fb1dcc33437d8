import type { AppLink } from '@shared/links/parse-link';
import type { KeyObject } from 'node:crypto';
import type { EnvironmentRecord } from '@shared/contract/environments';
import type { KnownEnvironment } from '@shared/http-file/find-production';
import type Database from 'libsql';

/** Wall clock and monotonic clock. Tests pass their own. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds that never go back; for durations. */
  monotonicMs(): number;
}

export interface Random {
  bytes(count: number): Uint8Array;
  uuid(): string;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Structured log. Values that look like key material, tokens or secrets are cut before they are written. */
export interface Logger {
  log(level: LogLevel, event: string, fields?: Record<string, unknown>): void;
}

export type SqlDatabase = Database.Database;
export type SqlStatement = Database.Statement<unknown[]>;

/** Seals the vault's master key. `boxId` and `keyId` go into every sealed value: wrong key and damage are told apart. */
export interface SecretBox {
  readonly kind: 'os_keychain' | 'passphrase' | 'key_file' | 'memory';
  /** A standing warning for the user; null when the box is as safe as the machine allows. */
  readonly warning: string | null;
  seal(plain: Uint8Array): Promise<Uint8Array>;
  /** @throws {AppError} `vault.wrong_key` or `vault.damaged` */
  open(sealed: Uint8Array): Promise<Uint8Array>;
}

/** How a server is reached, where its environment says more than an address. */
export interface HttpConnection {
  /** Asked for a tunnel; an empty user: it asks for none. */
  readonly proxy: { readonly url: string; readonly user: string; readonly password: string } | null;
  /** Issuers whose certificates count beside the usual ones, as PEM; empty: none. */
  readonly ca: string;
  /** What this side proves itself with, as PEM; an empty passphrase: the key has none. */
  readonly clientCertificate: {
    readonly certificate: string;
    readonly key: string;
    readonly passphrase: string;
  } | null;
}

/**
 * What a call leaves behind, for what is said where its answer never came. `webhook`: it goes to a backend of the user's own, which
 * no environment knows; on this machine that may show a certificate of its own making. `state`: nothing, and it goes there, too.
 */
export type Aftermath = 'payment' | 'webhook' | 'state' | 'none';

/** One HTTP call, already resolved. Bytes go out exactly as given. */
export interface HttpCall {
  method: string;
  url: string;
  headers: readonly (readonly [string, string])[];
  body: Uint8Array | null;
  timeoutMs: number;
  /** What was received is sent on: header texts are bytes, one a character, and so is the path with its query, where there is one. */
  received?: { readonly target: string | null };
  /** What it leaves where nobody knows whether it was acted on: a payment perhaps, or nothing; left out: not known either. */
  aftermath?: Aftermath;
  /** Twice is as good as once, though its method does not say so: one that is read by POST. GET and HEAD need no word. */
  isRepeatable?: boolean;
  /** Answers longer than this are cut; `isCut` tells. */
  maxResponseBytes?: number;
  signal?: AbortSignal;
  /** The environment that it is sent for, as it was found bound: `createRoutedHttp` finds `connection` by it. */
  environment?: Pick<EnvironmentRecord, 'id' | 'name' | 'label' | 'baseUrl' | 'setup'>;
  /** Left out or null: straight to the server. */
  connection?: HttpConnection | null;
  /** Left out: nothing of it is kept. */
  trace?: {
    /** So many bytes are kept each way. */
    mostBytes: number;
    /** Told once, when the call has ended, however it ended. */
    onEnd(trace: HttpTrace): void;
  };
  /** Told how long it took where no whole answer came: null for what did not end, or never began. */
  onFailure?(timings: HttpAnswer['timings']): void;
}

/** How a call went over the wire: with its secrets, never to be kept or shown as it is. */
export interface HttpTrace {
  /** Where the connection went (`203.0.113.7:443`); null: there was none. */
  address: string | null;
  /** It is the proxy's: where that went on to, nobody here knows. */
  isProxied: boolean;
  isReused: boolean;
  /** Of the answer; null: none came. */
  httpVersion: string | null;
  tls: TlsFacts | null;
  sent: WireBytes;
  received: WireBytes;
}

/** The first bytes that went one way, before encryption, and how many went in all. */
export interface WireBytes {
  bytes: Uint8Array;
  sizeBytes: number;
}

export interface TlsFacts {
  protocol: string;
  cipher: string;
  /** The server's own certificate first. */
  chain: {
    subject: string;
    issuer: string;
    /** Epoch milliseconds. */
    validFrom: number;
    validTo: number;
    /** Other names it holds for, as written in it. */
    names: string;
    /** SHA-256, hex with colons. */
    fingerprint: string;
  }[];
}

export interface HttpAnswer {
  httpStatus: number;
  headers: [string, string][];
  body: Uint8Array;
  isCut: boolean;
  /** Milliseconds, to a microsecond; null for a phase that did not happen (a reused connection). */
  timings: {
    queueMs: number | null;
    dnsMs: number | null;
    /** To an open connection, without what TLS took. */
    connectMs: number | null;
    tlsMs: number | null;
    firstByteMs: number | null;
    downloadMs: number | null;
    totalMs: number;
  };
}

/** Sends one request. @throws {AppError} `sending.unreachable`, `.timeout`, `.tls`, `.dns`, `.canceled`, `.bad_url` */
export type HttpClient = (call: HttpCall) => Promise<HttpAnswer>;

/** Functions that a worker answers; and what it sends by itself, by name. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any function of one argument fits
export type WorkerMethods = Record<string, (input: any) => unknown>;
export type WorkerEvents = Record<string, unknown>;

/** A running worker thread that answers calls; see `worker-rpc`. */
export interface WorkerHandle<
  Methods extends WorkerMethods = WorkerMethods,
  Events extends WorkerEvents = WorkerEvents,
> {
  call<M extends keyof Methods & string>(
    method: M,
    ...input: Parameters<Methods[M]>
  ): Promise<Awaited<ReturnType<Methods[M]>>>;
  onEvent<E extends keyof Events & string>(name: E, listener: (payload: Events[E]) => void): void;
  /** Told once when it has ended, whoever ended it. */
  onExit(listener: (error: Error | null) => void): void;
  terminate(): Promise<void>;
}

export type WorkerName = 'sandbox' | 'listener' | 'doctor' | 'proxy' | 'inspector' | 'imports' | 'answers';

/** What a run was given besides a data directory: the options and variables of a command line, of CI. */
export interface Given {
  /** `COUNTERSIGN_TOKEN`: used as it is, for every product. */
  readonly token: string | null;
  /** `COUNTERSIGN_CONSUMER_KEY` and `COUNTERSIGN_CONSUMER_SECRET`: go before those of the vault. */
  readonly credentials: { readonly consumerKey: string; readonly consumerSecret: string } | null;
  /** The key of `--key`: signs for any environment. */
  readonly signingKey: GivenKey | null;
  /** The environment of `--base-url`, for this run alone. */
  readonly environment: { readonly name: string; readonly baseUrl: string } | null;
  /** Folder whose `http-client.env.json` counts; null: those of the open collections. */
  readonly collectionDirectory: string | null;
  /** Webhook secrets of `--secret` and `COUNTERSIGN_WEBHOOK_SECRET`: go before those that are kept. */
  readonly webhookKeys: readonly string[];
  /** Address of `--store`: a team's inbox in the place of the local one; null: none. */
  readonly inboxStore: string | null;
  /** Null: as the settings say. */
  readonly requestTimeoutMs: number | null;
}

export interface GivenKey {
  readonly fingerprint: string;
  readonly publicKeyPem: string;
  readonly privateKey: KeyObject;
}

/** What a service may need from outside of it; each names its part. `createServices` hands them out. */
export interface Ports {
  readonly host: 'electron' | 'web' | 'cli';
  readonly version: string;
  /** Absolute; it exists. Null: a run that keeps nothing, neither settings nor history, and has an empty vault. */
  readonly dataDirectory: string | null;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** What the host's operating system offers for sealing; null: none, the vault falls back (design 4.3). */
  readonly osKeychain: SecretBox | null;
  /** Settings store: electron-store in the desktop app, conf elsewhere. */
  readonly settings: SettingsStore;
  readonly http: HttpClient;
  readonly given: Given;
  startWorker<Methods extends WorkerMethods, Events extends WorkerEvents>(
    name: WorkerName,
    options: Record<string, unknown>,
  ): WorkerHandle<Methods, Events>;
  /** Says at once what was found damaged and how it was mended; left out where the app shows it. */
  onNotice?: ((notice: string) => void) | undefined;
  /**
   * What is production beside the environments of this data directory; left out: nobody else knows of any.
   *
   * @param notify - told once of each reason why that cannot be known
   */
  listOwnProduction?:
    | ((notify: (notice: string) => void) => Promise<readonly KnownEnvironment[]>)
    | undefined;
  /** Opens an address in the user's browser; left out where the host has no way to, or the page itself can. */
  openExternal?(url: string): Promise<void>;
  /** Asks for a folder with the system's dialog; null: none was chosen. Left out where there is no such dialog. */
  chooseFolder?(): Promise<string | null>;
  /** Shows a file or folder in the system's file manager. */
  revealPath?(path: string): void;
  /** Takes the link or file that the desktop handed over first; null: none waits. */
  takeLink?(): AppLink | null;
  /** Makes what can be done now available in the menu bar. */
  showActions?(ids: readonly string[]): void;
  /** Brings the window to the front. */
  comeToFront?(): void;
}

/** What a host passes to `createServices`: the settings are opened by the first service that reads one. */
export type HostPorts = Omit<Ports, 'settings'> & { openSettings(): Promise<SettingsStore> };

export type ChangeSettings = (settings: Record<string, unknown>) => Record<string, unknown>;

/** Small key-value store for settings; writes are atomic. */
export interface SettingsStore {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
  /** Runs reads and writes that belong together while no other process writes. Left out: there is no other. */
  exclusively?<T>(run: () => T): T;
  /**
   * Keeps a copy of the settings before they are brought up to date, as `change` gives it; one that is there already
   * stays.
   */
  backUp?(label: string, change: ChangeSettings): void;
  /** Changes every copy that {@link backUp} made. One that cannot be read stays as it is. */
  changeBackUps?(change: ChangeSettings): void;
  /** What the user must hear: settings that could not be read were put aside. Null: nothing to say. */
  readonly notice?: string | null;
}
