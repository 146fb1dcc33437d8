import { doctorLimits } from '@shared/contract/doctor-limits';
import { call } from '../../transport/client';
import { toClientError } from '../../transport/client-error';
import {
  emptyInputs,
  isReady,
  settleDelayMs,
  type GetLab,
  type LabInputs,
  type LabState,
  type SetLab,
} from './lab-state';

/** The diagnosis under way: one at a time, asked for again once typing pauses. */
export interface Diagnosis extends Pick<LabState, 'change' | 'diagnose' | 'searchOn' | 'cancel' | 'clear'> {
  /** Tells whether this is the diagnosis that is waited for. */
  isCurrent(diagnosisId: string): boolean;
}

/** How long the next search may take: ten times as long as the one that was ended. */
export function chooseLonger(mostMs: number | null): number {
  return Math.min((mostMs ?? doctorLimits.usualMs) * 10, doctorLimits.mostMs);
}

export function createDiagnosis(set: SetLab, get: GetLab): Diagnosis {
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

  const diagnose = async (mostMs: number | null = null): Promise<void> => {
    stopTimer();
    abandon();
    const { body, signature, key, publicKeyPem, claimedString } = get();
    if (!isReady(get())) return;
    const diagnosisId = crypto.randomUUID();
    current = diagnosisId;
    set({ phase: 'running', progress: null, error: null, mostMs });
    try {
      const result = await call('doctor.diagnose', {
        diagnosisId,
        body,
        signature,
        ...(key.kind === 'vault' ? { keyId: key.id } : { publicKeyPem }),
        ...(claimedString === '' ? {} : { claimedString }),
        ...(mostMs !== null && { mostMs }),
      });
      if (current === diagnosisId) set({ phase: 'done', result, diagnosedBody: body, progress: null });
    } catch (error) {
      if (current === diagnosisId) set({ phase: 'failed', error: toClientError(error), progress: null });
    }
    if (current === diagnosisId) current = null;
  };

  return {
    isCurrent: (diagnosisId) => diagnosisId === current,
    diagnose: () => diagnose(),
    searchOn: () => diagnose(chooseLonger(get().mostMs)),
    change: (inputs: Partial<LabInputs>) => {
      set({ ...inputs, origin: null });
      stopTimer();
      if (isReady(get())) timer = setTimeout(() => void diagnose(), settleDelayMs);
    },
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
}
