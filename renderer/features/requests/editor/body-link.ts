import { create } from 'zustand';

interface BodyLinkState {
  /** A range of the body that is to be brought into view once its editor stands. */
  pending: { tabId: string; start: number; end: number } | null;
}

/** Jumps from the strip and from field errors of an answer to the body. */
export const useBodyLink = create<BodyLinkState>(() => ({ pending: null }));
