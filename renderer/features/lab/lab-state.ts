import type { DoctorResult } from '@shared/contract/doctor';
import type { MethodOutput } from '@shared/contract/contract';
import type { SnippetLanguage } from '@shared/signing/snippets/signing-snippets';
import type { ClientError } from '../../transport/client-error';

export type VaultKey = MethodOutput<'keys.list'>['keys'][number];
export type LabKey = { kind: 'vault'; id: string } | { kind: 'pem' };

/** Pause in typing after which the doctor looks again. */
export const settleDelayMs = 350;

export interface LabInputs {
  body: string;
  signature: string;
  key: LabKey;
  publicKeyPem: string;
  claimedString: string;
}

export interface LabState extends LabInputs {
  /** Where the inputs came from ('401 of 10:04:11'); null once they were edited. */
  origin: string | null;
  keys: VaultKey[];
  keysError: ClientError | null;
  phase: 'idle' | 'running' | 'done' | 'failed' | 'canceled';
  progress: { searched: number; stage: string } | null;
  result: DoctorResult | null;
  /** How long the last search was allowed to take; null: as usual. */
  mostMs: number | null;
  /** The body that `result` speaks of; the body on the screen may have moved on. */
  diagnosedBody: string;
  error: ClientError | null;
  /** Language of the code below the verdict, and whether it is the change alone or all of it. */
  language: SnippetLanguage;
  extent: 'change' | 'whole';
  showCode(shown: Partial<Pick<LabState, 'language' | 'extent'>>): void;
  start(): () => void;
  /** Changes inputs; the doctor looks by itself once typing pauses. */
  change(inputs: Partial<LabInputs>): void;
  diagnose(): Promise<void>;
  /** Searches ten times as long as the search that was ended before all was tried. */
  searchOn(): Promise<void>;
  cancel(): Promise<void>;
  clear(): void;
  /** Fills in a signature with a fault that is often made. */
  tryExample(): Promise<void>;
}

export const emptyInputs = { body: '', signature: '', publicKeyPem: '', claimedString: '', origin: null };

/** True where there is nothing to clear: the choice of a key is no input. */
export function isEmpty({ body, signature, publicKeyPem, claimedString }: Omit<LabInputs, 'key'>): boolean {
  return [body, signature, publicKeyPem, claimedString].every((text) => text === '');
}

/** True where there is enough to ask the doctor. */
export function isReady(state: LabInputs): boolean {
  const hasKey = state.key.kind === 'vault' ? state.key.id !== '' : state.publicKeyPem.trim() !== '';
  return state.body.trim() !== '' && state.signature.trim() !== '' && hasKey;
}

export type SetLab = (change: Partial<LabState>) => void;
export type GetLab = () => LabState;
