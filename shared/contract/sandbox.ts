import { z } from 'zod';
import { LONGEST_SEARCH } from '../longest-search';
import { headerList, instant, nothing, operation, product, signedSpan, wallet } from './common';
import { walletStates } from '../payments/tables/states';
import { methodsOf } from './define';

export const sandboxStatus = z.object({
  state: z.enum(['running', 'starting', 'stopped', 'failed']),
  baseUrl: z.string().nullable(),
  message: z.string().nullable(),
});

export const sandboxWallet = wallet.extend({ product, heldBalance: z.string() });

/** What is done to a wallet by hand. `top_up` adds money; `empty` takes all that no payment holds. */
export const sandboxWalletChange = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('top_up'),
    amount: z.string().regex(/^\d{1,12}(\.\d{1,2})?$/, 'Write an amount like 1000.00'),
  }),
  z.object({ kind: z.literal('set_status'), status: z.enum(walletStates) }),
  z.object({ kind: z.literal('empty') }),
]);

export const sandboxPayment = z.object({
  paymentUuid: z.string(),
  paymentReference: z.string(),
  transactionReference: z.string(),
  requestUuid: z.string(),
  product,
  amount: z.string(),
  charges: z.string(),
  currency: z.string(),
  account: z.string().nullable(),
  state: z.enum(['processing', 'succeeded', 'failed', 'canceled']),
  timeReceived: instant,
  lastUpdated: instant,
});

export const sandboxAttempt = z.object({
  attempt: z.number(),
  at: instant,
  durationMs: z.number(),
  httpStatus: z.number().nullable(),
  error: z.string().nullable(),
  responseBody: z.string().nullable(),
});

export const sandboxDelivery = z.object({
  id: z.string(),
  webhookId: z.string(),
  callbackUrl: z.string(),
  transactionReference: z.string().nullable(),
  state: z.enum(['pending', 'delivered', 'failed']),
  nextAttemptAt: instant.nullable(),
  attempts: z.array(sandboxAttempt),
  body: z.string(),
});

export const sandboxRequest = z.object({
  id: z.string(),
  at: instant,
  /** Null: at an address that the service does not have. */
  operation: operation.nullable(),
  method: z.string(),
  path: z.string(),
  httpStatus: z.number(),
  /** Which check answered: `accepted`, `rate_limit`, `body`, `token`, `product`, `signature`, `fields`, `duplicate`, `rules`, `outcome`, `ok`, `fault`, `not_found`, `error`. */
  verdict: z.string(),
  reference: z.string().nullable(),
  durationMs: z.number(),
});

/** One step of the admission, in its order. */
export const sandboxCheck = z.object({
  id: z.string(),
  label: z.string(),
  state: z.enum(['passed', 'failed', 'not_reached']),
  message: z.string(),
});

/** A body as kept: at most 64 KiB of it; `bodyBase64` where it is not UTF-8. */
const keptBody = {
  body: z.string(),
  bodyBase64: z.string().nullable(),
  sizeBytes: z.number(),
  isCut: z.boolean(),
};

/** All that is kept of a request and its answer, secrets masked. */
export const sandboxRequestDetail = sandboxRequest.extend({
  query: z.string(),
  /** What the check that answered said; null where nothing was wrong. */
  reason: z.string().nullable(),
  fieldErrors: z.array(z.object({ field: z.string(), message: z.string() })),
  checks: z.array(sandboxCheck),
  /** What a payout or remittance should be signed over; null where its body has no such string. */
  stringToSign: z.object({ text: z.string(), spans: z.array(signedSpan) }).nullable(),
  request: z.object({
    headers: headerList,
    ...keptBody,
    /** The body was longer than the sandbox reads, and nothing of it is kept. */
    isTooLong: z.boolean(),
    isMasked: z.boolean(),
  }),
  /** `isDropped`: the connection was closed in its place, as the faults ask. */
  answer: z.object({ headers: headerList, ...keptBody, isDropped: z.boolean() }),
});

/** Which requests are listed, newest first; what is null does not count. */
export const sandboxRequestQuery = z.object({
  limit: z.number().int().min(1).max(1000).default(200),
  operation: operation.nullable().default(null),
  statusClass: z.enum(['2xx', '4xx', '5xx']).nullable().default(null),
  /** A piece of the reference. */
  reference: z.string().max(500).nullable().default(null),
  /** Anywhere in request or answer, in any case. */
  text: z.string().max(LONGEST_SEARCH).nullable().default(null),
});

export const sandboxExplanation = z.object({
  requestId: z.string(),
  verdict: z.string(),
  /** One sentence to act on. */
  explanation: z.string(),
  fieldErrors: z.array(z.object({ field: z.string(), message: z.string() })),
  signature: z
    .object({
      expectedString: z.string(),
      expectedBytesHex: z.string(),
      receivedSignature: z.string().nullable(),
      body: z.string(),
      publicKeyPem: z.string().nullable(),
      /** The doctor's result where it has run; shape of `doctor.diagnose`. */
      findings: z.unknown().nullable(),
    })
    .nullable(),
});

export const sandboxFaults = z.object({
  /** Added to every answer of a business endpoint, milliseconds. */
  latencyMs: z.number().min(0).max(60_000),
  /** Share of requests answered 500 `400.500`, 0 to 1. */
  errorRate: z.number().min(0).max(1),
  /** Share of connections closed without an answer, 0 to 1. */
  dropRate: z.number().min(0).max(1),
  /** The answer's body is trickled over so many milliseconds; 0: at once. */
  slowBodyMs: z.number().min(0).max(60_000),
});

