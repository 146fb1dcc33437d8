import type { Reply } from '@shared/contract/define';
import { proofFragment, proofHeader } from '@shared/web-proof';
import type { EventMap, EventName } from '@shared/contract/events';
import type { ConnectionState, EventListener, Transport } from './transport';

const proofKey = 'countersign.proof';
/** Waits before the event stream is opened again, milliseconds; the last one repeats. */
const reconnectDelaysMs = [250, 500, 1000, 2000, 5000];
/** One that stood so long was well: where calls fail while streams open, none stands, and the waits grow. */
const stableMs = 10_000;

function isReply(value: unknown): value is Reply<unknown> {
  return typeof value === 'object' && value !== null && 'ok' in value && typeof value.ok === 'boolean';
}

function unreachable(httpStatus: number | null): Reply<unknown> {
  const isRefused = httpStatus === 401 || httpStatus === 403;
  return {
    ok: false,
    error: {
      code: isRefused ? 'app.not_authorized' : 'app.unreachable',
      message: isRefused
        ? 'This window is not signed in to the running app. Open it again with “countersign app”.'
        : 'The back end does not answer. Check that Countersign still runs in its terminal: this window reconnects by itself. After a new start, open the address that is printed there.',
      details: httpStatus === null ? {} : { httpStatus },
      retryable: !isRefused,
    },
  };
}

/** Keeps one event stream open and says when it is lost or back. */
class EventStream {
  private isOpen = false;
  private isRefused = false;
  private attempts = 0;
  private openedAt = Infinity;
  private state: ConnectionState = 'connecting';
  private ending = new AbortController();
  private readonly listeners = new Set<EventListener>();
  private readonly watchers = new Set<(state: ConnectionState) => void>();

  constructor(private readonly proof: string) {}

  subscribe(listener: EventListener): () => void {
    this.listeners.add(listener);
    this.open();
    return () => this.listeners.delete(listener);
  }

  watch(listener: (state: ConnectionState) => void): () => void {
    this.watchers.add(listener);
    listener(this.state);
    this.open();
    return () => this.watchers.delete(listener);
  }

  private setState(next: ConnectionState): void {
    if (next === this.state) return;
    this.state = next;
    for (const watcher of this.watchers) watcher(next);
  }

  /** Ends a stream that may stand still, and opens it again: what was missed is read then. */
  lose(): void {
    this.setState('offline');
    this.ending.abort();
  }

  private open(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    void this.follow().finally(() => this.openAgain());
  }

  /** Reads the stream until it breaks. `EventSource` would do, but sends no header of ours. */
  private async follow(): Promise<void> {
    this.ending = new AbortController();
    try {
      const { signal } = this.ending;
      const response = await fetch('/api/events', { headers: { [proofHeader]: this.proof }, signal });
      this.isRefused = response.status === 401 || response.status === 403;
      if (!response.ok || response.body === null) return;
      this.openedAt = performance.now();
      this.setState('online');
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = '';
      for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
        const messages = (rest + chunk.value).split('\n\n');
        rest = messages.pop() ?? '';
        for (const message of messages) this.tell(message);
      }
    } catch {
      this.isRefused = false;
      // The connection is gone: it is opened again like one that ended.
    }
  }

  private tell(message: string): void {
    if (!message.startsWith('data: ')) return;
    const { name, payload } = JSON.parse(message.slice(6)) as {
      name: EventName;
      payload: EventMap[EventName];
    };
    for (const listener of this.listeners) {
      try {
        listener(name, payload);
      } catch (error) {
        // One that fails must not end the stream for all others.
        reportError(error);
      }
    }
  }

  private openAgain(): void {
    this.isOpen = false;
    this.setState(this.isRefused ? 'refused' : 'offline');
    if (performance.now() - this.openedAt >= stableMs) this.attempts = 0;
    this.openedAt = Infinity;
    const delayMs = reconnectDelaysMs[Math.min(this.attempts, reconnectDelaysMs.length - 1)];
    this.attempts += 1;
    setTimeout(() => this.open(), delayMs);
  }
}

/**
 * Takes what proves this page to its host out of the address, and keeps it for this tab: where a reload finds it, and
 * where neither another server of this machine nor another tab does.
 */
function takeProof(): string {
  if (location.hash.startsWith(proofFragment)) {
    sessionStorage.setItem(proofKey, location.hash.slice(proofFragment.length));
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem(proofKey) ?? '';
}

/** Reaches the web host that served this page: JSON POST for calls, one event stream, both with cookie and proof. */
export function createWebTransport(): Transport {
  const proof = takeProof();
  const stream = new EventStream(proof);
  return {
    call: async (method, input) => {
      let response: Response;
      try {
        response = await fetch('/api/call', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', [proofHeader]: proof },
          body: JSON.stringify({ method, input }),
        });
      } catch {
        stream.lose();
        return unreachable(null);
      }
      const reply: unknown = await response.json().catch(() => null);
      return isReply(reply) ? reply : unreachable(response.status);
    },
    subscribe: (listener) => stream.subscribe(listener),
    watchConnection: (listener) => stream.watch(listener),
  };
}
