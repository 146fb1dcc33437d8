export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** Writes a duration: `0.2 ms`, `41 ms`, `1.6 s`, `3 min 5 s`, `2 h 4 min`, `3 days`. */
export function formatDuration(durationMs: number): string {
  if (durationMs < 10) return `${durationMs.toFixed(1)} ms`;
  if (durationMs < secondMs) return `${Math.round(durationMs)} ms`;
  if (durationMs < minuteMs) return `${(durationMs / secondMs).toFixed(1)} s`;
  if (durationMs < hourMs) {
    return `${Math.floor(durationMs / minuteMs)} min ${Math.floor((durationMs % minuteMs) / secondMs)} s`;
  }
  if (durationMs < 2 * dayMs) {
    return `${Math.floor(durationMs / hourMs)} h ${Math.floor((durationMs % hourMs) / minuteMs)} min`;
  }
  return `${Math.floor(durationMs / dayMs)} days`;
}
