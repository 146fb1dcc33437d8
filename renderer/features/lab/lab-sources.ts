import { takeLabHandover } from '../../session/handover';
import { call } from '../../transport/client';
import { toClientError } from '../../transport/client-error';
import type { GetLab, LabKey, SetLab } from './lab-state';

/** Fills the inputs with what another view handed over, and asks the doctor. */
export function takeHandover(set: SetLab, get: GetLab): void {
  const handover = takeLabHandover();
  if (!handover) return;
  const { body, signature, keyId, publicKeyPem, origin } = handover;
  const known = get().keys.find((one) => one.publicKeyPem.trim() === publicKeyPem?.trim());
  const vaultId = keyId ?? known?.id;
  const key: LabKey = vaultId ? { kind: 'vault', id: vaultId } : publicKeyPem ? { kind: 'pem' } : get().key;
  set({
    body,
    signature,
    key,
    publicKeyPem: publicKeyPem ?? get().publicKeyPem,
    claimedString: '',
    origin: origin ?? null,
    result: null,
    error: null,
    phase: 'idle',
  });
  void get().diagnose();
}

/** Reads the vault's keys, and chooses the environment's own where none was chosen. */
export async function loadKeys(set: SetLab, get: GetLab): Promise<void> {
  try {
    const [{ keys }, status] = await Promise.all([call('keys.list'), call('app.status')]);
    set({ keys, keysError: null });
    const { key, publicKeyPem } = get();
    const same = keys.find((one) => one.publicKeyPem.trim() === publicKeyPem.trim());
    if (key.kind === 'pem' && same) set({ key: { kind: 'vault', id: same.id } });
    if (key.kind !== 'vault' || keys.some((one) => one.id === key.id)) return;
    const own = keys.find((one) => one.environment === status.environment.id) ?? keys[0];
    set({ key: own ? { kind: 'vault', id: own.id } : { kind: 'pem' } });
    if (get().phase === 'idle') void get().diagnose();
  } catch (error) {
    set({ keysError: toClientError(error) });
  }
}
