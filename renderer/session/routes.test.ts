import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseRoute, replaceRoute, routeHref, startRoutes, useRoute } from './routes';

describe('routes', () => {
  it('reads back what it writes, whatever the id holds', () => {
    const reference = 'INV/2026 #42 مرجع %';
    expect(parseRoute(routeHref('payments', reference))).toEqual({ view: 'payments', rest: reference });
  });

  it('opens Requests for an address that it does not know', () => {
    expect(parseRoute('#/nowhere/at/all')).toEqual({ view: 'requests', rest: '' });
    expect(parseRoute('')).toEqual({ view: 'requests', rest: '' });
  });

  it('keeps an id that is not well encoded', () => {
    expect(parseRoute('#/inbox/100%')).toEqual({ view: 'inbox', rest: '100%' });
  });
});

describe('the address', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('goes where a link leads, though the list that was left still had to write its own row', () => {
    vi.useFakeTimers();
    const window = new EventTarget();
    const location = { hash: '#/history' };
    const replaceState = (_state: unknown, _title: string, hash: string) => (location.hash = hash);
    for (const [name, value] of Object.entries({ window, location, history: { replaceState } }))
      vi.stubGlobal(name, value);
    const stop = startRoutes();
    replaceRoute('history', 'a');
    expect(location.hash).toBe('#/history/a');
    replaceRoute('history', 'b');
    // The browser tells of it a moment later.
    location.hash = '#/payments';
    vi.advanceTimersByTime(1000);
    expect(location.hash).toBe('#/payments');
    window.dispatchEvent(new Event('hashchange'));
    expect(useRoute.getState()).toEqual({ view: 'payments', rest: '' });
    replaceRoute('payments', 'R-1');
    vi.advanceTimersByTime(1000);
    expect(location.hash).toBe('#/payments/R-1');
    stop();
  });
});
