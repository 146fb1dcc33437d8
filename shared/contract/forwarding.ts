import { z } from 'zod';
import { instant, nothing } from './common';
import { methodsOf } from './define';

/** How webhooks are forwarded to the user's backend. */
export const forwardingStatus = z.object({
  isOn: z.boolean(),
  /** The backend's address, as it was given; empty: none yet. */
  url: z.string(),
  /** A filter expression; empty: all. */
  filter: z.string(),
  /** Why nothing goes through at present, or why it could not be switched on; null: nothing is in the way. */
  trouble: z.string().nullable(),
  /** Webhooks that wait, those under way included. */
  backlogCount: z.number(),
  /** Webhooks that came while nothing was forwarded to an address; commands of `listen --exec` do not count. */
  missedCount: z.number(),
  nextAttemptAt: instant.nullable(),
  /** Of those that wait, the one whose attempt failed last, also while others go through; null: none failed. */
  failedId: z.string().nullable(),
  /** Of those that wait, how many the backend has refused while it takes others, and why the last of them. */
  refusedCount: z.number(),
  refusedReason: z.string().nullable(),
});
export type ForwardingStatus = z.infer<typeof forwardingStatus>;

export const forwardAttempt = z.object({
  attempt: z.number(),
  at: instant,
  to: z.enum(['url', 'exec']),
  outcome: z.enum(['delivered', 'retrying']),
  httpStatus: z.number().nullable(),
  reason: z.string().nullable(),
  durationMs: z.number(),
  nextAttemptAt: instant.nullable(),
});

/** The way from outside to the listener. */
export const tunnelStatus = z.object({
  /** `off`: none is wanted. */
  state: z.enum(['off', 'connecting', 'connected', 'disconnected']),
  /** As `listen --tunnel` takes it; the last one where it is off. Empty: none yet. */
  way: z.string(),
  /** The public address. */
  url: z.string().nullable(),
  reason: z.string().nullable(),
  latencyMs: z.number().nullable(),
  /** Programs for tunnels that this machine has. */
  programs: z.array(z.string()),
});
export type TunnelStatus = z.infer<typeof tunnelStatus>;

const { read, write } = methodsOf('listener.*', 'inbox.*');

export const forwardingMethods = {
  'forwarding.status': read({ input: nothing, output: forwardingStatus }),
  /** Switches forwarding on, to another address, or off; kept over restarts. */
  'forwarding.set': write({
    input: z.object({
      isOn: z.boolean(),
      url: z.string().max(2000),
      filter: z.string().max(2000).default(''),
    }),
    output: forwardingStatus,
  }),
  /** Queues what came while nothing was forwarded to an address. */
  'forwarding.sendMissed': write({ input: nothing, output: z.object({ queuedCount: z.number() }) }),
  /** What became of the attempts to forward one webhook, oldest first. */
  'forwarding.attempts': read({
    input: z.object({ id: z.string() }),
    output: z.object({
      attempts: z.array(forwardAttempt),
      /** It waits to be forwarded. */
      isQueued: z.boolean(),
      /** The webhook that this one is, forwarded from here and come back: it is not forwarded again. Null: it is none. */
      originalId: z.string().nullable(),
    }),
  }),
  'tunnel.status': read({ input: nothing, output: tunnelStatus, errors: [] }),
  'tunnel.start': write({
    input: z.object({ way: z.string().max(2000) }),
    output: tunnelStatus,
    errors: ['tunnels.*'],
  }),
  'tunnel.stop': write({ input: nothing, output: tunnelStatus, errors: ['tunnels.*'] }),
};
