import type { z } from 'zod';
import type { appStatus } from './app';
import type { forwardingStatus, tunnelStatus } from './forwarding';
import type { listenerStatus, webhookSummary } from './inbox';

/** Every event that the back end sends. Payloads are plain data; none holds a secret. */
export interface EventMap {
  /** New webhooks, newest last; bursts are gathered, at most ten events a second. `webhooks` holds at most 100 of them. */
  'inbox.received': { webhooks: z.output<typeof webhookSummary>[]; count: number; unreadCount: number };
  'inbox.changed': { unreadCount: number; isMended?: true };
  'listener.changed': z.output<typeof listenerStatus>;
  'forwarding.changed': z.output<typeof forwardingStatus>;
  'tunnel.changed': z.output<typeof tunnelStatus>;
  'app.statusChanged': z.output<typeof appStatus>;
  /** No paths: the collection was opened or closed. */
  'collections.changed': { collectionId: string; paths: string[] };
  'sandbox.changed': { reason: string };
  'journey.changed': { references: string[] };
  'vault.changed': Record<string, never>;
  'environments.changed': Record<string, never>;
  'doctor.progress': { diagnosisId: string; searched: number; stage: string };
}

export type EventName = keyof EventMap;

/** How services publish; hosts pass everything on to their clients. */
export interface EventBus {
  emit<E extends EventName>(name: E, payload: EventMap[E]): void;
  subscribe<E extends EventName>(name: E, listener: (payload: EventMap[E]) => void): () => void;
  subscribeAll(listener: (name: EventName, payload: EventMap[EventName]) => void): () => void;
}
