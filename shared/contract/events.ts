import type { z } from 'zod';
import type { appStatus } from './app';
import type { forwardingStatus, tunnelStatus } from './forwarding';
import type { listenerStatus, webhookSummary } from './inbox';
import type { proxyStatus } from './proxy';
import type { receiverStatus } from './receiver';
import type { AppRun, ItemResult } from './running';
import type { teamInboxes } from './team';

/** Every event that the back end sends. Payloads are plain data; none holds a secret. */
export interface EventMap {
  /** New webhooks, newest last; bursts are gathered, at most ten events a second. `webhooks` holds at most 100 of them. */
  'inbox.received': { webhooks: z.output<typeof webhookSummary>[]; count: number; unreadCount: number };
  /** `isMended`, `isPruned`: rows went or came that not every window asked for; `isMarked`: pins, notes or tags are others; `isChangedElsewhere`: another process wrote. */
  'inbox.changed': {
    unreadCount: number;
    isMended?: true;
    isPruned?: true;
    isMarked?: true;
    isChangedElsewhere?: true;
  };
  /** The same of a team's inbox that is open. */
  'team.received': {
    store: string;
    webhooks: z.output<typeof webhookSummary>[];
    count: number;
    unreadCount: number;
  };
  /** Read marks, pins or notes of an open team's inbox changed here. */
  'team.marked': { store: string; unreadCount: number };
  'team.changed': z.output<typeof teamInboxes>;
  'settings.changed': { names: string[] };
  'listener.changed': z.output<typeof listenerStatus>;
  'forwarding.changed': z.output<typeof forwardingStatus>;
  'tunnel.changed': z.output<typeof tunnelStatus>;
  /** Something was chosen in the menu bar; the page does it. */
  'app.actionAsked': { id: string };
  /** The desktop handed over a link or a file; `app.takeLink` gives it. */
  'app.linkCame': Record<string, never>;
  'app.statusChanged': z.output<typeof appStatus>;
  /** No paths: the collection was opened or closed. */
  'collections.changed': { collectionId: string; paths: string[] };
  'sandbox.changed': { reason: string };
  'proxy.changed': z.output<typeof proxyStatus>;
  /** New exchanges are kept; bursts are gathered, at most ten events a second. */
  'proxy.received': { count: number };
  /** A request that may change something waits for its answer and would break off with the app, or none any more. */
  'proxy.holding': { isHolding: boolean };
  'receiver.changed': z.output<typeof receiverStatus>;
  'journey.changed': { references: string[] };
  /** Exchanges came, ended or went; bursts are gathered. */
  'history.changed': Record<string, never>;
  'vault.changed': Record<string, never>;
  /** `renamed`: from one id to another; what is kept by it goes along. */
  'environments.changed': { renamed?: { from: string; to: string } };
  /** How a run goes on: what ended since the last word, and what waits for its outcome. A window that came late reads `running.get`. */
  'running.changed': {
    id: string;
    state: AppRun['state'];
    durationMs: number;
    results: ItemResult[];
    underWay: number[];
  };
  'doctor.progress': { diagnosisId: string; searched: number; stage: string };
}

export type EventName = keyof EventMap;

/** How services publish; hosts pass everything on to their clients. */
export interface EventBus {
  emit<E extends EventName>(name: E, payload: EventMap[E]): void;
  subscribe<E extends EventName>(name: E, listener: (payload: EventMap[E]) => void): () => void;
  subscribeAll(listener: (name: EventName, payload: EventMap[EventName]) => void): () => void;
}
