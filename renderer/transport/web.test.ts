import { afterEach, describe, expect, it, vi } from 'vitest';
import { createWebTransport } from './web';

class FakeEventSource {
  static all: FakeEventSource[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onerror: (() => void) | null = null;
  isClosed = false;
  constructor(readonly url: string) {
    FakeEventSource.all.push(this);
  }
  close(): void {
    this.isClosed = true;
  }
}

const answer = (status: number, body: unknown) => ({ status, json: () => Promise.resolve(body) });

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  FakeEventSource.all = [];
});

describe('web transport', () => {
  it('gives the reply of the back end as it is, errors included', async () => {
    const reply = { ok: false, error: { code: 'a.b', message: 'm', details: {}, retryable: false } };
    vi.stubGlobal('fetch', () => Promise.resolve(answer(400, reply)));
    expect(await createWebTransport().call('app.status', {})).toEqual(reply);
  });

  it('says that the back end does not answer', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('network')));
    const reply = await createWebTransport().call('app.status', {});
    expect(reply).toMatchObject({ ok: false, error: { code: 'app.unreachable', retryable: true } });
  });

  it('says that the window is not signed in, where the answer is none of ours', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(answer(401, 'no')));
    const reply = await createWebTransport().call('app.status', {});
    expect(reply).toMatchObject({ ok: false, error: { code: 'app.not_authorized', retryable: false } });
  });

  it('opens the event stream again after it broke, and tells both', () => {
    vi.useFakeTimers();
    vi.stubGlobal('EventSource', FakeEventSource);
    const transport = createWebTransport();
    const states: string[] = [];
    const events: unknown[] = [];
    transport.watchConnection((state) => states.push(state));
    transport.subscribe((name, payload) => events.push([name, payload]));
    FakeEventSource.all[0]?.onopen?.();
    FakeEventSource.all[0]?.onerror?.();
    expect(FakeEventSource.all[0]?.isClosed).toBe(true);
    vi.advanceTimersByTime(300);
    FakeEventSource.all[1]?.onopen?.();
    FakeEventSource.all[1]?.onmessage?.({ data: '{"name":"inbox.changed","payload":{"unreadCount":2}}' });
    expect(states).toEqual(['connecting', 'online', 'offline', 'online']);
    expect(events).toEqual([['inbox.changed', { unreadCount: 2 }]]);
  });
});
