import type { TunnelStatus } from '@shared/contract/forwarding';
import { create } from 'zustand';
import { afterReconnect, call } from '../transport/client';
import { followState } from '../transport/follow-state';

/** The way from outside to the listener, as the inbox and the status bar show it; null: not told yet. */
export const useTunnel = create<{ tunnel: TunnelStatus | null }>(() => ({ tunnel: null }));

const followed = followState('tunnel.changed', (tunnel) => useTunnel.setState({ tunnel }));

/** Loads the state and follows it; where it cannot be read nothing is shown of it. */
export function followTunnel(): () => void {
  const read = (): void => void followed.takeAnswer(() => call('tunnel.status')).catch(() => undefined);
  const stops = [followed.start(), afterReconnect(read)];
  read();
  return () => stops.forEach((stop) => stop());
}

/** @throws {ClientError} where the way is none, or its program is not there */
export async function openTunnel(way: string): Promise<void> {
  await followed.takeAnswer(() => call('tunnel.start', { way }));
}

/** @throws {ClientError} */
export async function closeTunnel(): Promise<void> {
  await followed.takeAnswer(() => call('tunnel.stop'));
}
