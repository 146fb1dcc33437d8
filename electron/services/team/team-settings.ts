import { z } from 'zod';
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

/** Gives the team inboxes that were added; what is none in the settings is left out. */
export function readTeamEntries(settings: Pick<SettingsStore, 'get'>): TeamEntry[] {
  const kept = settings.get(NAME);
  if (!Array.isArray(kept)) return [];
  return kept
    .slice(0, MOST_TEAM_INBOXES)
    .map((one) => entry.safeParse(one))
    .flatMap(({ data }) => (data === undefined ? [] : [data]));
}

export function writeTeamEntries(settings: SettingsStore, entries: readonly TeamEntry[]): void {
  settings.set(NAME, [...entries]);
}
