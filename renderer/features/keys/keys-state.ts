import type { Environment } from '@shared/contract/environments';
import type { MethodInput, MethodOutput } from '@shared/contract/contract';
import type { KeySummary, VaultStatus } from '@shared/contract/vault';
import type { Product } from '@shared/payments/tables/products';
import type { ClientError } from '../../transport/client-error';
import type { TokenSummary } from './keys-selectors';

type Credentials = MethodOutput<'credentials.list'>['credentials'][number];

/** Each throws a ClientError, which the form that asked shows beside its fields. */
export interface KeyActions {
  generate(input: MethodInput<'keys.generate'>): Promise<KeySummary>;
  importKey(input: MethodInput<'keys.import'>): Promise<KeySummary>;
  inspect(text: string, passphrase?: string): Promise<MethodOutput<'keys.inspect'>>;
  updateKey(input: MethodInput<'keys.update'>): Promise<void>;
  deleteKey(id: string): Promise<void>;
  checkPair(id: string, publicKeyText: string): Promise<MethodOutput<'keys.checkPair'>>;
  /** The private key under a passphrase; the caller saves it and keeps nothing. */
  exportPrivate(input: MethodInput<'keys.exportPrivate'>): Promise<string>;
}

/** Each throws a ClientError, which the place that asked shows. */
export interface TokenActions {
  fetchToken(environment: string, product: Product, isForced: boolean): Promise<void>;
  forgetToken(environment: string, product: Product): Promise<void>;
  /** Shows the whole token and hides it again by itself. */
  revealToken(environment: string, product: Product): Promise<void>;
  hideToken(): void;
  saveCredentials(input: MethodInput<'credentials.save'>): Promise<void>;
  /** @param product - those for it alone; null: those for all products */
  deleteCredentials(environment: string, product: Product | null): Promise<void>;
}

/** Each throws a ClientError, which the form that asked shows. */
export interface VaultActions {
  unlock(passphrase: string): Promise<void>;
  lock(): Promise<void>;
  setPassphrase(current: string | null, next: string): Promise<void>;
}

export type KeysSection =
  | { kind: 'key'; id: string }
  | { kind: 'token'; environment: string; product: Product }
  | { kind: 'credentials'; environment: string }
  | { kind: 'inspect' }
  | { kind: 'vault' };

export interface KeysState extends KeyActions, TokenActions, VaultActions {
  phase: 'idle' | 'loading' | 'ready' | 'failed';
  error: ClientError | null;
  vault: VaultStatus | null;
  keys: KeySummary[];
  credentials: Credentials[];
  tokens: TokenSummary[];
  environments: Environment[];
  selected: KeysSection | null;
  /** What the last import had to mend, shown beside the key. */
  repairs: { keyId: string; list: string[] } | null;
  /** A whole token on show, until it is hidden again. */
  revealed: { environment: string; product: Product; token: string; hideAt: number } | null;
  start(): () => void;
  load(): Promise<void>;
  choose(section: KeysSection): void;
}

export type SetKeys = (change: Partial<KeysState> | ((state: KeysState) => Partial<KeysState>)) => void;

export type GetKeys = () => KeysState;
