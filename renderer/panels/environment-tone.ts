import type { AppStatus } from '@shared/contract/app';
import type { Environment } from '@shared/contract/environments';
import type { ConnectionState } from '../transport/transport';
import type { Tone } from '../ui/tag';

/** The colour of a state of the sandbox or the listener. */
export const stateTones: Record<AppStatus['sandbox']['state'], Tone> = {
  running: 'good',
  starting: 'warn',
  stopped: 'quiet',
  failed: 'bad',
};

/**
 * The colour of the environment in use. The local one is as well as its sandbox: no green beside 'stopped', nor while the back
 * end, which runs it, is not heard.
 */
export function toneOfEnvironment({
  status,
  connection,
}: {
  status: AppStatus | null;
  connection: ConnectionState;
}): Tone {
  if (status === null) return 'quiet';
  const isHeard = connection !== 'offline' && connection !== 'refused';
  return toneOfKind(status.environment.kind, isHeard ? status.sandbox.state : 'stopped');
}

/** The colour of an environment of this kind, in use or not. */
export function toneOfKind(kind: Environment['kind'], sandbox: AppStatus['sandbox']['state']): Tone {
  if (kind === 'local') return stateTones[sandbox];
  return kind === 'production' ? 'bad' : 'warn';
}
