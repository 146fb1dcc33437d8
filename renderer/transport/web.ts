import type { Reply } from '@shared/contract/define';
import type { EventMap, EventName } from '@shared/contract/events';
import type { ConnectionState, EventListener, Transport } from './transport';

/** Waits before the event stream is opened again, milliseconds; the last one repeats. */
const reconnectDelaysMs = [250, 500, 1000, 2000, 5000];

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
  private source: EventSource | null = null;
  private attempts = 0;
  private state: ConnectionState = 'connecting';
  private readonly listeners = new Set<EventListener>();
  private readonly watchers = new Set<(state: ConnectionState) => void>();

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

  setState(next: ConnectionState): void {
    if (next === this.state) return;
    this.state = next;
    for (const watcher of this.watchers) watcher(next);
  }

  private open(): void {
    if (this.source) return;
    const source = new EventSource('/api/events');
    this.source = source;
    source.onopen = () => {
      this.attempts = 0;
      this.setState('online');
    };
    source.onmessage = (message: MessageEvent<string>) => {
      const { name, payload } = JSON.parse(message.data) as { name: EventName; payload: EventMap[EventName] };
      for (const listener of this.listeners) listener(name, payload);
    };
    // The browser retries by itself on some failures and gives up on others: one way for all of them.
    source.onerror = () => {
      source.close();
      this.source = null;
      this.setState('offline');
      const delayMs = reconnectDelaysMs[Math.min(this.attempts, reconnectDelaysMs.length - 1)];
      this.attempts += 1;
      setTimeout(() => this.open(), delayMs);
    };
  }
}

/** Reaches the web host that served this page: JSON POST for calls, one event stream, both with the session cookie. */
export function createWebTransport(): Transport {
  const stream = new EventStream();
  return {
    call: async (method, input) => {
      let response: Response;
      try {
        response = await fetch('/api/call', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ method, input }),
        });
      } catch {
        stream.setState('offline');
        return unreachable(null);
      }
      const reply: unknown = await response.json().catch(() => null);
      return isReply(reply) ? reply : unreachable(response.status);
    },
    subscribe: (listener) => stream.subscribe(listener),
    watchConnection: (listener) => stream.watch(listener),
  };
}
