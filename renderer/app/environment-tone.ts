import type { AppStatus } from '@shared/contract/app';
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
  if (environment.kind === 'local') return stateTones[sandbox.state];
  return environment.kind === 'production' ? 'bad' : 'warn';
}
