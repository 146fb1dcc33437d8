import { create } from 'zustand';
import { views, type ViewId } from './views';

export interface ViewRoute {
  view: ViewId;
  /** What follows the view, decoded: the id of a webhook, a reference, a path. Empty: none. */
  rest: string;
}

/** Reads `#/view/rest`; anything else is Requests. */
export function parseRoute(hash: string): ViewRoute {
  const [, view = '', rest = ''] = /^#\/([a-z]+)(?:\/(.*))?$/s.exec(hash) ?? [];
  const known = views.find(({ id }) => id === view);
  return known ? { view: known.id, rest: decode(rest) } : { view: 'requests', rest: '' };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Writes the address of a view: `#/inbox/<id>`, `#/payments/<reference>`, `#/requests/<path>`. */
export function routeHref(view: ViewId, rest = ''): string {
  return rest ? `#/${view}/${encodeURIComponent(rest)}` : `#/${view}`;
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
  location.hash = routeHref(view, rest);
}

/** Changes the address within a view without a new step for Back: moving through a list is not going somewhere. */
export function replaceRoute(view: ViewId, rest = ''): void {
  location.replace(routeHref(view, rest));
}

/** Follows the address bar. */
export function startRoutes(): () => void {
  const follow = (): void => useRoute.setState(parseRoute(location.hash), true);
  follow();
  window.addEventListener('hashchange', follow);
  return () => window.removeEventListener('hashchange', follow);
}
