import type { MethodInput, MethodOutput } from '@shared/contract/contract';
import { call } from '../../../transport/client';
import { toClientError } from '../../../transport/client-error';
import type { Get, SandboxStoreState, Set } from '../sandbox-store';

export type RequestDetail = MethodOutput<'sandbox.getRequest'>;
export type RequestFilter = Required<
  Pick<MethodInput<'sandbox.listRequests'>, 'operation' | 'statusClass' | 'text'>
>;

const shownRows = 500;

export const listRequests = (filter: RequestFilter): Promise<MethodOutput<'sandbox.listRequests'>> =>
  call('sandbox.listRequests', { limit: shownRows, ...filter });

/** Opens requests of the log, and narrows the list of them. */
export function createRequestActions(
  set: Set,
  get: Get,
): Pick<SandboxStoreState, 'openRequest' | 'filterRequests'> {
  return {
    openRequest: async (requestId) => {
      const isOpen = (): boolean => get().requestId === requestId;
      set({ requestId, request: null, explanation: null, explanationError: null });
      try {
        const request = await call('sandbox.getRequest', { requestId });
        if (isOpen()) set({ request });
        // The doctor takes longer: what is known is there meanwhile.
        const explanation = await call('sandbox.explain', { requestId });
        if (isOpen()) set({ explanation });
      } catch (error) {
        if (isOpen()) set({ explanationError: toClientError(error) });
      }
    },
    filterRequests: async (change) => {
      const requestFilter = { ...get().requestFilter, ...change };
      set({ requestFilter });
      try {
        const { requests } = await listRequests(requestFilter);
        if (get().requestFilter === requestFilter) set({ requests, actionError: null });
      } catch (error) {
        set({ actionError: toClientError(error) });
      }
    },
  };
}
