import type { AppLink } from '@shared/links/parse-link';
import { create } from 'zustand';
import { call, hasSystemDialogs, subscribe } from '../transport/client';
import { navigate } from './routes';

/** What a link or a file asks for, where the user is asked first, or told why not. */
type LinkQuestion = Extract<AppLink, { kind: 'import' | 'file' | 'refused' }>;

/** The link that is asked about now; the next waits for its answer. */
export const useAskedLink = create<{ asked: LinkQuestion | null }>(() => ({ asked: null }));

/** Follows links and files that the desktop hands to the app. A place is gone to; everything else is asked about. */
export function startLinks(): void {
  if (!hasSystemDialogs()) return;
  subscribe('app.linkCame', () => void takeLinks());
  void takeLinks();
}

/** Answers the question that stands there, and goes on to what waits behind it. */
export function closeLinkQuestion(): void {
  useAskedLink.setState({ asked: null });
  void takeLinks();
}

/** Two that come at once are taken one after the other: the question of the first would be put aside by the second's. */
let turn: Promise<void> = Promise.resolve();
const takeLinks = (): Promise<void> => (turn = turn.then(takeWaiting));

async function takeWaiting(): Promise<void> {
  while (useAskedLink.getState().asked === null) {
    const { link } = await call('app.takeLink').catch(() => ({ link: null }));
    if (link === null) return;
    if (link.kind === 'view') navigate(link.view, link.rest);
    else if (link.kind === 'request') await goToRequest(link);
    else useAskedLink.setState({ asked: link });
  }
}

/** Only what stands in an open collection; nothing is opened for a link. */
async function goToRequest({ collection, path }: Extract<AppLink, { kind: 'request' }>): Promise<void> {
  const { collections } = await call('collections.list').catch(() => ({ collections: [] }));
  for (const { id } of collections.filter((one) => one.id === collection || one.name === collection)) {
    const tree = await call('collections.tree', { collectionId: id }).catch(() => null);
    if (tree?.nodes.some((node) => node.kind === 'request' && node.path === path)) {
      return navigate('requests', `@${id}/${path}`);
    }
  }
  const reason = `This link was not followed: no open collection “${collection}” has a request “${path}”.`;
  useAskedLink.setState({ asked: { kind: 'refused', reason } });
}
