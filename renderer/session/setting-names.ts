import type { Settings } from '@shared/contract/app';

/** Every setting that the Settings view has a control for, in its order, by the name it has there. */
export const settingNames = {
  theme: 'Theme',
  autoLockMinutes: 'Lock the vault after',
  requestTimeoutMs: 'Give up on a request after',
} as const satisfies Partial<Record<keyof Settings, string>>;

export type SettingId = keyof typeof settingNames;
