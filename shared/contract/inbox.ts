import { z } from 'zod';
import { headerList, instant, nothing } from './common';
import { defineMethod } from './define';

export const answerRule = z.object({
  respondStatus: z.number().int().min(100).max(599),
  delayMs: z.number().int().min(0).max(120_000),
});

export const listenerStatus = z.object({
  state: z.enum(['running', 'starting', 'stopped', 'failed']),
  url: z.string().nullable(),
  message: z.string().nullable(),
  rule: answerRule,
});

export const webhookSummary = z.object({
  id: z.string(),
  receivedAt: instant,
  method: z.string(),
  path: z.string(),
  sizeBytes: z.number(),
  contentType: z.string().nullable(),
  isRead: z.boolean(),
  /** Fields of the payload where they could be read (A3). */
  status: z.string().nullable(),
  amount: z.string().nullable(),
  clientReference: z.string().nullable(),
  paymentUuid: z.string().nullable(),
  webhookId: z.string().nullable(),
  /** How many earlier callbacks carried the same webhook-id. */
  earlierAttempts: z.number(),
  /** The exchange it answers: same reference; null when none is known. */
  answers: z
    .object({
      exchangeId: z.string(),
      title: z.string(),
      operation: z.string(),
      sentAt: instant,
      currency: z.string().nullable(),
    })
    .nullable(),
  respondedStatus: z.number(),
});
export type WebhookSummary = z.infer<typeof webhookSummary>;

export const webhookDetail = webhookSummary.extend({
  headers: headerList,
  /** Body and its bytes, up to 4 MiB. */
  body: z.string(),
  bodyBase64: z.string(),
  isBodyCut: z.boolean(),
  paymentReference: z.string().nullable(),
  code: z.string().nullable(),
  /** Milliseconds from the first byte to the answer, commit included; null where the process ended before it was noted. */
  answeredInMs: z.number().nullable(),
  remoteAddress: z.string().nullable(),
});

const inboxErrors = ['inbox.*'] as const;

export const inboxMethods = {
  'inbox.list': defineMethod({
    input: z.object({
      limit: z.number().int().min(1).max(500).default(100),
      /** Id of the last row seen; rows before it follow. Null: newest first page. */
      before: z.string().nullable().default(null),
      search: z.string().max(500).default(''),
      filter: z.enum(['all', 'unread', 'failed']).default('all'),
    }),
    output: z.object({
      webhooks: z.array(webhookSummary),
      nextBefore: z.string().nullable(),
      totalCount: z.number(),
      /** A search or filter matches at least so many: it counts no further. */
      isTotalCut: z.boolean().optional(),
      unreadCount: z.number(),
    }),
    errors: inboxErrors,
    effect: 'read',
  }),
  'inbox.get': defineMethod({
    input: z.object({ id: z.string() }),
    output: webhookDetail,
    errors: ['inbox.unknown'],
    effect: 'read',
  }),
  'inbox.markRead': defineMethod({
    input: z.object({
      ids: z.array(z.string()).max(1000).optional(),
      isAll: z.boolean().default(false),
      isRead: z.boolean().default(true),
    }),
    output: z.object({ unreadCount: z.number() }),
    errors: inboxErrors,
    effect: 'write',
  }),
  'inbox.delete': defineMethod({
    input: z.object({ ids: z.array(z.string()).max(1000).optional(), isAll: z.boolean().default(false) }),
    output: z.object({ deletedCount: z.number() }),
    errors: inboxErrors,
    effect: 'write',
  }),
  'listener.status': defineMethod({ input: nothing, output: listenerStatus, errors: [], effect: 'read' }),
  'listener.setRule': defineMethod({
    input: answerRule,
    output: listenerStatus,
    errors: ['listener.*'],
    effect: 'write',
  }),
  'listener.start': defineMethod({
    input: z.object({ port: z.number().int().min(0).max(65_535).optional() }),
    output: listenerStatus,
    errors: ['listener.*'],
    effect: 'write',
  }),
  'listener.stop': defineMethod({ input: nothing, output: listenerStatus, errors: [], effect: 'write' }),
};
