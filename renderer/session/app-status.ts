import type { AppStatus } from '@shared/contract/app';
import { localEnvironmentId } from '@shared/contract/environment-id';
import { create } from 'zustand';
import { afterReconnect, call, subscribe, watchConnection } from '../transport/client';
import { followState } from '../transport/follow-state';
import { toClientError, type ClientError } from '../transport/client-error';
import type { ConnectionState } from '../transport/transport';

interface AppStatusState {
  status: AppStatus | null;
  error: ClientError | null;
  connection: ConnectionState;
}

/** What every view may read: active environment, addresses of sandbox and listener, vault, unread count. */
export const useAppStatus = create<AppStatusState>(() => ({
  status: null,
  error: null,
  connection: 'connecting',
}));

/** Id of the active environment; the embedded sandbox's until the back end has told. */
export const selectEnvironmentId = (state: AppStatusState): string =>
  state.status?.environment.id ?? localEnvironmentId;

const followed = followState('app.statusChanged', (status) => useAppStatus.setState({ status, error: null }));

/** Asks the back end for its status. Never throws: the error stands in the store. */
export async function refreshAppStatus(): Promise<void> {
  try {
    await followed.takeAnswer(() => call('app.status'));
  } catch (error) {
    useAppStatus.setState({ error: toClientError(error) });
  }
}

/** Loads the status and follows it; after a lost connection it is read afresh, since events were missed. */
export function startAppStatus(): () => void {
  const stops = [
    followed.start(),
    subscribe('inbox.received', ({ unreadCount }) => setUnread(unreadCount)),
    subscribe('inbox.changed', ({ unreadCount }) => setUnread(unreadCount)),
    subscribe('environments.changed', () => void refreshAppStatus()),
    subscribe('vault.changed', () => void refreshAppStatus()),
    watchConnection((connection) => useAppStatus.setState({ connection })),
    afterReconnect(() => void refreshAppStatus()),
  ];
  void refreshAppStatus();
  return () => stops.forEach((stop) => stop());
}

function setUnread(unreadCount: number): void {
  useAppStatus.setState(({ status }) => (status ? { status: { ...status, unreadCount } } : {}));
}
