import type { Environment } from '@shared/contract/environments';

/** Environments to choose from; production is said to be that. */
export const toEnvironmentOptions = (environments: readonly Environment[]) =>
  environments.map(({ id, label, kind }) => ({
    id,
    label,
    ...(kind === 'production' ? { detail: 'production' } : {}),
  }));
