import type { AskedIdentity, RequestIdentity } from '@shared/contract/common';
import { create } from 'zustand';
import { navigate } from './routes';

/** A request that is to be opened and was never saved. */
export interface DraftHandover {
  title: string;
  /** Of the file. */
  text: string;
  /** The request that it came from: the draft stands beside it. */
  identity: RequestIdentity | null;
}

/** Filled by {@link handOverDraft}; the Requests view takes it. */
export const useDraftHandover = create<{ draft: DraftHandover | null }>(() => ({ draft: null }));

/** Opens a request in the Requests view as a draft that only Save writes. */
export function handOverDraft(draft: DraftHandover): void {
  useDraftHandover.setState({ draft });
  navigate('requests');
}

/** Gives what was handed over, once. */
export function takeDraft(): DraftHandover | null {
  const { draft } = useDraftHandover.getState();
  if (draft) useDraftHandover.setState({ draft: null });
  return draft;
}

interface HistoryRequest {
  identity: AskedIdentity;
  title: string;
}

/** The request whose history is asked for; the History view takes it. */
export const useHistoryRequest = create<{ request: HistoryRequest | null }>(() => ({ request: null }));

/** Shows what a request was sent and answered. */
export function showHistoryOf(request: HistoryRequest): void {
  useHistoryRequest.setState({ request });
  navigate('history');
}

/** Gives the request that was asked for, once. */
export function takeHistoryRequest(): HistoryRequest | null {
  const { request } = useHistoryRequest.getState();
  if (request) useHistoryRequest.setState({ request: null });
  return request;
}
