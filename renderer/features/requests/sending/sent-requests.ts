import type { MethodInput } from '@shared/contract/contract';
import { findTab, type OpenTab } from '../requests-store';

/** What was given to the back end: placeholders of secrets in it, never their values. */
export type SentInput = Omit<MethodInput<'sending.send'>, 'sendId'>;

export interface SentRequest {
  exchangeId: string;
  input: SentInput;
  /** Addresses that pointed on to this one. */
  seen: readonly string[];
}

/** The last request of each tab while the window is open: what may be sent once more as it was. */
const sentByTab = new Map<string, SentRequest>();

/** Of a tab that was closed while its request was under way nothing is kept: nobody would ever forget it. */
export function keepSent(tabId: string, sent: SentRequest): void {
  if (findTab(tabId) !== undefined) sentByTab.set(tabId, sent);
}

/** What was sent in an environment may be sent once more under the name that it has now. */
export function followRenameOfSent(from: string, to: string): void {
  for (const [tabId, sent] of sentByTab) {
    if (sent.input.environment === from)
      sentByTab.set(tabId, { ...sent, input: { ...sent.input, environment: to } });
  }
}

export function forgetSent(tabId: string): void {
  sentByTab.delete(tabId);
}

/** What was sent for the answer that a tab shows; null: it is not known any more. */
export function findSent(tab: OpenTab | undefined): SentRequest | null {
  const sent = tab && sentByTab.get(tab.id);
  return sent && sent.exchangeId === tab.exchange?.id ? sent : null;
}
