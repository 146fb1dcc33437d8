import { create } from 'zustand';
import { useLabHandover } from '../../session/handover';
import { afterReconnect, subscribe } from '../../transport/client';
import { createDiagnosis } from './lab-diagnosis';
import { tryExample } from './lab-example';
import { loadKeys, takeHandover } from './lab-sources';
import { emptyInputs, type LabState } from './lab-state';

/** The inputs of one diagnosis, how far it is, and its verdict. */
export const useLabStore = create<LabState>()((set, get) => {
  const { isCurrent, ...diagnosis } = createDiagnosis(set, get);
  return {
    ...emptyInputs,
    key: { kind: 'vault', id: '' },
    keys: [],
    keysError: null,
    phase: 'idle',
    progress: null,
    result: null,
    mostMs: null,
    diagnosedBody: '',
    error: null,
    language: 'node',
    extent: 'change',
    showCode: (shown) => set(shown),
    start: () => {
      const stops = [
        subscribe('doctor.progress', ({ diagnosisId, searched, stage }) => {
          if (isCurrent(diagnosisId)) set({ progress: { searched, stage } });
        }),
        subscribe('vault.changed', () => void loadKeys(set, get)),
        afterReconnect(() => void loadKeys(set, get)),
        useLabHandover.subscribe(() => takeHandover(set, get)),
      ];
      takeHandover(set, get);
      void loadKeys(set, get);
      return () => stops.forEach((stop) => stop());
    },
    ...diagnosis,
    tryExample: () => tryExample(set, get),
  };
});
