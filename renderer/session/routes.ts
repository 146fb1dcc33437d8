import { viewList, type ViewId } from '@shared/actions/view-list';
import { useEffect } from 'react';
import { create } from 'zustand';
import { decodeFromUrl, encodeForUrl } from '@shared/encode-for-url';

export interface ViewRoute {
  view: ViewId;
  /** What follows the view, decoded: the id of a webhook, a reference, a path. Empty: none. */
  rest: string;
}

/** Reads `#/view/rest`; anything else is Requests. */
export function parseRoute(hash: string): ViewRoute {
  const [, view = '', rest = ''] = /^#\/([a-z]+)(?:\/(.*))?$/s.exec(hash) ?? [];
  const known = viewList.find(({ id }) => id === view);
  return known ? { view: known.id, rest: decodeFromUrl(rest) } : { view: 'requests', rest: '' };
}

/** Writes the address of a view: `#/inbox/<id>`, `#/payments/<reference>`, `#/requests/<path>`. */
export function routeHref(view: ViewId, rest = ''): string {
  return rest ? `#/${view}/${encodeForUrl(rest)}` : `#/${view}`;
}

/** Where the credentials of an environment are entered. */
export function credentialsHref(environment: { id: string } | null): string {
  return routeHref('keys', environment === null ? '' : `credentials/${environment.id}`);
}

/** The route shown now. */
export const useRoute = create<ViewRoute>(() =>
  parseRoute(typeof location === 'undefined' ? '' : location.hash),
);

/** Goes to a view; the address follows, so that Back works. */
export function navigate(view: ViewId, rest = ''): void {
  if (addressTimer !== null) {
    forgetAddress();
    writeAddress();
  }
  location.hash = routeHref(view, rest);
}

/** Browsers stop a page that changes its address more often than 200 times in ten seconds. */
const addressPauseMs = 100;
let addressTimer: ReturnType<typeof setTimeout> | null = null;
let addressWrittenAt = -addressPauseMs;
/** What the address was when it was read or written last; null: never yet. */
let knownAddress: string | null = null;

function writeAddress(): void {
  addressTimer = null;
  // Somebody has gone elsewhere, by a link or by Back, and `hashchange` is on its way: what was on show gives way to it.
  if (knownAddress !== null && location.hash !== knownAddress) return;
  addressWrittenAt = performance.now();
  const { view, rest } = useRoute.getState();
  history.replaceState(null, '', routeHref(view, rest));
  knownAddress = location.hash;
}

/**
 * Changes the address within a view without a new step for Back: moving through a list is not going somewhere.
 *
 * The route is another one at once, so that no key is lost while one is held down; the address follows at its pace.
 */
export function replaceRoute(view: ViewId, rest = ''): void {
  useRoute.setState({ view, rest });
  const restMs = addressWrittenAt + addressPauseMs - performance.now();
  if (restMs <= 0) writeAddress();
  else addressTimer ??= setTimeout(writeAddress, restMs);
}

/**
 * Follows what the address of a view names, once: the address is then that of the view alone.
 *
 * Where something else is chosen there meanwhile, the same link leads there again: a browser tells of no address twice.
 */
export function useAsked(view: ViewId, follow: (rest: string) => void): void {
  const rest = useRoute((route) => (route.view === view ? route.rest : ''));
  useEffect(() => {
    if (rest === '') return;
    follow(rest);
    replaceRoute(view);
  }, [view, rest, follow]);
}

function forgetAddress(): void {
  if (addressTimer !== null) clearTimeout(addressTimer);
  addressTimer = null;
}

/** Follows the address bar. */
export function startRoutes(): () => void {
  const follow = (): void => {
    forgetAddress();
    knownAddress = location.hash;
    useRoute.setState(parseRoute(location.hash), true);
  };
  follow();
  window.addEventListener('hashchange', follow);
  return () => window.removeEventListener('hashchange', follow);
}
