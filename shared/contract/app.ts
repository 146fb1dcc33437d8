import { z } from 'zod';
import { nothing } from './common';
import { defineMethod } from './define';
import { environment } from './environments';
import { listenerStatus } from './inbox';
import { sandboxStatus } from './sandbox';
import { settingLimits, themes } from './setting-limits';
import { vaultStatus } from './vault';

export const appStatus = z.object({
  host: z.enum(['electron', 'web', 'cli']),
  version: z.string(),
  platform: z.string(),
  dataDirectory: z.string(),
  environment,
  sandbox: sandboxStatus,
  listener: listenerStatus,
  vault: vaultStatus,
  unreadCount: z.number(),
});
export type AppStatus = z.infer<typeof appStatus>;

const wholeNumber = ({ min, max }: { min: number; max: number }) => z.number().int().min(min).max(max);

export const settings = z.object({
  theme: z.enum(themes),
  /** Sizes and collapsed states of panels, open tabs, last view: the renderer's own, kept as is. */
  layout: z.record(z.string(), z.unknown()),
  /** Vault locks by itself after so many minutes without use; 0: never. */
  autoLockMinutes: wholeNumber(settingLimits.autoLockMinutes),
  requestTimeoutMs: wholeNumber(settingLimits.requestTimeoutMs),
});
export type Settings = z.infer<typeof settings>;

/** `notice`: what happened to the settings file (put aside because it could not be read); null: nothing. */
const shownSettings = settings.extend({ notice: z.string().nullable().optional() });
export type ShownSettings = z.infer<typeof shownSettings>;

export const appMethods = {
  'app.status': defineMethod({ input: nothing, output: appStatus, errors: [], effect: 'read' }),
  /**
   * Opens a page outside of the app, where the host can: of the local sandbox, or one that a recorded acceptance
   * named as its `checkout_url`; nothing else.
   */
  'app.openExternal': defineMethod({
    input: z.object({ url: z.string().max(8192) }),
    output: nothing,
    errors: [],
    effect: 'write',
    // A page in a browser opens links by itself; a command prints the address.
    hosts: ['electron'],
  }),
  'settings.get': defineMethod({ input: nothing, output: shownSettings, errors: [], effect: 'read' }),
  'settings.update': defineMethod({
    input: settings.partial(),
    output: shownSettings,
    errors: ['settings.*'],
    effect: 'write',
  }),
};
