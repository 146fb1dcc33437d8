import type { TeamInbox } from '@shared/contract/team';

/** How a team's inbox fares, in a word or two; never 'live' where it is not. */
export const stateWords = {
  closed: 'Closed',
  opening: 'Connecting',
  open: 'Live',
  lost: 'Connection lost',
  failed: 'Not open',
} as const satisfies Record<TeamInbox['state'], string>;

export const stateTones = {
  closed: 'quiet',
  opening: 'quiet',
  open: 'good',
  lost: 'bad',
  failed: 'bad',
} as const satisfies Record<TeamInbox['state'], 'quiet' | 'good' | 'bad'>;

/** Says whose the marks are. */
export function describeMarks({ user, mayMark }: Pick<TeamInbox, 'user' | 'mayMark'>): string | null {
  if (user === null) return null;
  return mayMark === false
    ? `${user} may read alone: read marks, pins and notes need the role countersign_reader.`
    : `Read marks are yours, as ${user}. Pins, notes and replays are the team's.`;
}
