import { z } from 'zod';
import { LONGEST_SEARCH } from '../longest-search';
import { headerList, instant, nothing } from './common';
import { methodsOf } from './define';
import { arrivalRemarkKinds } from '../webhooks/arrival-remarks';
import { bodyRemarkKinds } from '../webhooks/body-remarks';
import { MAX_FILTER_LENGTH } from '../webhooks/filter/parse-filter';
import { webhookExportNames } from '../webhooks/export/webhook-export';
import { LONGEST_NOTE, MOST_TAGS, tagPattern } from '../webhooks/mark-limits';
import { MAX_RULES_LENGTH } from '../webhooks/rules/parse-rules';
import { deviationParts } from '../webhooks/deviations/deviation-parts';
import { webhookVerdicts } from '../webhooks/filter/filter-fields';
import { webhookColumns, type ColumnKind } from './webhook-columns';

export const answerRule = z.object({
  respondStatus: z.number().int().min(100).max(599),
  delayMs: z.number().int().min(0).max(120_000),
});

/** An address that receives webhooks; `main` is the app's own. */
const listenerId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/)
  .default('main');

export const listenerStatus = z.object({
  id: z.string(),
  state: z.enum(['running', 'starting', 'stopped', 'failed']),
  url: z.string().nullable(),
  message: z.string().nullable(),
  /** False: what comes cannot be kept now, and is answered 503 whatever rules say. */
  isStoring: z.boolean(),
  rule: answerRule,
  /** Answer rules in force; they go before `rule`. */
  ruleCount: z.number(),
  /** What came since it was started and is not kept: no request, not for this address. `httpStatus` null: not even answered. */
  notTaken: z
    .object({
      count: z.number(),
      /** Of the latest. */
      at: instant,
      httpStatus: z.number().nullable(),
      reason: z.string(),
      remoteAddress: z.string(),
    })
    .nullable(),
});
export type ListenerStatus = z.infer<typeof listenerStatus>;

const columnSchemas = {
  instant,
  text: z.string(),
  text_or_null: z.string().nullable(),
  number: z.number(),
  number_or_null: z.number().nullable(),
  boolean: z.boolean(),
  words: z.array(z.string()),
  verdict_or_null: z.enum(webhookVerdicts).nullable(),
} satisfies Record<ColumnKind, z.ZodType>;

type Columns = typeof webhookColumns;
type ShapeOf<I> = {
  [
    K in keyof Columns as Columns[K]['in'] extends I ? Columns[K]['name'] : never
  ]: (typeof columnSchemas)[Columns[K]['kind']];
};

/** The fields of the columns that are shown in a place. */
function shapeOf<const I extends 'list' | 'detail'>(place: I): ShapeOf<I> {
  const shown = Object.values(webhookColumns).filter((one) => one.in === place);
  return Object.fromEntries(shown.map(({ name, kind }) => [name, columnSchemas[kind]])) as ShapeOf<I>;
}

export const webhookSummary = z.object({
  id: z.string(),
  ...shapeOf('list'),
  /** How many earlier webhooks carried the same webhook-id. */
  earlierAttempts: z.number(),
  /** The exchange it answers: same reference, and same payment UUID; null when none is known, or nobody can tell which. */
  answers: z
    .object({
      exchangeId: z.string(),
      title: z.string(),
      operation: z.string(),
      sentAt: instant,
      currency: z.string().nullable(),
    })
    .nullable(),
  /** So many services have a payment that it may answer, and nobody can tell which; left out: none, or one alone. */
  answersOneOf: z.number().int().optional(),
});
export type WebhookSummary = z.infer<typeof webhookSummary>;

export const webhookDetail = webhookSummary.extend({
  ...shapeOf('detail'),
  headers: headerList,
  /** Body and its bytes, up to 4 MiB unless all of it was asked for. */
  body: z.string(),
  bodyBase64: z.string(),
  isBodyCut: z.boolean(),
  remoteAddress: z.string().nullable(),
  /** Who of a team pinned, noted or tagged it last; null: nobody did, or the inbox is one person's. */
  lastMark: z.object({ by: z.string(), at: instant }).nullable().optional(),
  /** What is odd about the moment at which it came, in words. */
  remarks: z.array(z.object({ kind: z.enum([...arrivalRemarkKinds, ...bodyRemarkKinds]), text: z.string() })),
});

