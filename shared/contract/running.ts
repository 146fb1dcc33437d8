import { z } from 'zod';
import { collectionId, environmentId, instant, nothing, operation, shownId } from './common';
import { methodsOf } from './define';

/** Names a request of a run by its file and its block in it; see `identifyBlock`. */
const chosenRequest = z.object({
  path: z.string().max(4096),
  block: z.string().max(1000),
  /** Of one that goes by its place, as the plan has it: it is found where its file was changed since. */
  mark: z.string().max(40).optional(),
});

/** What is run, and where it is sent. */
export const runSubject = z.object({
  environment: environmentId,
  collectionId,
  /** A folder or a file of the collection; empty: all of it. */
  path: z.string().max(4096),
  /** Only these, with what they depend on; null: all. */
  only: z.array(chosenRequest).max(30_000).nullable().default(null),
});

const shownRequest = z.object({ path: z.string(), block: z.string(), mark: z.string().optional() });

const plannedItem = shownRequest.extend({
  name: z.string(),
  /** Folder of its file, `/` between parts; empty: at the top. */
  folder: z.string(),
  line: z.number(),
  operation,
});

/** What a payment of a run would do, as its body says before the run; null where it does not. */
const plannedPayment = z.object({
  name: z.string(),
  amount: z.string().nullable(),
  currency: z.string().nullable(),
  party: z.string().nullable(),
});

const requestOutcome = z.enum(['passed', 'failed', 'error', 'skipped', 'unfinished']);

/** How one request of a run ended; what was sent and came back stands in the history. */
export const itemResult = z.object({
  /** Its place among the items of the run. */
  place: z.number(),
  outcome: requestOutcome,
  reason: z.string().nullable(),
  errorCode: z.string().nullable(),
  httpStatus: z.number().nullable(),
  /** What the answer means, in one line. */
  summary: z.string(),
  /** States that the payment came to after the answer; null: nothing told of one, or an earlier version kept it. */
  later: z.string().nullable().default(null),
  reference: z.string().nullable(),
  exchangeId: z.string().nullable(),
  attempts: z.number(),
  durationMs: z.number(),
  expectations: z.array(
    z.object({
      text: z.string(),
      line: z.number(),
      outcome: z.enum(['held', 'failed', 'unfinished']),
      expected: z.string(),
      received: z.string(),
      advice: z.string().nullable(),
    }),
  ),
  webhookIds: z.array(z.string()),
});
export type ItemResult = z.infer<typeof itemResult>;

export const runState = z.enum(['running', 'stopping', 'over']);

/** A request of a run, and how it ended; null: it had no turn. */
const endedItem = z.object({ item: plannedItem, result: itemResult.nullable() });
export type EndedItem = z.infer<typeof endedItem>;

/** A run of this app: the one under way, or the last of a collection. */
export const appRun = z.object({
  id: z.string(),
  subject: z.object({
    environment: shownId,
    collectionId: shownId,
    path: z.string(),
    only: z.array(shownRequest).nullable().default(null),
  }),
  startedAt: instant,
  durationMs: z.number(),
  state: runState,
  items: z.array(plannedItem),
  /** In the order in which they ended. */
  results: z.array(itemResult),
  /** Of the run before: those of the same subject that this one does not send again, as they came out. */
  kept: z.array(endedItem),
  /** So many of its requests had no room where it is kept: those that passed go first. */
  leftOut: z.number(),
  /** Why it is not kept over a restart; null: it is. */
  keepFault: z.string().nullable(),
});
export type AppRun = z.infer<typeof appRun>;

const { read, write } = methodsOf(
  'running.*',
  'collections.*',
  'environments.*',
  'keys.*',
  'tokens.no_credentials',
  'vault.*',
);

export const runningMethods = {
  /** Reads what a run would send, and sends nothing. */
  'running.plan': read({
    input: runSubject,
    output: z.object({
      items: z.array(plannedItem),
      /** What is wrong in the files, or is given by nobody: nothing is run where there is one. Without a path: the vault lacks it. */
      faults: z.array(z.object({ path: z.string(), line: z.number(), message: z.string() })),
      /** Not null: the environment is production, and its name has to be typed. */
      production: z
        .object({
          name: z.string(),
          host: z.string(),
          paymentCount: z.number(),
          /** The first of them. */
          payments: z.array(plannedPayment),
          /** Tells these requests from those that their files, or the values, make another time. */
          mark: z.string().optional(),
        })
        .nullable(),
    }),
  }),
  /** Begins a run, as `countersign run` does; `running.changed` tells how it goes on. One runs at a time. */
  'running.start': write({
    input: runSubject.extend({
      /** The environment's name as the user typed it: production is not run without. */
      confirmation: z.string().max(1000).optional(),
      /** Of the plan that the user was shown: nothing else is run by that word. Left out: whatever there is now. */
      mark: z.string().max(100).optional(),
      isBail: z.boolean().default(false),
    }),
    output: appRun,
  }),
  /** Sends no more, and waits for nothing more; what was sent is told. */
  'running.cancel': write({ input: z.object({ id: z.string().max(40) }), output: nothing, errors: [] }),
  /** The run under way, else the last, also of an app that has ended since. */
  'running.get': read({
    /** Left out: of any collection. */
    input: z.object({ collectionId: collectionId.optional() }),
    output: z.object({ run: appRun.nullable() }),
    errors: [],
  }),
};
