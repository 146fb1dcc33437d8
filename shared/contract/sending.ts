import { z } from 'zod';
import {
  environmentId,
  headerList,
  instant,
  nothing,
  operation,
  product,
  requestIdentity,
  signedSpan,
} from './common';
import { defineMethod } from './define';

/** Milliseconds, fractions kept. Phases that did not happen are null. */
export const timings = z.object({
  queueMs: z.number().nullable(),
  connectMs: z.number().nullable(),
  firstByteMs: z.number().nullable(),
  downloadMs: z.number().nullable(),
  totalMs: z.number(),
});

/** What an answer means, read from the interface's forms. */
export const reading = z.object({
  outcome: z.enum([
    'accepted',
    'rejected',
    'duplicate',
    'unauthorized',
    'not_found',
    'rate_limited',
    'failed',
    'ok',
    'unknown',
  ]),
  /** One line for the head of the response ('Accepted for processing'). */
  title: z.string(),
  code: z.string().nullable(),
  status: z.string().nullable(),
  description: z.string().nullable(),
  paymentUuid: z.string().nullable(),
  paymentReference: z.string().nullable(),
  state: z.string().nullable(),
  fieldErrors: z.array(z.object({ field: z.string(), message: z.string() })),
  checkoutUrl: z.string().nullable(),
});
export type Reading = z.infer<typeof reading>;

export const exchange = z.object({
  id: z.string(),
  environment: environmentId,
  operation,
  /** The request that was sent; null for a call of the app's own, and for what was kept before requests had one. */
  identity: requestIdentity.nullable(),
  /** Name of the request, or what made the call ('Status query'): for people, not for finding it again. */
  title: z.string(),
  sentAt: instant,
  reference: z.string().nullable(),
  request: z.object({
    method: z.string(),
    url: z.string(),
    /** Tokens masked. */
    headers: headerList,
    body: z.string().nullable(),
    stringToSign: z.string().nullable(),
    signature: z.string().nullable(),
    keyFingerprint: z.string().nullable(),
    spans: z.array(signedSpan),
  }),
  response: z
    .object({
      httpStatus: z.number(),
      headers: headerList,
      /** As received; bytes that are not UTF-8 are replaced here, `bodyBase64` then has them. */
      body: z.string(),
      bodyBase64: z.string().nullable(),
      sizeBytes: z.number(),
      isCut: z.boolean(),
      /** `body` is only the beginning: `isForScreen` asked for it. */
      isBodyShortened: z.boolean().optional(),
      requestId: z.string().nullable(),
    })
    .nullable(),
  timings: timings.nullable(),
  reading: reading.nullable(),
  /** Why no answer came. */
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type Exchange = z.infer<typeof exchange>;

export const exchangeSummary = z.object({
  id: z.string(),
  environment: environmentId,
  operation,
  identity: requestIdentity.nullable(),
  title: z.string(),
  sentAt: instant,
  reference: z.string().nullable(),
  method: z.string(),
  url: z.string(),
  httpStatus: z.number().nullable(),
  totalMs: z.number().nullable(),
  outcome: z.string().nullable(),
  summary: z.string(),
});

/** Asks for the beginning of a long answer's body (`shownBodySize`): what a screen shows without being held up. */
const isForScreen = z.boolean().optional();

export const sendInput = z.object({
  environment: environmentId,
  operation,
  /** Left out: no request of a collection. */
  identity: requestIdentity.nullable().default(null),
  title: z.string().max(300),
  method: z.string().regex(/^[A-Za-z]+$/),
  url: z.string(),
  /**
   * `{{token.payout}}`, `{{token.remittance}}`, `{{token.collection}}` and `{{signature}}` may stand in
   * values: the back end alone fills them. Every other variable is resolved by the caller.
   */
  headers: headerList,
  /** The resolved body: its UTF-8 bytes are signed, sent and stored. Null: no body. */
  body: z.string().nullable(),
  /** The bytes of a body that holds files, in Base64; `body` is null then. */
  bodyBase64: z
    .string()
    .max(48 * 1024 * 1024)
    .optional(),
  /** Hosts (with their port, where it is not the usual) that the user lets take the token or signature. */
  allowHosts: z.array(z.string().max(300)).max(20).optional(),
  keyId: z.string().optional(),
  /** The environment's name, typed by the user: signs with a key that belongs to another environment. */
  overrideConfirmation: z.string().optional(),
  /** Lets `sending.cancel` name this call. */
  sendId: z.string().optional(),
  isForScreen,
});
export type SendInput = z.infer<typeof sendInput>;

const sendingErrors = ['sending.*', 'signing.*', 'tokens.*', 'keys.*', 'vault.*', 'environments.*'] as const;

export const sendingMethods = {
  'sending.send': defineMethod({
    input: sendInput,
    output: exchange,
    errors: sendingErrors,
    effect: 'write',
  }),
  'sending.cancel': defineMethod({
    input: z.object({ sendId: z.string() }),
    output: nothing,
    errors: [],
    effect: 'write',
  }),
  'history.list': defineMethod({
    input: z.object({
      limit: z.number().int().min(1).max(500).default(100),
      before: z.string().nullable().default(null),
      reference: z.string().optional(),
      /** The answers of this request alone. */
      identity: requestIdentity.optional(),
    }),
    output: z.object({ exchanges: z.array(exchangeSummary), nextBefore: z.string().nullable() }),
    errors: ['history.*'],
    effect: 'read',
  }),
  'history.get': defineMethod({
    input: z.object({ id: z.string(), isForScreen }),
    output: exchange,
    errors: ['history.unknown'],
    effect: 'read',
  }),
  /** Status query by exactly one identifier (interface 4.3). */
  'lookups.status': defineMethod({
    input: z.object({
      environment: environmentId,
      product,
      by: z.enum(['transaction_reference', 'payment_uuid', 'request_uuid']),
      value: z.string().min(1),
      isForScreen,
    }),
    output: z.object({
      exchange,
      /** null: the answer, or its lack, does not tell. */
      isFound: z.boolean().nullable(),
      state: z.string().nullable(),
    }),
    errors: sendingErrors,
    effect: 'write',
  }),
  'balances.fetch': defineMethod({
    input: z.object({ environment: environmentId, product, currency: z.string().optional() }),
    output: z.object({
      exchange,
      fetchedAt: instant,
      /** Amounts as text, exactly as the service wrote them. */
      wallets: z.array(
        z.object({
          currency: z.string(),
          actualBalance: z.string(),
          availableBalance: z.string(),
          alertLimit: z.string().nullable(),
          status: z.string(),
        }),
      ),
    }),
    errors: sendingErrors,
    effect: 'write',
  }),
  'webhooks.sendTest': defineMethod({
    input: z.object({
      environment: environmentId,
      callbackUrl: z.string(),
      status: z.string().default('SUCCESS'),
      code: z.string().optional(),
      /** A JSON number as written. */
      amount: z.string().optional(),
      clientReference: z.string().optional(),
      paymentUuid: z.string().optional(),
      paymentReference: z.string().optional(),
      /** A JSON object as text. */
      metadata: z.string().optional(),
    }),
    output: exchange,
    errors: sendingErrors,
    effect: 'write',
  }),
};
