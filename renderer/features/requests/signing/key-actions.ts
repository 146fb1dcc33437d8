import type { Environment } from '@shared/contract/environments';
import { createLatest } from '../../../session/create-latest';
import { call } from '../../../transport/client';
import { updateTab, useRequestsStore, type KeyChoice } from '../requests-store';

const begin = createLatest();

/** Lists the vault's keys for the choice of one; where that fails, signing itself says why. */
export async function loadKeys(): Promise<void> {
  const isLast = begin();
  const keys = await call('keys.list').then(
    (listed) => listed.keys,
    () => [],
  );
  if (isLast()) useRequestsStore.setState({ keys });
}

/** What signing and sending are told of the key; a choice made in another environment does not count. */
export function readKeyInput(
  choice: KeyChoice | null,
  environment: Environment,
): { keyId?: string; overrideConfirmation?: string } {
  if (choice?.environment !== environment.id) return {};
  const { keyId, overrideConfirmation } = choice;
  return { keyId, ...(overrideConfirmation === null ? {} : { overrideConfirmation }) };
}

/** Signs a request with this key from now on; null: with the environment's own. */
export function chooseKey(id: string, environment: string, keyId: string | null): void {
  const keyChoice = keyId === null ? null : { environment, keyId, overrideConfirmation: null };
  updateTab(id, { keyChoice, sendError: null });
}

/** Signs with a key of another environment, after the name of this one was typed. */
export function confirmOverride(id: string, choice: KeyChoice): void {
  updateTab(id, { keyChoice: choice, sendError: null });
}

/** Opens the vault. @throws {ClientError} `vault.wrong_passphrase` … */
export async function unlockVault(passphrase: string): Promise<void> {
  await call('vault.unlock', { passphrase });
  for (const { id, sendError } of useRequestsStore.getState().tabs) {
    if (sendError?.code === 'vault.locked') updateTab(id, { sendError: null });
  }
}
