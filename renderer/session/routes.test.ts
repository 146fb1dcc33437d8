import { describe, expect, it } from 'vitest';
import { parseRoute, routeHref } from './routes';

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
