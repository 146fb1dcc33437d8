import { create } from 'zustand';
import { navigate } from './routes';

/** What one view gives another to start from. */
export interface LabHandover {
  body: string;
  signature: string;
  /** Vault key whose public half to check against, where it is known. */
  keyId?: string;
  publicKeyPem?: string;
  /** Where it comes from, in words: '401 of 10:04:11'. */
  origin?: string;
}

/** Filled by {@link handOverToLab}; the lab takes it with {@link takeLabHandover} when it is shown. */
export const useLabHandover = create<{ handover: LabHandover | null }>(() => ({ handover: null }));

/** Opens the signature lab with its inputs filled in. */
export function handOverToLab(handover: LabHandover): void {
  useLabHandover.setState({ handover });
  navigate('lab');
}

/** Gives what was handed over, once. */
export function takeLabHandover(): LabHandover | null {
  const { handover } = useLabHandover.getState();
  if (handover) useLabHandover.setState({ handover: null });
  return handover;
}