const replay = z.object({
  sentAt: instant,
  url: z.string(),
  /** Null: there was no answer, and `reason` says why. */
  httpStatus: z.number().nullable(),
  reason: z.string().nullable(),
  elapsedMs: z.number().nullable(),
  isEdited: z.boolean(),
  isResigned: z.boolean(),
  headers: headerList,
  body: z.string(),
});
export type Replay = z.infer<typeof replay>;

const inboxErrors = ['inbox.*', 'team.*'] as const;
const { read, write } = methodsOf(...inboxErrors);

/** Which inbox: the one on this machine, or the id of a team's. */
const inboxStore = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/)
  .default('local');

/** Which webhooks: an expression, read by `parseFilter`; `all`, `unread`, `failed` are the shortest. */
/** Which webhooks are meant: those of `ids`, or all. */
const chosenWebhooks = {
  store: inboxStore,
  ids: z.array(z.string()).max(1000).optional(),
  isAll: z.boolean().default(false),
};

const inboxFilter = z.string().max(MAX_FILTER_LENGTH).default('all');

const ofListener = { output: listenerStatus, errors: ['listener.*'] } as const;

export const inboxMethods = {
  'inbox.list': read({
    input: z.object({
      store: inboxStore,
      limit: z.number().int().min(1).max(500).default(100),
      /** Id of the last row seen; rows before it follow. Null: newest first page. */
      before: z.string().nullable().default(null),
      /** So many of the newest are passed over, in place of `before`. */
      skip: z.number().int().min(0).max(100_000_000).optional(),
      /** Also tells how many rows follow the page: `below`. */
      isPlaced: z.boolean().optional(),
      search: z.string().max(LONGEST_SEARCH).default(''),
      filter: inboxFilter,
    }),
    output: z.object({
      webhooks: z.array(webhookSummary),
      nextBefore: z.string().nullable(),
      totalCount: z.number(),
      /** A search or filter matches at least so many: it counts no further. */
      isTotalCut: z.boolean().optional(),
      unreadCount: z.number(),
      /** Rows that follow the page; null, left out: it was not asked for, or nobody has counted so far. */
      below: z.number().nullable().optional(),
      /** The inbox was damaged: what was saved and lost, until the user has taken note. Null, left out: nothing. */
      notice: z.string().nullable().optional(),
    }),
  }),
  /** The user has taken note of what was saved and lost. */
  'inbox.dismissNotice': write({ input: nothing, output: nothing }),
  'inbox.get': read({
    /** `isWhole`: the body however long; else its first `shownBodySize` bytes, which is what a screen shows. */
    input: z.object({ store: inboxStore, id: z.string(), isWhole: z.boolean().default(false) }),
    output: webhookDetail,
    errors: ['inbox.unknown', 'team.*'],
  }),
  /** Judges the signature of one webhook by the secrets known now; where none fits, what its sender did otherwise. Takes seconds. */
  'inbox.explainSignature': read({
    input: z.object({ store: inboxStore, id: z.string() }),
    output: z.object({
      verdict: z.enum(webhookVerdicts),
      /** A sentence; null: it is valid, or not signed. */
      reason: z.string().nullable(),
      /** Which of the secrets made it, from 0; null: none of them, as far as is known. */
      keyIndex: z.number().int().nullable(),
      /** Each thing that was done otherwise, proved by the secret; empty: nothing is known. */
      causes: z.array(z.object({ part: z.enum(deviationParts), message: z.string() })),
    }),
    errors: ['inbox.unknown', 'team.*', 'sandbox.*', 'signing.bad_webhook_key'],
  }),
  'inbox.markRead': write({
    input: z.object({
      ...chosenWebhooks,
      isRead: z.boolean().default(true),
    }),
    /** `foundCount`: how many of `ids` are there; null with `isAll`. */
    output: z.object({ unreadCount: z.number(), foundCount: z.number().nullable() }),
  }),
  'inbox.delete': write({
    input: z.object({
      ...chosenWebhooks,
    }),
    output: z.object({ deletedCount: z.number() }),
  }),
  /** Notes what the user wants to remember of webhooks; what is left out stays. */
  'inbox.mark': write({
    input: z.object({
      store: inboxStore,
      ids: z.array(z.string()).min(1).max(1000),
      isPinned: z.boolean().optional(),
      note: z.string().max(LONGEST_NOTE).optional(),
      tags: z.array(z.string().regex(tagPattern)).max(MOST_TAGS).optional(),
    }),
    output: z.object({ changedCount: z.number() }),
  }),
  /** Writes webhooks as one file for other tools, newest first: those that are named, else all that fit. */
  'inbox.export': read({
    input: z.object({
      store: inboxStore,
      ids: z.array(z.string()).min(1).max(10_000).optional(),
      search: z.string().max(LONGEST_SEARCH).default(''),
      filter: inboxFilter,
      format: z.enum(webhookExportNames),
    }),
    output: z.object({
      text: z.string(),
      count: z.number(),
      /** There were more than go into one answer; the command line writes all of them. */
      isCut: z.boolean(),
    }),
  }),
  /** Sends a webhook once more to an address, its bytes as received unless edited. */
  'inbox.replay': write({
    input: z.object({
      store: inboxStore,
      id: z.string(),
      /** Where; without a path it keeps path and query of the webhook. */
      to: z.string().max(4000),
      /** `a.b=JSON`: another value in the place of one, every other byte as it is. */
      edits: z.array(z.string().max(100_000)).max(50).default([]),
      /** Another body instead, as text; null: as received. */
      body: z.string().nullable().default(null),
      /** Signs anew, with the webhook secrets that are known. */
      isResigned: z.boolean().default(false),
      timeoutMs: z.number().int().min(1).max(600_000).default(30_000),
      /** Looks only whether it could be sent so. */
      isTrial: z.boolean().default(false),
      /** Lets `inbox.cancelReplay` name it. */
      replayId: z.string().max(100).optional(),
    }),
    output: z.object({ replay: replay.nullable() }),
    errors: [...inboxErrors, 'sending.*', 'sandbox.*', 'signing.bad_webhook_key'],
  }),
  /** Gives up the answer of a replay that is under way; it is kept as `sending.canceled`. */
  'inbox.cancelReplay': write({ input: z.object({ replayId: z.string() }), output: nothing, errors: [] }),
  /** What was answered to the replays of a webhook, newest first. */
  'inbox.replays': read({
    input: z.object({ store: inboxStore, id: z.string() }),
    output: z.object({ replays: z.array(replay) }),
  }),
  'listener.list': read({
    input: nothing,
    output: z.object({ listeners: z.array(listenerStatus) }),
    errors: [],
  }),
  'listener.status': read({ ...ofListener, input: z.object({ id: listenerId }) }),
  /** The answer rules of an address, as written; `fault`: why they are not in force. */
  'listener.rules': read({
    input: z.object({ id: listenerId }),
    output: z.object({ text: z.string(), fault: z.string().nullable() }),
    errors: ['listener.*'],
  }),
  /** Puts other rules in force, all or nothing; an empty text is none. */
  'listener.setRules': write({
    input: z.object({ id: listenerId, text: z.string().max(MAX_RULES_LENGTH) }),
    output: listenerStatus,
    errors: ['listener.*', 'platform.*'],
  }),
  /** Tells what a stored webhook would be answered with by rules that are not in force yet, as the first of its webhook-id. */
  'listener.tryRules': read({
    input: z.object({ text: z.string().max(MAX_RULES_LENGTH), webhookId: z.string() }),
    output: z.object({
      rule: z.string().nullable(),
      answer: z
        .object({
          status: z.number(),
          headers: headerList,
          body: z.string(),
          delayMs: z.number(),
          isDropped: z.boolean(),
        })
        .nullable(),
    }),
    errors: ['listener.*', 'inbox.unknown'],
  }),
  'listener.setRule': write({ ...ofListener, input: answerRule.extend({ id: listenerId }) }),
  /** Starts an address, a new one where the id is not known yet. Port and protocol are remembered. */
  'listener.start': write({
    input: z.object({
      id: listenerId,
      port: z.number().int().min(0).max(65_535).optional(),
      isHttps: z.boolean().optional(),
    }),
    ...ofListener,
  }),
  'listener.stop': write({ ...ofListener, input: z.object({ id: listenerId }) }),
  /** Stops an address and forgets it; `main` stays. */
  'listener.remove': write({ input: z.object({ id: listenerId }), output: nothing, errors: ['listener.*'] }),
};
