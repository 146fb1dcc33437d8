import { create } from 'zustand';
import { call } from '../transport/client';
import { navigate } from './routes';

/** What one view gives another to start from. */
export interface LabHandover {
  body: string;
  signature: string;
  /** Vault key whose public half to check against, where it is known. */
  keyId?: string;
  publicKeyPem?: string;
  /** Of the key that signed, where its id is not at hand; a key that is gone from the vault is left out. */
  keyFingerprint?: string | null;
  /** Where it comes from, in words: '401 of 10:04:11'. */
  origin?: string;
}

/** Filled by {@link handOverToLab}; the lab takes it with {@link takeLabHandover} when it is shown. */
export const useLabHandover = create<{ handover: LabHandover | null }>(() => ({ handover: null }));

/** Opens the signature lab with its inputs filled in. */
export function handOverToLab(handover: LabHandover): void {
  void fillIn(handover);
}

async function fillIn(handover: LabHandover): Promise<void> {
  const { keyFingerprint, ...known } = handover;
  const keyId = known.keyId ?? (keyFingerprint ? await findKey(keyFingerprint) : undefined);
  useLabHandover.setState({ handover: { ...known, ...(keyId ? { keyId } : {}) } });
  navigate('lab');
}

async function findKey(fingerprint: string): Promise<string | undefined> {
  try {
    const { keys } = await call('keys.list');
    return keys.find((key) => key.fingerprint === fingerprint)?.id;
  } catch {
    // The lab says why the vault's keys cannot be listed, and takes a public key as text.
    return undefined;
  }
}

/** Gives what was handed over, once. */
export function takeLabHandover(): LabHandover | null {
  const { handover } = useLabHandover.getState();
  if (handover) useLabHandover.setState({ handover: null });
  return handover;
}
