import type { MethodInput, MethodOutput } from '@shared/contract/contract';
import type { SandboxRequestDetail, SandboxState } from '@shared/contract/sandbox';
import { call } from '../../../transport/client';
import { toClientError, type ClientError } from '../../../transport/client-error';

export type RequestFilter = Required<
  Pick<MethodInput<'sandbox.listRequests'>, 'operation' | 'statusClass' | 'text'>
>;

export interface RequestLogState {
  requestId: string | null;
  explanation: MethodOutput<'sandbox.explain'> | null;
  explanationError: ClientError | null;
  requestFilter: RequestFilter;
  /** The requests that the filter lets through, newest first. */
  requests: SandboxState['requests'];
  /** Accepted requests that came faster than they are kept. */
  skippedRequests: number;
  /** All that is known of the chosen request. */
  request: SandboxRequestDetail | null;
  openRequest(requestId: string): Promise<void>;
  filterRequests(change: Partial<RequestFilter>): Promise<void>;
}

const shownRows = 500;

export const listRequests = (filter: RequestFilter): Promise<MethodOutput<'sandbox.listRequests'>> =>
  call('sandbox.listRequests', { limit: shownRows, ...filter });

/** Opens requests of the log, and narrows the list of them. */
export function createRequestActions(
  set: (change: Partial<RequestLogState> & { actionError?: ClientError | null }) => void,
  get: () => RequestLogState,
): Pick<RequestLogState, 'openRequest' | 'filterRequests'> {
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
        const { requests, skipped } = await listRequests(requestFilter);
        if (get().requestFilter !== requestFilter) return;
        set({ requests, skippedRequests: skipped, actionError: null });
      } catch (error) {
        if (get().requestFilter === requestFilter) set({ actionError: toClientError(error) });
      }
    },
  };
}
