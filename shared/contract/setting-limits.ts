/** What a setting may be; no schema stands here: commands that read one setting start without loading any. */
export const themes = ['system', 'light', 'dark'] as const;

/** Whole numbers, ends included. */
export const settingLimits = {
  autoLockMinutes: { min: 0, max: 1440 },
  requestTimeoutMs: { min: 100, max: 600_000 },
} as const;
