import { z } from 'zod';
import { LONGEST_SEARCH } from '../longest-search';
import { lookupIdentifiers } from '../lookups/lookup-list';
import {
  environmentId,
  headerList,
  instant,
  nothing,
  operation,
  product,
  askedIdentity,
  requestIdentity,
  shownId,
  shownIdentity,
  signedSpan,
  wallet,
} from './common';
import { methodsOf } from './define';

/** Milliseconds, fractions kept. Phases that did not happen are null. */
export const timings = z.object({
  queueMs: z.number().nullable(),
  /** What was kept before these were told apart has them in `connectMs`. */
  dnsMs: z.number().nullable().default(null),
  connectMs: z.number().nullable(),
  tlsMs: z.number().nullable().default(null),
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
  /** How many were named, where `fieldErrors` are the first of them alone. */
  fieldErrorCount: z.number().optional(),
  checkoutUrl: z.string().nullable(),
});
export type Reading = z.infer<typeof reading>;

/** The first bytes that went one way, before encryption; `isMasked`: secrets in them are replaced. */
const wireBytes = z.object({ base64: z.string(), sizeBytes: z.number(), isMasked: z.boolean() });

/** How a call went over the wire. */
export const exchangeTrace = z.object({
  /** Where the connection went (`203.0.113.7:443`); null: there was none. */
  address: z.string().nullable(),
  /** It is the proxy's: where that went on to, nobody here knows. */
  isProxied: z.boolean().default(false),
  isReused: z.boolean(),
  /** Of the answer; null: none came. */
  httpVersion: z.string().nullable(),
  tls: z
    .object({
      protocol: z.string(),
      cipher: z.string(),
      /** The server's own certificate first; SHA-256 fingerprints. */
      chain: z.array(
        z.object({
          subject: z.string(),
          issuer: z.string(),
          validFrom: instant,
          validTo: instant,
          names: z.string(),
          fingerprint: z.string(),
        }),
      ),
    })
    .nullable(),
  sent: wireBytes,
  received: wireBytes,
});
export type ExchangeTrace = z.infer<typeof exchangeTrace>;

/** A request as it was given to be sent: token, signature and values of the vault stand there as placeholders. */
export const writtenDown = z.object({
  url: z.string(),
  headers: headerList,
  /** Left out: that of the request, as it was sent. */
  body: z.string().optional(),
  /** Why it cannot be sent again as it was; null: it can. */
  lost: z.string().nullable(),
});
export type WrittenDown = z.infer<typeof writtenDown>;

const exchangeHead = {
  id: z.string(),
  environment: shownId,
  operation,
  /** The request that was sent; null for a call of the app's own, and for what was kept before requests had one. */
  identity: shownIdentity.nullable(),
  /** Name of the request, or what made the call ('Status query'): for people, not for finding it again. */
  title: z.string(),
  sentAt: instant,
  reference: z.string().nullable(),
};

