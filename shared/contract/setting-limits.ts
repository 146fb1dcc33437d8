/** What a setting may be; no schema stands here: commands that read one setting start without loading any. */
export const themes = ['system', 'light', 'dark'] as const;

/** Whole numbers, ends included. */
export const settingLimits = {
  autoLockMinutes: { min: 0, max: 1440 },
  requestTimeoutMs: { min: 100, max: 600_000 },
  keepCount: { min: 0, max: 9_999_999 },
  keepDays: { min: 0, max: 36_500 },
  keepMib: { min: 0, max: 1_000_000 },
  historyMost: { min: 0, max: 10_000_000 },
  historyDays: { min: 0, max: 36_500 },
} as const;

/** Own keys: so many, each and the name of its action so long. */
export const keyLimits = { most: 500, characters: 60 } as const;

/** Of the address of updates, and of the publisher's public key. */
export const updateLimits = { address: 2048, key: 1000 } as const;

/** Characters of what is said of an environment's service: certificates as PEM, a chain of which is a few kilobytes. */
export const setupLimits = {
  proxyUrl: 2000,
  proxyUser: 300,
  certificates: 256 * 1024,
  tokenPath: 500,
  fieldName: 200,
  stateName: 60,
} as const;

/** What a setting is that was never made. */
export const settingDefaults = {
  theme: 'system',
  layout: {},
  autoLockMinutes: 0,
  requestTimeoutMs: 30_000,
  keepCount: 0,
  keepDays: 0,
  keepMib: 0,
  notifications: false,
  historyMost: 100_000,
  historyDays: 0,
  keys: {},
  railNames: true,
  seenVersion: '',
  updateAddress: '',
  updateKey: '',
} as const;
