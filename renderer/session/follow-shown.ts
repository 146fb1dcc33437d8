import type { ViewId } from '@shared/actions/view-list';
import { replaceRoute, useRoute } from './routes';

/**
 * Has the address of a view name what is on show, where what it named is gone: a row was deleted, here or elsewhere, and the next
 * one took its place. A reload, or the next start, would look for what is no more.
 *
 * @param before - id that was on show; null: none
 * @param now - id that is on show since; null: none
 * @param show - writes the address of what is on show
 */
export function followShown(
  view: ViewId,
  before: string | null,
  now: string | null,
  show: (id: string) => void,
): void {
  if (before === null || before === now) return;
  const route = useRoute.getState();
  // A row that somebody chose is named already.
  if (route.view !== view || route.rest.split('/').pop() !== before) return;
  if (now === null) replaceRoute(view);
  else show(now);
}
