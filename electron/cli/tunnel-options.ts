import type { WebhookAddresses } from '../listener/webhook-addresses';
import type { Tunnel, TunnelState } from '../services/tunnels/create-tunnel';
import type { TunnelChoice } from '../services/tunnels/tunnel-kinds';
import type { CommandContext } from './command';
import type { OptionTable, OptionValues } from './option-table';
import { toPlainLine } from '@shared/plain-text';

/** Options of a command whose address may be made public. */
export const tunnelOptions = {
  tunnel: {
    placeholder: 'WAY',
    help: 'Make the listener reachable from outside: ssh:HOST[:PORT], cloudflared, ngrok, cmd:COMMAND',
  },
} as const satisfies OptionTable;

export const tunnelNotes = [
  'With --tunnel each change of its state is a line {"event":"tunnel","state":"connected"|"disconnected","url","reason"}. ' +
    'A command finds the port in COUNTERSIGN_PORT, and prints its public address.',
];

/** @throws {AppError} `tunnels.bad_choice`, `tunnels.not_found` */
export async function readTunnelChoice({
  tunnel,
}: OptionValues<typeof tunnelOptions>): Promise<TunnelChoice | null> {
  if (tunnel === undefined) return null;
  const { parseTunnelChoice, requireProgram } = await import('../services/tunnels/tunnel-kinds');
  const choice = parseTunnelChoice(tunnel);
  requireProgram(choice);
  return choice;
}

/**
 * Opens a tunnel to a listener, and tells how it fares.
 *
 * @param address - local address of the listener
 * @param suffix - what the public address ends in: the secret part of the path
 */
export async function openTunnel(
  context: CommandContext,
  choice: TunnelChoice,
  listener: WebhookAddresses,
  { address, suffix }: { address: string; suffix: string },
): Promise<Tunnel> {
  const [{ startTunnel }, { createProbe }] = await Promise.all([
    import('../services/tunnels/create-tunnel'),
    import('../services/tunnels/probe-address'),
  ]);
  const probe = createProbe();
  listener.setProbe(probe);
  const { port, protocol } = new URL(address);
  let told = '';
  return startTunnel({
    choice,
    target: { port: Number(port), isHttps: protocol === 'https:' },
    probe,
    onState({ state, url, reason }) {
      const shown = url === null ? null : url.replace(/(?<!\/)\/+$/, '') + suffix;
      const line = JSON.stringify([state, shown, reason]);
      if (line === told) return;
      told = line;
      tell(context, state, shown, reason);
    },
  });
}

function tell(
  context: CommandContext,
  state: TunnelState['state'],
  url: string | null,
  reason: string | null,
): void {
  if (context.isJson) context.printJson({ event: 'tunnel', state, url, reason });
  else if (state === 'connected') context.print(toPlainLine(`Reachable at ${url}`));
  else context.say(toPlainLine(`The tunnel is down: ${reason} It is started again.`));
}
