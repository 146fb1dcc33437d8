import { serveWorker } from '../platform/worker-rpc';
import { runDiagnosis, type PlainQuestion } from '../platform/run-diagnosis';

const PROGRESS_EVERY_MS = 100;

serveWorker((_options, emit) => {
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
});
