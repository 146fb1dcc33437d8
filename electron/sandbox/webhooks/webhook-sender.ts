import type * as http from 'node:http';
import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { decodeFromUrl } from '@shared/encode-for-url';
import { parseWebUrl } from '@shared/payments/text-formats';
import { roundMs } from '@shared/round-ms';
import { grantHost, judgeAddress, normalizeHost, type HostGrant, type HostRules } from './address-policy';

/** Resolves a name to all of its addresses; `dns.lookup` with `all` outside of tests. */
export type Resolver = (
  hostname: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface WebhookSenderOptions extends HostRules {
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

/** Of a receiver's answer this much is kept, bytes. */
export const KEPT_ANSWER_BYTES = 64 * 1024;
const DEFAULT_TIMEOUT_MS = 15_000;
/** A connection that is not used for so long is closed. */
const IDLE_CONNECTION_MS = 2000;

/** An address that the rules do not let through. */
class RefusedAddress extends Error {}

type Transport = Pick<typeof http, 'request' | 'Agent'>;
type RequestOptions = http.RequestOptions & { rejectUnauthorized?: boolean };
type Outcome = Omit<SendOutcome, 'durationMs'>;
type Grant = Exclude<HostGrant, null>;

/**
 * Carries webhooks to their receivers.
 *
 * The name is resolved once, each address is judged, and the connection goes to one of exactly these
 * addresses: a name that changes its mind between check and connection gains nothing. Redirects are not followed.
 */
export class WebhookSender {
  private readonly agents = new Map<string, http.Agent>();
  private readonly running = new Set<OutgoingRequest>();

  constructor(private readonly options: WebhookSenderOptions) {}

  async send(webhook: OutgoingWebhook): Promise<SendOutcome> {
    const startedAt = performance.now();
    const outcome = await this.attempt(webhook).catch((error: unknown) =>
      describeFailure(error, webhook.callbackUrl),
    );
    return { ...outcome, durationMs: roundMs(performance.now() - startedAt) };
  }

  /** Ends all attempts and connections. The sender can be used again afterwards. */
  abort(): void {
    for (const request of [...this.running]) request.stop(new AbortedAttempt('The sandbox was stopped'));
    for (const agent of this.agents.values()) agent.destroy();
    this.agents.clear();
  }

  private async attempt(webhook: OutgoingWebhook): Promise<Outcome> {
    const target = judgeUrl(webhook.callbackUrl, this.options);
    if (typeof target === 'string') return refuse(target);
    const { url, grant } = target;
    const transport = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
    const options = this.describeRequest(webhook, url, grant);
    const agent = this.takeAgent(transport, url, grant);
    try {
      return await this.exchange(transport, { ...options, agent }, webhook.body);
    } catch (error) {
      // The receiver closed a kept connection just as it was used again: that says nothing about this webhook.
      if (!(error instanceof StaleConnection)) throw error;
      return this.exchange(transport, { ...options, agent: false }, webhook.body);
    }
  }

  private describeRequest(webhook: OutgoingWebhook, url: URL, grant: Grant): RequestOptions {
    const options: RequestOptions = {
      method: 'POST',
      protocol: url.protocol,
      hostname: normalizeHost(url.hostname),
      port: url.port,
      path: url.pathname + url.search,
      headers: { ...webhook.headers, 'content-length': String(Buffer.byteLength(webhook.body)) },
      lookup: createCheckedLookup(grant, this.options.resolve),
      // A listener on this machine shows a certificate of its own making; others are checked, whatever the environment says.
      ...(url.protocol === 'https:' ? { rejectUnauthorized: grant !== 'loopback' } : {}),
    };
    if (url.username === '') return options;
    return { ...options, auth: `${decodeFromUrl(url.username)}:${decodeFromUrl(url.password)}` };
  }

  private takeAgent(transport: Transport, url: URL, grant: Grant): http.Agent {
    const key = `${url.protocol} ${grant}`;
    const known = this.agents.get(key);
    if (known) return known;
    const agent = new transport.Agent({ keepAlive: true, timeout: IDLE_CONNECTION_MS, maxFreeSockets: 32 });
    this.agents.set(key, agent);
    return agent;
  }

  private async exchange(transport: Transport, options: RequestOptions, body: string): Promise<Outcome> {
    const request = new OutgoingRequest(this.options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    this.running.add(request);
    try {
      return await request.run(transport.request(options), body);
    } finally {
      this.running.delete(request);
    }
  }
}

/** One request on its way, until its answer is complete or it is stopped. */
class OutgoingRequest {
  private answer: http.IncomingMessage | null = null;
  private readonly kept: Buffer[] = [];
  private keptBytes = 0;
  private finish: (failure: Error | null) => void = () => undefined;
  private request: http.ClientRequest | null = null;

  constructor(private readonly timeoutMs: number) {}

  async run(request: http.ClientRequest, body: string): Promise<Outcome> {
    this.request = request;
    const timer = setTimeout(
      () => this.stop(new Error(`No complete answer within ${this.timeoutMs / 1000} s`)),
      this.timeoutMs,
    );
    const ended = new Promise<Error | null>((resolve) => (this.finish = resolve));
    request.on('error', (error) => this.finish(this.isStale(request, error) ? new StaleConnection() : error));
    request.on('response', (response) => this.readAnswer(response));
    // It goes on in another protocol (101): that is all of its answer.
    request.on('upgrade', (response, socket) => {
      this.answer = response;
      socket.destroy();
      this.finish(null);
    });
    // Gone: nothing else tells of it.
    request.on('close', () => {
      if (this.answer === null) this.finish(null);
    });
    request.end(body);
    const failure = await ended;
    clearTimeout(timer);
    if (this.answer !== null && !(failure instanceof AbortedAttempt)) {
      return judgeAnswer(this.answer, Buffer.concat(this.kept));
    }
    throw failure ?? new Error(CLOSED_UNANSWERED);
  }

  stop(reason: Error): void {
    this.finish(reason);
    this.request?.destroy();
  }

  private isStale(request: http.ClientRequest, error: NodeJS.ErrnoException): boolean {
    return request.reusedSocket && this.answer === null && /^(?:ECONNRESET|EPIPE)$/.test(error.code ?? '');
  }

  private readAnswer(response: http.IncomingMessage): void {
    this.answer = response;
    response.on('data', (chunk: Buffer) => {
      const room = KEPT_ANSWER_BYTES - this.keptBytes;
      if (room > 0) this.kept.push(chunk.subarray(0, room));
      this.keptBytes += chunk.length;
      // Whatever follows is not kept: an answer without end must not hold the place of others.
      if (this.keptBytes > KEPT_ANSWER_BYTES) this.stop(new Error('The answer is too long'));
    });
    response.on('end', () => this.finish(null));
    response.on('close', () =>
      this.finish(new Error('The connection closed before the answer was complete')),
    );
    response.on('error', (error) => this.finish(error));
  }
}

/** A kept connection that was closed before anything of an answer came. */
class StaleConnection extends Error {}

class AbortedAttempt extends Error {}

function refuse(error: string): Outcome {
  return { kind: 'refused', httpStatus: null, error: `Refused: ${error}`, responseBody: null };
}

/** Decides by the address as written; what a name resolves to is judged when connecting. */
function judgeUrl(text: string, options: WebhookSenderOptions): string | { url: URL; grant: Grant } {
  const url = parseWebUrl(text);
  if (!url) return 'the callback address is not an absolute http or https address';
  const grant = grantHost(url, options);
  if (grant === null) {
    return (
      `${url.hostname} is ${options.isExposed ? 'not allowed' : 'not this machine'}. To let webhooks go there, start the sandbox with ` +
      `--allow-callback-host ${url.hostname}`
    );
  }
  const host = normalizeHost(url.hostname);
  // A literal address is never looked up, so it is judged here.
  const reason = isIP(host) === 0 ? null : judgeAddress(host, grant);
  return reason ?? { url, grant };
}

function createCheckedLookup(grant: Grant, resolve?: Resolver): LookupFunction {
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

/** The status decides, even where the rest of the answer was cut. */
function judgeAnswer({ statusCode: httpStatus = 0, headers }: http.IncomingMessage, body: Buffer): Outcome {
  const responseBody = body.toString('utf8');
  if (httpStatus >= 200 && httpStatus <= 299) {
    return { kind: 'delivered', httpStatus, error: null, responseBody };
  }
  const isRedirect = httpStatus >= 300 && httpStatus <= 399 && headers.location !== undefined;
  const error = `The receiver answered HTTP ${httpStatus}${isRedirect ? ': redirects are not followed' : ''}`;
  return { kind: 'failed', httpStatus, error, responseBody };
}

async function describeFailure(error: unknown, callbackUrl: string): Promise<Outcome> {
  if (error instanceof RefusedAddress) return refuse(error.message);
  return {
    kind: error instanceof AbortedAttempt ? 'aborted' : 'failed',
    httpStatus: null,
    error: await describeCause(error, new URL(callbackUrl)),
    responseBody: null,
  };
}

const CLOSED_UNANSWERED = 'The receiver closed the connection without an answer';

async function describeCause(error: unknown, url: URL): Promise<string> {
  // Where several addresses were tried, the first failure tells the most.
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  if (!(first instanceof Error)) return String(first);
  const { code } = first as NodeJS.ErrnoException;
  if (code === undefined) return first.message;
  if (code === 'HPE_HEADER_OVERFLOW') return 'The receiver answered with headers that are too long';
  if (code.startsWith('HPE_')) return 'What the receiver answered cannot be read as HTTP';
  const isInHandshake = first.message.includes('before secure TLS');
  if (!isInHandshake && (code === 'ECONNRESET' || code === 'EPIPE')) {
    // A port that expects TLS does just that to whoever speaks without.
    const hint =
      url.protocol === 'http:' ? '. Should that port speak TLS, its address begins with https://' : '';
    return `${CLOSED_UNANSWERED}${hint}`;
  }
  // Loaded where it is asked for: it takes a part of each start.
  const { readTarget } = await import('../../platform/http/call-target');
  const { describeNetworkError } = await import('../../platform/http/http-errors');
  return describeNetworkError(first, readTarget(url), false, 'webhook').message.replace(/\.$/, '');
}
