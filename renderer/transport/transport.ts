import type { EventName, EventMap } from '@shared/contract/events';
import type { Reply } from '@shared/contract/define';

/** Whether the back end answers. `connecting`: nothing heard yet; `refused`: it does, and does not know this window. */
export type ConnectionState = 'connecting' | 'online' | 'offline' | 'refused';

export type EventListener = (name: EventName, payload: EventMap[EventName]) => void;

/** One way to reach the back end. Hosts differ here and nowhere else in the renderer. */
export interface Transport {
  /** Sends one call; never throws: what fails on the way becomes an error reply. */
  call(method: string, input: unknown): Promise<Reply<unknown>>;
  /** Hands every event of the back end to `listener` until the returned function is called. */
  subscribe(listener: EventListener): () => void;
  /** Tells at once, and on every change, whether the back end can be reached. */
  watchConnection(listener: (state: ConnectionState) => void): () => void;
}

/** What the preload script puts on `window` in the desktop app. */
export interface PreloadBridge {
  host: 'electron';
  call(method: string, input: unknown): Promise<Reply<unknown>>;
  subscribe(listener: EventListener): () => void;
  /** Where a file is that the user dropped; empty for one that is on no disk. */
  pathOf(file: File): string;
}

declare global {
  interface Window {
    countersign?: PreloadBridge;
  }
}
