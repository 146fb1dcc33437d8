import { writeLocalUrl } from '../platform/http/listen-on';
import type { StatusReport, StatusServer } from '../platform/http/serve-status';
import type { Network } from './network-options';
import type { OptionTable } from './option-table';

/** Option of a command that something watches over: an engine of containers, Prometheus. */
export const statusOption = {
  'status-port': {
    type: 'integer',
    help: 'Serve /health, /ready and /metrics (Prometheus) on this port, 0 for any: plain HTTP, no token, nothing secret',
    max: 65_535,
  },
} as const satisfies OptionTable;

/** Serves what the command says of itself; null: nobody asked for it. @throws {AppError} `<area>.port_in_use` */
export async function openStatus(
  area: 'listener' | 'sandbox',
  port: number | undefined,
  { host }: Network,
  report: StatusReport,
): Promise<StatusServer | null> {
  if (port === undefined) return null;
  const { serveStatus } = await import('../platform/http/serve-status');
  return serveStatus(area, { port, alternatives: 0, host }, report);
}

/** Writes where this machine reads it; null: it is not served. */
export function writeStatusUrl({ host }: Network, status: StatusServer | null): string | null {
  return status && writeLocalUrl(host, status.port, false);
}
