import type { EventMap } from '@shared/contract/events';
import { runDiagnosis, type PlainQuestion } from './run-diagnosis';

const PROGRESS_EVERY_MS = 100;

export type DoctorWorkerEvents = { progress: EventMap['doctor.progress'] };

/** Calls that the doctor's worker answers. */
export type DoctorWorkerMethods = ReturnType<typeof serveDoctorWorker>;

/** Answers the calls of the app in the doctor's worker thread; several diagnoses may run at once. */
export function serveDoctorWorker(
  emit: (event: 'progress', payload: DoctorWorkerEvents['progress']) => void,
) {
  const running = new Set<string>();
  const canceled = new Set<string>();
  return {
    async diagnose({ diagnosisId, question }: { diagnosisId: string; question: PlainQuestion }) {
      let lastMs = -Infinity;
      running.add(diagnosisId);
      try {
        return await runDiagnosis(
          question,
          ({ stage, searched }) => {
            const nowMs = performance.now();
            if (nowMs - lastMs < PROGRESS_EVERY_MS) return;
            lastMs = nowMs;
            emit('progress', { diagnosisId, searched, stage });
          },
          () => canceled.has(diagnosisId),
        );
      } finally {
        running.delete(diagnosisId);
        canceled.delete(diagnosisId);
      }
    },
    cancel({ diagnosisId }: { diagnosisId: string }) {
      if (running.has(diagnosisId)) canceled.add(diagnosisId);
    },
  };
}
