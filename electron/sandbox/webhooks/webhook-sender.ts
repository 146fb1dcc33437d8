import type * as http from 'node:http';
import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { parseWebUrl } from '@shared/payments/text-formats';
import { grantHost, judgeAddress, normalizeHost, type HostGrant } from './address-policy';

/** Resolves a name to all of its addresses; `dns.lookup` with `all` outside of tests. */
export type Resolver = (
  hostname: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface WebhookSenderOptions {
  allowedHosts: readonly string[];
  isOwnHost?(host: string): boolean;
  /** Whole attempt, from connecting to the end of the answer, in real milliseconds. */
  timeoutMs?: number;
  resolve?: Resolver;
}

export interface OutgoingWebhook {
  readonly callbackUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How one attempt ended. */
export interface SendOutcome {
  /** `refused`: the address is not one that webhooks may be sent to; trying again cannot help. */
  readonly kind: 'delivered' | 'failed' | 'refused' | 'aborted';
  readonly httpStatus: number | null;
  readonly error: string | null;
  readonly responseBody: string | null;
  readonly durationMs: number;
}

export interface WebhookSender {
  send(webhook: OutgoingWebhook): Promise<SendOutcome>;
  /** Ends all attempts and connections. The sender can be used again afterwards. */
  abort(): void;
}

/** Of a receiver's answer this much is kept, bytes. */
export const KEPT_ANSWER_BYTES = 64 * 1024;
const DEFAULT_TIMEOUT_MS = 15_000;
/** A connection that is not used for so long is closed. */
const IDLE_CONNECTION_MS = 2000;

/** An address that the rules do not let through. */
class RefusedAddress extends Error {}

type Transport = Pick<typeof http, 'request' | 'Agent'>;

/**
 * Makes what carries webhooks to their receivers.
 *
 * The name is resolved once, each address is judged, and the connection goes to one of exactly these
 * addresses: a name that changes its mind between check and connection gains nothing. Redirects are not followed.
 */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const agents = new Map<string, http.Agent>();
  const running = new Set<(reason: Error) => void>();

  const loadTransport = async (protocol: string): Promise<Transport> =>
    protocol === 'https:' ? import('node:https') : import('node:http');

  const takeAgent = (transport: Transport, url: URL, grant: Exclude<HostGrant, null>): http.Agent => {
    const key = `${url.protocol} ${grant}`;
    const known = agents.get(key);
    if (known) return known;
    const agent = new transport.Agent({ keepAlive: true, timeout: IDLE_CONNECTION_MS, maxFreeSockets: 32 });
    agents.set(key, agent);
    return agent;
  };

  const open = async (url: URL, grant: Exclude<HostGrant, null>, webhook: OutgoingWebhook) => {
    const transport = await loadTransport(url.protocol);
    const request: http.RequestOptions & { rejectUnauthorized?: boolean } = {
      method: 'POST',
      protocol: url.protocol,
      hostname: normalizeHost(url.hostname),
      port: url.port,
      path: url.pathname + url.search,
      headers: { ...webhook.headers, 'content-length': String(Buffer.byteLength(webhook.body)) },
      agent: takeAgent(transport, url, grant),
      lookup: createCheckedLookup(grant, options.resolve),
      // A listener on this machine shows a certificate of its own making.
      ...(url.protocol === 'https:' && grant === 'loopback' ? { rejectUnauthorized: false } : {}),
    };
    if (url.username !== '') {
      request.auth = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    }
    return exchange(transport, request, webhook.body, options.timeoutMs ?? DEFAULT_TIMEOUT_MS, running);
  };

  return {
    async send(webhook) {
      const startedAt = performance.now();
      const end = (outcome: Omit<SendOutcome, 'durationMs'>): SendOutcome => ({
        ...outcome,
        durationMs: Math.round((performance.now() - startedAt) * 1000) / 1000,
      });
      const refusal = judgeUrl(webhook.callbackUrl, options);
      if (typeof refusal === 'string') return end(refuse(refusal));
      try {
        return end(await open(refusal.url, refusal.grant, webhook));
      } catch (error) {
        return end(describeFailure(error));
      }
    },
    abort() {
      for (const stop of [...running]) stop(new AbortedAttempt('The sandbox was stopped'));
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
    },
  };
}

class AbortedAttempt extends Error {}

function refuse(error: string): Omit<SendOutcome, 'durationMs'> {
  return { kind: 'refused', httpStatus: null, error: `Refused: ${error}`, responseBody: null };
}

/** Decides by the address as written; what a name resolves to is judged when connecting. */
function judgeUrl(
  text: string,
  options: WebhookSenderOptions,
): string | { url: URL; grant: Exclude<HostGrant, null> } {
  const url = parseWebUrl(text);
  if (!url) return 'the callback address is not an absolute http or https address';
  const grant = grantHost(url, options.allowedHosts, options.isOwnHost);
  if (grant === null) {
    return (
      `${url.hostname} is not this machine. To let webhooks go there, start the sandbox with ` +
      `--allow-callback-host ${url.hostname}`
    );
  }
  const host = normalizeHost(url.hostname);
  // A literal address is never looked up, so it is judged here.
  const reason = isIP(host) === 0 ? null : judgeAddress(host, grant);
  return reason ?? { url, grant };
}

function createCheckedLookup(grant: Exclude<HostGrant, null>, resolve?: Resolver): LookupFunction {
  return (hostname, lookupOptions, done) => {
    const check = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]): void => {
      if (error) return done(error, '', 4);
      for (const { address } of addresses) {
        const reason = judgeAddress(address, grant);
        if (reason) return done(new RefusedAddress(`${hostname}: ${reason}`), '', 4);
      }
      const first = addresses[0];
      if (!first) return done(new Error(`${hostname} has no address`), '', 4);
      if (lookupOptions.all) done(null, addresses);
      else done(null, first.address, first.family);
    };
    const wanted: LookupAllOptions = { all: true, verbatim: true };
    if (lookupOptions.family !== undefined) wanted.family = lookupOptions.family;
    if (resolve) resolve(hostname, wanted, check);
    else void import('node:dns').then((dns) => dns.lookup(hostname, wanted, check));
  };
}

