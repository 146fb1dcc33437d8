import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWebTransport } from './web';

const answer = (status: number, body: unknown) => ({ status, json: () => Promise.resolve(body) });

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  vi.stubGlobal('location', { hash: '', pathname: '/' });
  vi.stubGlobal('history', { replaceState: () => Object.assign(location, { hash: '' }) });
});

describe('web transport', () => {
  it('takes its proof out of the address, keeps it for the tab, and sends it as a header', async () => {
    const sent: unknown[] = [];
    vi.stubGlobal('fetch', (path: string, options: { headers: Record<string, string> }) => {
      sent.push([path, options.headers['x-countersign-proof']]);
      return Promise.resolve(answer(200, { ok: true, value: {} }));
    });
    location.hash = '#proof=abc';
    await createWebTransport().call('app.status', {});
    expect(location.hash).toBe('');
    await createWebTransport().call('app.status', {});
    expect(sent).toEqual([
      ['/api/call', 'abc'],
      ['/api/call', 'abc'],
    ]);
  });

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

  it('tells a back end that does not know this window from one that is gone', async () => {
    vi.useFakeTimers();
    let ask = (): Promise<unknown> => Promise.resolve({ ok: false, status: 401, body: null });
    vi.stubGlobal('fetch', () => ask());
    const states: string[] = [];
    createWebTransport().watchConnection((state) => states.push(state));
    await vi.waitFor(() => expect(states).toEqual(['connecting', 'refused']));
    ask = () => Promise.reject(new TypeError('network'));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(states).toEqual(['connecting', 'refused', 'offline']);
  });

  it('opens the event stream again after a call that failed while the stream stood: what failed is read again', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('fetch', (path: string, { signal }: { signal?: AbortSignal }) => {
      if (path === '/api/call') return Promise.reject(new TypeError('network'));
      const start = (controller: ReadableStreamDefaultController<Uint8Array>): void =>
        signal?.addEventListener('abort', () => controller.error(signal.reason));
      return Promise.resolve({ ok: true, body: new ReadableStream<Uint8Array>({ start }) });
    });
    const transport = createWebTransport();
    const states: string[] = [];
    transport.watchConnection((state) => states.push(state));
    await vi.waitFor(() => expect(states).toEqual(['connecting', 'online']));
    await transport.call('app.status', {});
    await vi.advanceTimersByTimeAsync(300);
    expect(states).toEqual(['connecting', 'online', 'offline', 'online']);
  });

  it('opens it at longer and longer waits where every call fails, and soon again once it has stood', async () => {
    vi.useFakeTimers();
    let opened = 0;
    vi.stubGlobal('fetch', (path: string, { signal }: { signal?: AbortSignal }) => {
      if (path === '/api/call') return Promise.reject(new TypeError('network'));
      opened += 1;
      const start = (controller: ReadableStreamDefaultController<Uint8Array>): void =>
        signal?.addEventListener('abort', () => controller.error(signal.reason));
      return Promise.resolve({ ok: true, body: new ReadableStream<Uint8Array>({ start }) });
    });
    const transport = createWebTransport();
    let isFailing = true;
    transport.watchConnection((state) => {
      if (state === 'online' && isFailing) void transport.call('app.status', {});
    });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(opened).toBeLessThan(20);
    isFailing = false;
    await vi.advanceTimersByTimeAsync(20_000);
    const before = opened;
    await transport.call('app.status', {});
    await vi.advanceTimersByTimeAsync(300);
    expect(opened).toBe(before + 1);
  });

  it('opens the event stream again after it broke, and tells both', async () => {
    vi.useFakeTimers();
    const streams: ReadableStreamDefaultController<Uint8Array>[] = [];
    vi.stubGlobal('fetch', () => {
      const body = new ReadableStream<Uint8Array>({ start: (controller) => void streams.push(controller) });
      return Promise.resolve({ ok: true, body });
    });
    const transport = createWebTransport();
    const states: string[] = [];
    const events: unknown[] = [];
    transport.watchConnection((state) => states.push(state));
    transport.subscribe((name, payload) => events.push([name, payload]));
    await vi.waitFor(() => expect(states).toEqual(['connecting', 'online']));
    streams[0]!.close();
    await vi.waitFor(() => expect(states.at(-1)).toBe('offline'));
    await vi.advanceTimersByTimeAsync(300);
    const send = (text: string): void => streams[1]!.enqueue(new TextEncoder().encode(text));
    send(': open\n\ndata: {"name":"inbox.changed","pay');
    send('load":{"unreadCount":2}}\n\n');
    await vi.waitFor(() => expect(events).toEqual([['inbox.changed', { unreadCount: 2 }]]));
    expect(states).toEqual(['connecting', 'online', 'offline', 'online']);
  });
});
