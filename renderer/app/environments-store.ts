import type { Environment } from '@shared/contract/environments';
import { create } from 'zustand';
import { refreshAppStatus } from '../session/app-status';
import { call, subscribe } from '../transport/client';
import { toClientError, type ClientError } from '../transport/client-error';

interface EnvironmentsState {
  environments: readonly Environment[];
  error: ClientError | null;
}

/** Environments for the switch in the rail. */
export const useEnvironments = create<EnvironmentsState>(() => ({ environments: [], error: null }));

async function loadEnvironments(): Promise<void> {
  try {
    const { environments } = await call('environments.list');
    useEnvironments.setState({ environments, error: null });
  } catch (error) {
    useEnvironments.setState({ error: toClientError(error) });
  }
}

/** Loads the environments and follows their changes. */
export function startEnvironments(): () => void {
  void loadEnvironments();
  return subscribe('environments.changed', () => void loadEnvironments());
}

/** Makes an environment the active one. */
export async function selectEnvironment(id: string): Promise<void> {
  try {
    await call('environments.select', { id });
    await Promise.all([refreshAppStatus(), loadEnvironments()]);
  } catch (error) {
    useEnvironments.setState({ error: toClientError(error) });
  }
}