function exchange(
  transport: Transport,
  options: http.RequestOptions,
  body: string,
  timeoutMs: number,
  running: Set<(reason: Error) => void>,
): Promise<Omit<SendOutcome, 'durationMs'>> {
  return new Promise((resolve, reject) => {
    let answer: http.IncomingMessage | null = null;
    const kept: Buffer[] = [];
    let keptBytes = 0;
    const request = transport.request(options);
    const finish = (failure: Error | null): void => {
      clearTimeout(timer);
      if (!running.delete(stop)) return;
      if (answer && !(failure instanceof AbortedAttempt)) {
        resolve(judgeAnswer(answer.statusCode ?? 0, Buffer.concat(kept)));
      } else reject(failure ?? new Error('The receiver closed the connection without an answer'));
    };
    const stop = (reason: Error): void => {
      finish(reason);
      request.destroy();
    };
    const timer = setTimeout(
      () => stop(new Error(`No complete answer within ${timeoutMs / 1000} s`)),
      timeoutMs,
    );
    running.add(stop);
    request.on('error', (error) => {
      const isStale =
        request.reusedSocket && !answer && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
      if (!isStale || !running.delete(stop)) return finish(error);
      // The receiver closed a kept connection just as it was used again: that says nothing about this webhook.
      clearTimeout(timer);
      exchange(transport, { ...options, agent: false }, body, timeoutMs, running).then(resolve, reject);
    });
    request.on('response', (response) => {
      answer = response;
      response.on('data', (chunk: Buffer) => {
        if (keptBytes < KEPT_ANSWER_BYTES) kept.push(chunk.subarray(0, KEPT_ANSWER_BYTES - keptBytes));
        keptBytes += chunk.length;
        // Whatever follows is not kept: an answer without end must not hold the place of others.
        if (keptBytes > KEPT_ANSWER_BYTES) stop(new Error('The answer is too long'));
      });
      response.on('end', () => finish(null));
      response.on('close', () => finish(new Error('The connection closed before the answer was complete')));
      response.on('error', (error) => finish(error));
    });
    request.end(body);
  });
}

/** The status decides, even where the rest of the answer was cut. */
function judgeAnswer(httpStatus: number, body: Buffer): Omit<SendOutcome, 'durationMs'> {
  const responseBody = body.toString('utf8');
  if (httpStatus >= 200 && httpStatus <= 299) {
    return { kind: 'delivered', httpStatus, error: null, responseBody };
  }
  const isRedirect = httpStatus >= 300 && httpStatus <= 399;
  const error = `The receiver answered HTTP ${httpStatus}${isRedirect ? ': redirects are not followed' : ''}`;
  return { kind: 'failed', httpStatus, error, responseBody };
}

function describeFailure(error: unknown): Omit<SendOutcome, 'durationMs'> {
  if (error instanceof RefusedAddress) return refuse(error.message);
  const { code, message } = findCause(error);
  const text = code !== undefined && !message.includes(code) ? `${message} (${code})` : message;
  return {
    kind: error instanceof AbortedAttempt ? 'aborted' : 'failed',
    httpStatus: null,
    error: text === '' ? 'The connection failed' : text,
    responseBody: null,
  };
}

/** Where several addresses were tried, the first failure tells the most. */
function findCause(error: unknown): { code: string | undefined; message: string } {
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  if (!(first instanceof Error)) return { code: undefined, message: String(first) };
  return { code: (first as NodeJS.ErrnoException).code, message: first.message };
}
