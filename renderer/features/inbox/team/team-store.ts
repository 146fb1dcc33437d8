import type { MethodInput } from '@shared/contract/contract';
import type { TeamInbox } from '@shared/contract/team';
import { create } from 'zustand';
import { afterReconnect, call } from '../../../transport/client';
import { followState } from '../../../transport/follow-state';

/** Name of the inbox on this machine, among those that can be on show. */
export const LOCAL = 'local';

interface TeamState {
  inboxes: readonly TeamInbox[];
  /** Loads, then follows the events; the returned function stops following. */
  start(): () => void;
  /** @throws {ClientError} where the address is none, or the vault is locked */
  save(input: MethodInput<'team.save'>): Promise<TeamInbox>;
  /** @throws {ClientError} where it cannot be opened; `team.password_needed` asks for one */
  open(id: string, password?: string): Promise<void>;
  close(id: string): Promise<void>;
  remove(id: string): Promise<void>;
}

/** The team inboxes that were added, and how each fares. */
export const useTeamStore = create<TeamState>()((set) => {
  const inboxes = followState('team.changed', (told) => set({ inboxes: told.inboxes }));
  const refresh = async (): Promise<void> => void (await inboxes.takeAnswer(() => call('team.list')));
  return {
    inboxes: [],
    start: () => {
      // Where it fails there are none to choose; the local inbox stands by itself.
      const read = (): void => void refresh().catch(() => undefined);
      const stops = [inboxes.start(), afterReconnect(read)];
      read();
      return () => stops.forEach((stop) => stop());
    },
    save: async (input) => {
      const saved = await call('team.save', input);
      await refresh();
      return saved;
    },
    open: async (id, password) => {
      try {
        await call('team.open', password === undefined ? { id } : { id, password });
      } finally {
        await refresh();
      }
    },
    close: async (id) => {
      await call('team.close', { id });
      await refresh();
    },
    remove: async (id) => {
      await call('team.remove', { id });
      await refresh();
    },
  };
});

/** Whether what is noted in an inbox can be kept: in a team's its user may be allowed to read alone. */
export function mayMark(store: string): boolean {
  return useTeamStore.getState().inboxes.find(({ id }) => id === store)?.mayMark !== false;
}

/** The same for a component. */
export const useMayMark = (store: string): boolean =>
  useTeamStore(({ inboxes }) => inboxes.find(({ id }) => id === store)?.mayMark !== false);

/** Whether the connection to an inbox is lost, which is said where the inbox is named: once is enough. */
export const useIsLost = (store: string): boolean =>
  useTeamStore(({ inboxes }) => inboxes.find(({ id }) => id === store)?.state === 'lost');