export const exchange = z.object({
  ...exchangeHead,
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
    /** Left out: kept before this was. */
    written: writtenDown.optional(),
  }),
  response: z
    .object({
      httpStatus: z.number(),
      headers: headerList,
      /** As received; what is not UTF-8 is read in the character set that its type names, and `bodyBase64` has its bytes. */
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
  /** Kept of what a screen asked for; left out otherwise. */
  trace: exchangeTrace.optional(),
  /** Why no answer came. */
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type Exchange = z.infer<typeof exchange>;

export const exchangeSummary = z.object({
  ...exchangeHead,
  method: z.string(),
  url: z.string(),
  httpStatus: z.number().nullable(),
  totalMs: z.number().nullable(),
  outcome: z.string().nullable(),
  summary: z.string(),
  /** It stays whatever its age. */
  isPinned: z.boolean(),
});
export type ExchangeSummary = z.infer<typeof exchangeSummary>;

/** What a list of the history is narrowed to by how requests ended. */
export const historyOutcome = z.enum(['any', 'good', 'refused', 'failed', 'no_answer']);
export type HistoryOutcome = z.infer<typeof historyOutcome>;

/** Asks for the beginning of a long answer's body (`shownBodySize`): what a screen shows without being held up. */
const isForScreen = z.boolean().optional();

const MOST_OF_TITLE = 300;
const cutTitle = (title: string): string =>
  title.length > MOST_OF_TITLE ? `${title.slice(0, MOST_OF_TITLE - 1)}…` : title;

export const sendInput = z.object({
  environment: environmentId,
  operation,
  /** Left out: no request of a collection. */
  identity: requestIdentity.nullable().default(null),
  /** For people: of a longer one its beginning is kept. */
  title: z.string().overwrite(cutTitle),
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
  /** Where in these bytes files begin and end: no value of the vault is put into them. Left out: all of it is text. */
  bodyFiles: z
    .array(z.tuple([z.int().min(0), z.int().min(0)]))
    .max(1000)
    .optional(),
  /** Values in it of variables that are secret by their name: masked wherever they come back. */
  secretValues: z
    .array(z.string().max(64 * 1024))
    .max(100)
    .optional(),
  /** Hosts (with their port, where it is not the usual) that the user lets take the token or signature. */
  allowHosts: z.array(z.string().max(300)).max(20).optional(),
  /** Id of the production environment that the user said yes to: nothing goes to one without (`sending.not_confirmed`). */
  production: shownId.optional(),
  keyId: z.string().optional(),
  /** The environment's name, typed by the user: signs with a key that belongs to another environment. */
  overrideConfirmation: z.string().optional(),
  /** Lets `sending.cancel` name this call. */
  sendId: z.string().optional(),
  isForScreen,
});
export type SendInput = z.infer<typeof sendInput>;

const { read, write } = methodsOf(
  'sending.*',
  'signing.*',
  'tokens.*',
  'keys.*',
  'vault.*',
  'environments.*',
);

export const sendingMethods = {
  'sending.send': write({ input: sendInput, output: exchange }),
  'sending.cancel': write({ input: z.object({ sendId: z.string() }), output: nothing, errors: [] }),
  'history.list': read({
    input: z.object({
      limit: z.number().int().min(1).max(500).default(100),
      before: z.string().nullable().default(null),
      reference: z.string().optional(),
      /** The answers of this request alone. */
      identity: askedIdentity.optional(),
      /** Words, each of which stands in reference, address, title, outcome or the beginning of a body. */
      search: z.string().max(LONGEST_SEARCH).optional(),
      outcome: historyOutcome.optional(),
      isPinned: z.literal(true).optional(),
      /** Sent from this moment on; before this moment. */
      from: instant.optional(),
      until: instant.optional(),
    }),
    output: z.object({
      exchanges: z.array(exchangeSummary),
      /** Goes on from here; null: there are no more. A search may stop there with fewer than were asked for. */
      nextBefore: z.string().nullable(),
    }),
    errors: ['history.*'],
  }),
  'history.get': read({
    input: z.object({ id: z.string(), isForScreen }),
    output: exchange,
    errors: ['history.unknown'],
  }),
  /** A part of an answer's bytes: a long body is fetched piece by piece, so that no window is held up. */
  'history.readBody': read({
    input: z.object({
      id: z.string(),
      offset: z.number().int().min(0),
      length: z
        .number()
        .int()
        .min(1)
        .max(1024 * 1024),
    }),
    output: z.object({ base64: z.string(), sizeBytes: z.number() }),
    errors: ['history.unknown'],
  }),
  /** Keeps exchanges whatever their age, or no longer. */
  'history.pin': write({
    input: z.object({ ids: z.array(z.string().max(40)).min(1).max(500), isPinned: z.boolean() }),
    output: nothing,
    errors: ['history.*'],
  }),
  /** Takes what a file's requests were sent along to where others have put that file. */
  'history.follow': write({
    input: requestIdentity.omit({ block: true }).extend({ toPath: requestIdentity.shape.path }),
    output: nothing,
    errors: ['history.*'],
  }),
  /** Forgets exchanges for good. */
  'history.delete': write({
    input: z.object({ ids: z.array(z.string().max(40)).min(1).max(500) }),
    output: z.object({ deleted: z.number() }),
    errors: ['history.*'],
  }),
  /** Status query by exactly one identifier (interface 4.3). */
  'lookups.status': write({
    input: z.object({
      environment: environmentId,
      product,
      by: z.enum(lookupIdentifiers),
      value: z.string().min(1),
      /** Where the payment went that it is about, as an address: another service is not asked. Null or left out: whichever. */
      sentTo: z.string().nullable().optional(),
      isForScreen,
    }),
    output: z.object({
      exchange,
      /** null: the answer, or its lack, does not tell. */
      isFound: z.boolean().nullable(),
      state: z.string().nullable(),
    }),
  }),
  'balances.fetch': write({
    input: z.object({
      environment: environmentId,
      product,
      currency: z.string().optional(),
      /** One of a round that nobody asked for by hand: its readings are kept, and it stays out of the history. */
      isRound: z.boolean().optional(),
    }),
    output: z.object({
      exchange,
      fetchedAt: instant,
      /** Amounts as text, exactly as the service wrote them. */
      wallets: z.array(wallet),
      /** So many more stand in the answer, which are not read: too many, or of values too long. */
      unreadCount: z.number().int(),
    }),
  }),
  'webhooks.sendTest': write({
    input: z.object({
      environment: environmentId,
      callbackUrl: z.string(),
      /** Body of the webhook, a JSON object; of a service that is no sandbox, the members that its simulator knows. */
      payload: z.string().max(1_000_000).default('{"status":"SUCCESS"}'),
      /** The sandbox sends just this body, also with members that the service does not have, or without those that it has. */
      isExact: z.boolean().default(false),
      /** How often it is received, and after how many seconds of the sandbox's clock; for the sandbox alone. */
      copies: z.int().min(1).max(10).default(1),
      delaySeconds: z.int().min(0).max(86_400).default(0),
    }),
    output: exchange,
  }),
};
