import type { Exchange } from '@shared/contract/sending';
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
  /** Keys of which one may have signed, PEM: the one that verifies is filled in, else the first. */
  publicKeyPems?: readonly string[];
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

/** Gives what opens the lab with the signature that an exchange was sent with; null where it has none. */
export function explainerOf({ request, response, sentAt }: Exchange): (() => void) | null {
  const { body, signature, keyFingerprint } = request;
  if (body === null || signature === null) return null;
  const origin = `${response?.httpStatus ?? 'no answer'} of ${new Date(sentAt).toTimeString().slice(0, 8)}`;
  return () => handOverToLab({ body, signature, keyFingerprint, origin });
}

async function fillIn(handover: LabHandover): Promise<void> {
  const { keyFingerprint, publicKeyPems, ...known } = handover;
  const keyId = known.keyId ?? (keyFingerprint ? await findKey(keyFingerprint) : undefined);
  const publicKeyPem = known.publicKeyPem ?? (publicKeyPems && (await findSigner(known, publicKeyPems)));
  useLabHandover.setState({
    handover: { ...known, ...(keyId && { keyId }), ...(publicKeyPem && { publicKeyPem }) },
  });
  navigate('lab');
}

async function findSigner(
  { body, signature }: LabHandover,
  publicKeyPems: readonly string[],
): Promise<string | undefined> {
  for (const publicKeyPem of publicKeyPems) {
    try {
      const { valid } = await call('signing.verify', { body, signature, publicKeyPem });
      if (valid) return publicKeyPem;
    } catch {
      // What cannot be verified with this key is for the lab to say.
    }
  }
  return publicKeyPems[0];
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
