import { z } from 'zod';
import { viewList } from '../actions/view-list';
import type { AppLink } from '../links/parse-link';
import { nothing } from './common';
import { methodsOf } from './define';
import { environment } from './environments';
import { listenerStatus } from './inbox';
import { sandboxStatus } from './sandbox';
import { keyLimits, settingLimits, themes, updateLimits } from './setting-limits';
import { vaultStatus } from './vault';
import { namedValues } from './named-values';

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

const text = z.string().max(4096);
const appLink: z.ZodType<AppLink> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('view'), view: z.enum(viewList.map(({ id }) => id)), rest: text }),
  z.object({ kind: z.literal('request'), collection: text, path: text }),
  z.object({ kind: z.literal('import'), path: text }),
  z.object({ kind: z.literal('file'), path: text }),
  z.object({ kind: z.literal('refused'), reason: text }),
]);

const wholeNumber = ({ min, max }: { min: number; max: number }) => z.number().int().min(min).max(max);

export const settings = z.object({
  theme: z.enum(themes),
  /** Sizes and collapsed states of panels, open tabs, last view: the renderer's own, kept as is. Updated entry by entry; null takes one away. */
  layout: namedValues(z.unknown()),
  /** Vault locks by itself after so many minutes without use; 0: never. */
  autoLockMinutes: wholeNumber(settingLimits.autoLockMinutes),
  requestTimeoutMs: wholeNumber(settingLimits.requestTimeoutMs),
  /** How much the inbox keeps, pinned webhooks apart: newest ones, days, MiB of bodies; 0: all. */
  keepCount: wholeNumber(settingLimits.keepCount),
  keepDays: wholeNumber(settingLimits.keepDays),
  keepMib: wholeNumber(settingLimits.keepMib),
  /** Webhooks are told by the desktop while the window is not in front, and counted at the app's icon. */
  notifications: z.boolean(),
  /** So many exchanges are kept, pinned ones beside them; 0: all. */
  historyMost: wholeNumber(settingLimits.historyMost),
  /** Older ones go, but for pinned ones; 0: none. */
  historyDays: wholeNumber(settingLimits.historyDays),
  /** Keys that the user gave actions, by the action's id; `''` takes them away. */
  keys: namedValues(z.string().max(keyLimits.characters), z.string().max(keyLimits.characters)).refine(
    (keys) => Object.keys(keys).length <= keyLimits.most,
  ),
  /** Names stand under the icons of the views where the window has room. */
  railNames: z.boolean(),
  /** The version whose news were shown last; `''`: none yet. */
  seenVersion: z.string().max(keyLimits.characters),
  /** Where a release is told of (`latest.json`); `''`: nothing is asked. */
  updateAddress: z.string().max(updateLimits.address),
  /** The publisher's public key (Ed25519, PEM), which a release has to be signed with. */
  updateKey: z.string().max(updateLimits.key),
});
export type Settings = z.infer<typeof settings>;

/** What decides whose releases are trusted is set by its own method alone, never by the way, nor by a file of settings. */
export const apartSettings = { updateAddress: true, updateKey: true } as const;

/** `notice`: what happened to the settings file (put aside because it could not be read); null: nothing. */
const shownSettings = settings.extend({ notice: z.string().nullable().optional() });
export type ShownSettings = z.infer<typeof shownSettings>;

const { read, write } = methodsOf();

export const appMethods = {
  'app.status': read({ input: nothing, output: appStatus }),
  /**
   * Opens a page outside of the app, where the host can: of the local sandbox, or one that a recorded acceptance
   * named as its `checkout_url`; nothing else.
   */
  'app.openExternal': write({
    input: z.object({ url: z.string().max(8192) }),
    output: nothing,
    // A page in a browser opens links by itself; a command prints the address.
    hosts: ['electron'],
  }),
  /** Gives the link or file that the desktop handed over, once; it was read by its letters alone. */
  'app.takeLink': write({
    input: nothing,
    output: z.object({ link: appLink.nullable() }),
    hosts: ['electron'],
  }),
  /** Says which actions can be done now, for the menu bar. */
  'app.showActions': write({
    input: z.object({ ids: z.array(z.string().max(keyLimits.characters)).max(keyLimits.most) }),
    output: nothing,
    hosts: ['electron'],
  }),
  /** Brings the window to the front, out of the task bar, too: a page has no way to. */
  'app.comeToFront': write({ input: nothing, output: nothing, hosts: ['electron'] }),
  'settings.get': read({ input: nothing, output: shownSettings }),
  'settings.update': write({
    input: settings.omit(apartSettings).partial(),
    output: shownSettings,
    errors: ['settings.*'],
  }),
  /** Settings and environments of the data folder as a file, without secrets. */
  'settings.export': read({
    input: nothing,
    output: z.object({ text: z.string(), leftOut: z.array(z.string()) }),
    errors: ['settings.*', 'environments.*'],
  }),
  /** Takes such a file over; environments that are there stay as they are. */
  'settings.import': write({
    input: z.object({ text: z.string().max(4 * 1024 * 1024) }),
    output: z.object({
      settings: z.array(z.string()),
      environments: z.array(z.string()),
      leftOut: z.array(z.string()),
    }),
    errors: ['settings.*', 'environments.*'],
  }),
};
