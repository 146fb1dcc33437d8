import { localEnvironmentId } from '@shared/contract/environment-id';
import type { EnvironmentRecord } from '@shared/contract/environments';
import { readAddress } from './address-binding';

/** Where something was sent. */
export interface SentTo {
  readonly environment: string;
  readonly url: string;
}

/**
 * Finds which service something was sent to: a reference is one payment only within one.
 *
 * The address that it went to counts: its environment may have another one by now, or be gone. The embedded sandbox keeps its
 * payments, whatever port it got.
 *
 * @returns the origin of its address; null where there is none that can be read
 */
export function findService(
  { environment, url }: SentTo,
  known: readonly Pick<EnvironmentRecord, 'id' | 'baseUrl'>[],
): string | null {
  const sandbox = environment === localEnvironmentId ? known.find(({ id }) => id === environment) : undefined;
  return readAddress(sandbox?.baseUrl ?? '') || readAddress(url) || null;
}

/**
 * Finds where the wallets are that something moved, as the addresses of what was sent there begin.
 *
 * @returns null: any address, as the embedded sandbox keeps its wallets, whatever port it got
 */
export function findWalletAddress({ environment, url }: SentTo): string | null {
  const origin = environment === localEnvironmentId ? '' : readAddress(url);
  return origin === '' ? null : `${origin}/`;
}
