import type { Settings } from '@shared/contract/app';

/** Every setting that the Settings view has a control for, in its order, by the name it has there. */
export const settingNames = {
  theme: 'Theme',
  railNames: 'Names of the views',
  keys: 'Keyboard shortcuts',
  autoLockMinutes: 'Lock the vault after',
  requestTimeoutMs: 'Give up on a request after',
  keepCount: 'Keep the newest webhooks',
  keepDays: 'Keep webhooks for',
  keepMib: 'Keep bodies up to',
  notifications: 'Tell of webhooks',
  updateAddress: 'Address of updates',
} as const satisfies Partial<Record<keyof Settings, string>>;

export type SettingId = keyof typeof settingNames;
