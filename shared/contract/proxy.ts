import { z } from 'zod';
import { LONGEST_SEARCH } from '../longest-search';
import { headerList, instant, nothing, operation, signedSpan } from './common';
import { methodsOf } from './define';

export const proxyStatus = z.object({
  state: z.enum(['running', 'starting', 'stopped', 'failed']),
  /** What the backend takes as base address; null: it does not run. */
  url: z.string().nullable(),
  /** Base address of the service behind it: where it runs to, ran to last, or would run to. */
  target: z.string(),
  port: z.number().nullable(),
  /** PEM that was given to verify with; empty: the keys that are known of the target. */
  publicKey: z.string(),
  /** Keys that signatures are verified with. */
  keyCount: z.number(),
  /** Why it could not start, or that it runs on another port than before. */
  message: z.string().nullable(),
  /** Why the target cannot be reached at the moment; null: nothing is known against it. */
  targetFault: z.string().nullable(),
});
export type ProxyStatus = z.infer<typeof proxyStatus>;

/** How a signature fares. `unchecked`: no key is known, or the body has no string to sign. */
const signatureState = z.enum(['valid', 'refused', 'missing', 'unchecked']);

export const proxyExchange = z.object({
  id: z.string(),
  at: instant,
  durationMs: z.number(),
  method: z.string(),
  path: z.string(),
  /** As the backend saw it; null: it saw none. */
  httpStatus: z.number().nullable(),
  operation: operation.nullable(),
  reference: z.string().nullable(),
  /** Null: this operation is not signed. */
  signature: signatureState.nullable(),
  /** Causes that the doctor found, by code. */
  causes: z.array(z.string()),
  problemCount: z.number(),
  /** Why there is no answer of the target, or not all of one. */
  reason: z.string().nullable(),
});
export type ProxyExchange = z.infer<typeof proxyExchange>;

/** A body as it is kept: at most 1 MiB of it, secrets masked; `bodyBase64` where it is not UTF-8. */
const proxiedMessage = z.object({
  headers: headerList,
  body: z.string(),
  bodyBase64: z.string().nullable(),
  sizeBytes: z.number(),
  isCut: z.boolean(),
});

export const proxyExchangeDetail = proxyExchange.extend({
  /** Address of the target. */
  origin: z.string(),
  query: z.string(),
  stringToSign: z.object({ text: z.string(), spans: z.array(signedSpan) }).nullable(),
  /** What the doctor says; null: it was not asked. */
  diagnosis: z
    .object({
      verdict: z.string(),
      explanation: z.string().nullable(),
      causes: z.array(z.object({ code: z.string(), message: z.string() })),
    })
    .nullable(),
  /** Of several keys that which the signature was judged by; null: not kept. */
  publicKeyPem: z.string().nullable(),
  /** What the token says of itself; nobody checked who made it. */
  token: z
    .object({
      product: z.string().nullable(),
      expiresAt: instant.nullable(),
      isExpired: z.boolean(),
      fingerprint: z.string(),
    })
    .nullable(),
  fieldProblems: z.array(z.object({ field: z.string(), message: z.string() })),
  request: proxiedMessage,
  /** Null: none came. */
  answer: proxiedMessage.nullable(),
});
export type ProxyExchangeDetail = z.infer<typeof proxyExchangeDetail>;

/** Which exchanges; what is null does not count. */
export const proxyFilter = z.object({
  operation: operation.nullable().default(null),
  /** `none`: the target gave no answer, or not all of one. */
  statusClass: z.enum(['2xx', '4xx', '5xx', 'none']).nullable().default(null),
  /** Something is wrong with them: a signature, a field, a token, a 401, no answer. */
  onlyFindings: z.boolean().default(false),
  /** In path, reference, headers and what was found, in any case. */
  text: z.string().max(LONGEST_SEARCH).nullable().default(null),
});
export type ProxyFilter = z.output<typeof proxyFilter>;

const proxyErrors = ['proxy.*', 'keys.*'] as const;
const { read, write } = methodsOf(...proxyErrors);

export const proxyMethods = {
  'proxy.status': read({ input: nothing, output: proxyStatus, errors: [] }),
  /** What is left out stays as it was last. */
  'proxy.start': write({
    input: z.object({
      target: z.string().max(2000).optional(),
      port: z.number().int().min(0).max(65_535).optional(),
      publicKey: z.string().max(20_000).optional(),
    }),
    output: proxyStatus,
    // The last three: the connection of the target's environment.
    errors: [...proxyErrors, 'environments.*', 'vault.*', 'sending.tls'],
  }),
  'proxy.stop': write({ input: nothing, output: proxyStatus }),
  /** Newest first. */
  'proxy.list': read({
    input: proxyFilter.extend({
      limit: z.number().int().min(1).max(500).default(200),
      /** Id of the last one seen; those before it follow. */
      before: z.string().max(100).nullable().default(null),
    }),
    output: z.object({
      exchanges: z.array(proxyExchange),
      nextBefore: z.string().nullable(),
      /** Of all that are kept, whatever the filter. */
      totalCount: z.number(),
    }),
  }),
  'proxy.get': read({ input: z.object({ id: z.string().max(100) }), output: proxyExchangeDetail }),
  /** The latest of them, oldest first, as one text; `isCut`: older ones would have made it too long. */
  'proxy.export': read({
    input: proxyFilter.extend({ format: z.enum(['har', 'jsonl']) }),
    output: z.object({ content: z.string(), count: z.number(), isCut: z.boolean() }),
  }),
};
