import type { EventMap, EventName } from '@shared/contract/events';
import { subscribe } from './client';

/** A state that the back end tells whole at each change, and in the answers to some calls. */
export interface FollowedState<E extends EventName> {
  /** Follows the event; the returned function stops. */
  start(): () => void;
  /**
   * Takes and gives the state that a call answers with; it is not taken where an event has told of a later one
   * before the answer came: events and answers come by different ways, and an answer may be overtaken.
   */
  takeAnswer(ask: () => Promise<EventMap[E]>): Promise<EventMap[E]>;
}

/** Follows a state by its event and by answers, and never goes back to an earlier one. */
export function followState<E extends EventName>(
  event: E,
  take: (state: EventMap[E]) => void,
): FollowedState<E> {
  let told = 0;
  return {
    start: () =>
      subscribe(event, (state) => {
        told += 1;
        take(state);
      }),
    takeAnswer: async (ask) => {
      const before = told;
      const state = await ask();
      if (told === before) take(state);
      return state;
    },
  };
}
