import type { SandboxFaults, SandboxSettings } from '@shared/contract/sandbox';
import type { ReceivedRequest } from './requests/received-request';
import type { DeliveryState } from './webhooks/webhook-store';
import type { StoredRequest } from './requests/stored-request';

/** What a sandbox is started with. All but the functions is plain data: it crosses into a worker thread. */
export interface SandboxOptions {
  /** 0: any free port. Default 4010. */
  port?: number;
  /** Address to listen on; left out: 127.0.0.1. */
  host?: string;
  /** Others than this machine reach it: its own loopback is then nobody's callback host. */
  isExposed?: boolean;
  /** Certificate and private key, PEM; left out: plain HTTP. */
  tls?: { key: string; cert: string } | null;
  /** How many ports after it will do where it is taken; left out: none. */
  alternatives?: number;
  /** Folder of `sandbox.db`; left out: everything is kept in memory. */
  dataDirectory?: string;
  /** SPKI PEMs, added to those that the store has. */
  publicKeys?: readonly string[];
  /** Left out: made at the first start and kept in the store. */
  consumerKey?: string;
  consumerSecret?: string;
  /** Seals what the store keeps secret: 32 bytes, Base64, from the vault. Left out: it is kept as it is. */
  storeKey?: string;
  /** Left out: made anew at each start. */
  adminToken?: string;
  /** Makes UUIDs, references and fault draws repeatable. */
  seed?: string | number;
  settings?: Partial<SandboxSettings>;
  faults?: Partial<SandboxFaults>;
  /** Called, at most ten times a second, when something that the views show has changed. */
  onChange?(reason: string): void;
  /** Its store was damaged: what was saved and lost. */
  onRescued?(message: string): void;
  /** Its store turned out to be damaged while in use: only a new start saves what can be read. */
  onDamage?(): void;
  /** One of those who share it is not served, and why. */
  onTrouble?(message: string): void;
  /** Whose it is, where it is one of several that share a sandbox. */
  tenant?: string | null;
  /** Each request with its answer, secrets masked, and whose it was; null: the operator's. */
  onRequest?(request: StoredRequest, tenant: string | null): void;
  /** Each request as it is answered: for counting, and nothing that takes time. */
  onAnswer?(request: ReceivedRequest): void;
  /** Each attempt at a webhook, with what its delivery is after it. */
  onAttempt?(state: DeliveryState): void;
}

export const DEFAULT_PORT = 4010;

export const defaultSettings: SandboxSettings = {
  settleMs: 1500,
  rateLimit: 0,
  retries: 'standard',
  acceptanceForm: '200.100',
  badRequestForm: 'envelope',
  pathForm: 'both',
  allowedCallbackHosts: [],
  webhookSigning: false,
};

export const noFaults: SandboxFaults = { latencyMs: 0, errorRate: 0, dropRate: 0, slowBodyMs: 0 };
