import { z } from 'zod';
import { readEntries, type KeptEntries } from '../../platform/files/kept-entries';
import type { SettingsStore } from '../../platform/ports';

const NAME = 'teamInboxes';
export const MOST_TEAM_INBOXES = 20;

const entry = z.object({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/),
  name: z.string().max(60),
  address: z.string().max(1000),
  /** The vault has its password for this address. */
  isSealed: z.boolean().default(false),
});
export type TeamEntry = z.infer<typeof entry>;

const readKept = (settings: Pick<SettingsStore, 'get'>): KeptEntries<TeamEntry> =>
  readEntries(settings.get(NAME), (one) => entry.safeParse(one).data ?? null);

/** Gives the team inboxes that were added; what is none in the settings is left out, and stays there. */
export function readTeamEntries(settings: Pick<SettingsStore, 'get'>): TeamEntry[] {
  return readKept(settings).entries.slice(0, MOST_TEAM_INBOXES);
}

export function writeTeamEntries(settings: SettingsStore, entries: readonly TeamEntry[]): void {
  settings.set(NAME, [...entries, ...readKept(settings).unread]);
}
