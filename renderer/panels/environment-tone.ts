import type { AppStatus } from '@shared/contract/app';
import type { Environment } from '@shared/contract/environments';
import type { Tone } from '../ui/tag';

/** The colour of a state of the sandbox or the listener. */
export const stateTones: Record<AppStatus['sandbox']['state'], Tone> = {
  running: 'good',
  starting: 'warn',
  stopped: 'quiet',
  failed: 'bad',
};

/** The colour of the environment in use. The local one is as well as its sandbox: no green beside 'stopped'. */
export function toneOfEnvironment({ environment, sandbox }: AppStatus): Tone {
  return toneOfKind(environment.kind, sandbox.state);
}

/** The colour of an environment of this kind, in use or not. */
export function toneOfKind(kind: Environment['kind'], sandbox: AppStatus['sandbox']['state']): Tone {
  if (kind === 'local') return stateTones[sandbox];
  return kind === 'production' ? 'bad' : 'warn';
}
