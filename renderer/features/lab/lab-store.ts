import type { DoctorResult } from '@shared/contract/doctor';
import type { MethodOutput } from '@shared/contract/contract';
import type { SnippetLanguage } from '@shared/signing/snippets/signing-snippets';
import { create } from 'zustand';
import { call, subscribe } from '../../transport/client';
import { toClientError, type ClientError } from '../../transport/client-error';
import { takeLabHandover, useLabHandover } from '../../session/handover';

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
  cancel(): Promise<void>;
  clear(): void;
}

const emptyInputs = { body: '', signature: '', publicKeyPem: '', claimedString: '', origin: null };

/** True where there is enough to ask the doctor. */
export function isReady(state: LabInputs): boolean {
  const hasKey = state.key.kind === 'vault' ? state.key.id !== '' : state.publicKeyPem.trim() !== '';
  return state.body.trim() !== '' && state.signature.trim() !== '' && hasKey;
}

/** The inputs of one diagnosis, how far it is, and its verdict. */
export const useLabStore = create<LabState>()((set, get) => {
  let current: string | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;

  const stopTimer = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
  };
  const abandon = (): void => {
    if (current) void call('doctor.cancel', { diagnosisId: current }).catch(() => undefined);
    current = null;
  };

  const diagnose = async (): Promise<void> => {
    stopTimer();
    abandon();
    const { body, signature, key, publicKeyPem, claimedString } = get();
    if (!isReady(get())) return;
    const diagnosisId = crypto.randomUUID();
    current = diagnosisId;
    set({ phase: 'running', progress: null, error: null });
    try {
      const result = await call('doctor.diagnose', {
        diagnosisId,
        body,
        signature,
        ...(key.kind === 'vault' ? { keyId: key.id } : { publicKeyPem }),
        ...(claimedString === '' ? {} : { claimedString }),
      });
      if (current === diagnosisId) set({ phase: 'done', result, diagnosedBody: body, progress: null });
    } catch (error) {
      if (current === diagnosisId) set({ phase: 'failed', error: toClientError(error), progress: null });
    }
    if (current === diagnosisId) current = null;
  };

  const change = (inputs: Partial<LabInputs>): void => {
    set({ ...inputs, origin: null });
    stopTimer();
    if (isReady(get())) timer = setTimeout(() => void diagnose(), settleDelayMs);
  };

  const takeHandover = (): void => {
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
    void diagnose();
  };

  const loadKeys = async (): Promise<void> => {
    try {
      const [{ keys }, status] = await Promise.all([call('keys.list'), call('app.status')]);
      set({ keys, keysError: null });
      const { key, publicKeyPem } = get();
      const same = keys.find((one) => one.publicKeyPem.trim() === publicKeyPem.trim());
      if (key.kind === 'pem' && same) set({ key: { kind: 'vault', id: same.id } });
      if (key.kind !== 'vault' || keys.some((one) => one.id === key.id)) return;
      const own = keys.find((one) => one.environment === status.environment.id) ?? keys[0];
      set({ key: own ? { kind: 'vault', id: own.id } : { kind: 'pem' } });
      if (get().phase === 'idle') void diagnose();
    } catch (error) {
      set({ keysError: toClientError(error) });
    }
  };

  return {
    ...emptyInputs,
    key: { kind: 'vault', id: '' },
    keys: [],
    keysError: null,
    phase: 'idle',
    progress: null,
    result: null,
    diagnosedBody: '',
    error: null,
    language: 'node',
    extent: 'change',
    showCode: (shown) => set(shown),
    start: () => {
      const stops = [
        subscribe('doctor.progress', ({ diagnosisId, searched, stage }) => {
          if (diagnosisId === current) set({ progress: { searched, stage } });
        }),
        subscribe('vault.changed', () => void loadKeys()),
        useLabHandover.subscribe(takeHandover),
      ];
      takeHandover();
      void loadKeys();
      return () => stops.forEach((stop) => stop());
    },
    change,
    diagnose,
    cancel: async () => {
      const diagnosisId = current;
      if (!diagnosisId) return;
      current = null;
      set({ phase: 'canceled', progress: null });
      try {
        await call('doctor.cancel', { diagnosisId });
      } catch (error) {
        set({ error: toClientError(error) });
      }
    },
    clear: () => {
      stopTimer();
      abandon();
      set({ ...emptyInputs, result: null, error: null, phase: 'idle', progress: null });
    },
  };
});
