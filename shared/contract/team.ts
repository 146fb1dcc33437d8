import { z } from 'zod';
import { instant, nothing } from './common';
import { methodsOf } from './define';

/** Id of a team's inbox; where methods of the inbox ask which one is meant, it says so. */
const teamId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/);

export const teamInbox = z.object({
  id: teamId,
  name: z.string(),
  /** `postgres://user@host:port/database`; it holds no password. */
  address: z.string(),
  /** `lost`: it was open, and is being connected again. */
  state: z.enum(['closed', 'opening', 'open', 'lost', 'failed']),
  /** Why it is not open; null: nothing is wrong. */
  message: z.string().nullable(),
  /** Since when it is in this state. */
  since: instant,
  /** Where its password is: sealed in the vault, in memory until the app ends, or neither (`~/.pgpass`, or none is asked for). */
  password: z.enum(['vault', 'session', 'none']),
  /** The user of the database, whose read marks are shown; null: it was not open yet. */
  user: z.string().nullable(),
  /** Whether that user may note what was read, pins, notes and replays; null: it was not open yet. */
  mayMark: z.boolean().nullable(),
  unreadCount: z.number(),
});
export type TeamInbox = z.infer<typeof teamInbox>;

export const teamInboxes = z.object({ inboxes: z.array(teamInbox) });

const address = z.string().min(1).max(1000);
/** Null: as it is kept, or without one. */
const password = z.string().min(1).max(1000).nullable().default(null);
const { read, write } = methodsOf('team.*', 'store.*', 'vault.*');

export const teamMethods = {
  'team.list': read({ input: nothing, output: teamInboxes, errors: [] }),
  /** Adds a team's inbox, or changes one. */
  'team.save': write({
    input: z.object({
      /** Left out: a new one. */
      id: teamId.optional(),
      name: z.string().trim().min(1).max(60),
      address,
      password,
      /** Seals the password in the vault; else it is kept until the app ends. */
      isKept: z.boolean().default(true),
    }),
    output: teamInbox,
  }),
  /** Forgets a team's inbox and its password; what it holds stays. */
  'team.remove': write({ input: z.object({ id: teamId }), output: nothing }),
  /** Connects once, and tells what was found, in sentences. */
  'team.test': read({
    input: z.object({ id: teamId.optional(), address, password }),
    output: z.object({
      facts: z.array(z.object({ tone: z.enum(['good', 'warn', 'bad']), text: z.string() })),
    }),
  }),
  /** Connects, and follows what comes in until it is closed. */
  'team.open': write({ input: z.object({ id: teamId, password }), output: teamInbox }),
  'team.close': write({ input: z.object({ id: teamId }), output: teamInbox }),
};