export const sandboxSettings = z.object({
  settleMs: z.number().int().min(0).max(3_600_000),
  /** Requests a second over which 429 is answered; 0: no limit. */
  rateLimit: z.number().int().min(0),
  retries: z.enum(['standard', 'fast', 'none']),
  acceptanceForm: z.enum(['200.100', '100']),
  /** How field errors of an initiation are answered: the envelope (7.1) or the error object (7.2). */
  badRequestForm: z.enum(['envelope', 'error_object']),
  /** Which of the two path forms of 4.1 and 4.2 answer. */
  pathForm: z.enum(['both', 'plain', 'api']),
  allowedCallbackHosts: z.array(z.string()),
  webhookSigning: z.boolean(),
});

export const sandboxState = z.object({
  baseUrl: z.string(),
  now: instant,
  /** How far its clock was moved ahead. */
  clockOffsetMs: z.number(),
  consumerKeyMasked: z.string(),
  /** The key of the pair that was made for the user's own backend; null: none was. */
  backendConsumerKey: z.string().nullable(),
  wallets: z.array(sandboxWallet),
  payments: z.array(sandboxPayment),
  deliveries: z.array(sandboxDelivery),
  requests: z.array(sandboxRequest),
  publicKeys: z.array(z.object({ fingerprint: z.string(), bits: z.number(), pem: z.string() })),
  faults: sandboxFaults,
  settings: sandboxSettings,
});

export type SandboxStatus = z.output<typeof sandboxStatus>;
export type SandboxWallet = z.output<typeof sandboxWallet>;
export type SandboxWalletChange = z.output<typeof sandboxWalletChange>;
export type SandboxPayment = z.output<typeof sandboxPayment>;
export type SandboxDelivery = z.output<typeof sandboxDelivery>;
export type SandboxRequest = z.output<typeof sandboxRequest>;
export type SandboxRequestDetail = z.output<typeof sandboxRequestDetail>;
export type SandboxRequestQuery = z.output<typeof sandboxRequestQuery>;
export type SandboxCheck = z.output<typeof sandboxCheck>;
export type SandboxExplanation = z.output<typeof sandboxExplanation>;
export type SandboxFaults = z.output<typeof sandboxFaults>;
export type SandboxSettings = z.output<typeof sandboxSettings>;
export type SandboxState = z.output<typeof sandboxState>;

const sandboxErrors = ['sandbox.*'] as const;
const { read, write } = methodsOf(...sandboxErrors);

export const sandboxMethods = {
  'sandbox.status': read({ input: nothing, output: sandboxStatus, errors: [] }),
  'sandbox.start': write({
    input: z.object({ port: z.number().int().min(0).max(65_535).optional() }),
    output: sandboxStatus,
    // Its credentials lie in the vault.
    errors: [...sandboxErrors, 'vault.*'],
  }),
  'sandbox.stop': write({ input: nothing, output: sandboxStatus }),
  'sandbox.state': read({
    input: z.object({ limit: z.number().int().min(1).max(1000).default(200) }),
    output: sandboxState,
  }),
  'sandbox.reset': write({ input: nothing, output: nothing }),
  'sandbox.registerKeys': write({
    input: z.object({ pems: z.array(z.string().max(20_000)).min(1), mode: z.enum(['replace', 'add']) }),
    output: nothing,
    errors: [...sandboxErrors, 'keys.*'],
  }),
  'sandbox.setPaymentState': write({
    input: z.object({ paymentUuid: z.string(), state: z.enum(['succeeded', 'failed', 'canceled']) }),
    output: sandboxPayment,
  }),
  'sandbox.changeWallet': write({
    input: z.object({ product, currency: z.string().max(10), change: sandboxWalletChange }),
    output: sandboxWallet,
  }),
  'sandbox.advanceClock': write({
    input: z.object({ seconds: z.number().positive().max(31_536_000) }),
    output: z.object({ now: instant }),
  }),
  'sandbox.setFaults': write({ input: sandboxFaults, output: sandboxFaults }),
  'sandbox.updateSettings': write({ input: sandboxSettings.partial(), output: sandboxSettings }),
  'sandbox.redeliver': write({ input: z.object({ deliveryId: z.string() }), output: sandboxDelivery }),
  /** What receivers verify `webhook-signature` with, because the user pressed 'show': the view hides it after a while. */
  'sandbox.revealWebhookSecret': read({
    input: nothing,
    output: z.object({ secret: z.string(), hideAfterMs: z.number() }),
  }),
  /** Makes credentials for the user's own backend, in place of those before; the secret is told here and never again. */
  'sandbox.makeBackendCredentials': write({
    input: nothing,
    output: z.object({ consumerKey: z.string(), consumerSecret: z.string() }),
  }),
  'sandbox.listRequests': read({
    input: sandboxRequestQuery,
    /** `skipped`: accepted requests that came faster than they are kept, since the log was emptied. */
    output: z.object({ requests: z.array(sandboxRequest), skipped: z.int() }),
  }),
  'sandbox.getRequest': read({ input: z.object({ requestId: z.string() }), output: sandboxRequestDetail }),
  'sandbox.explain': read({ input: z.object({ requestId: z.string() }), output: sandboxExplanation }),
};
