import { useAppStatus } from '../../../session/app-status';
import { updateTab, useRequestsStore } from '../requests-store';
import { loadLastExchange } from './sending-actions';

/**
 * Takes away what was said of sends that were refused, once another environment is chosen: nobody knows whether it holds
 * there, and the ways out that it offers would be those of the new one.
 */
export function followRefusals(): void {
  useAppStatus.subscribe(({ status }, before) => {
    if (!before.status || !status || status.environment.id === before.status.environment.id) return;
    for (const { id, sendError } of useRequestsStore.getState().tabs) {
      if (sendError === null) continue;
      updateTab(id, { sendError: null });
      void loadLastExchange(id);
    }
  });
}
