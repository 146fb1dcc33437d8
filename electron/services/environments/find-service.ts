import type { EnvironmentRecord } from '@shared/contract/environments';
import { readAddress } from './address-binding';

/**
 * Finds which service an environment asks: a reference is one payment only within one.
 *
 * @returns the origin of its address; null where it has none, or is gone
 */
export function findService(
  id: string,
  known: readonly Pick<EnvironmentRecord, 'id' | 'baseUrl'>[],
): string | null {
  const address = readAddress(known.find((one) => one.id === id)?.baseUrl ?? '');
  return address === '' ? null : address;
}
