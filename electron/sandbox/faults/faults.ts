import type { SandboxFaults } from '@shared/contract/sandbox';
import type { Responder } from '../../platform/http1/connection';
import type { SandboxRandom } from '../sandbox-random';

/** What will go wrong with one request. */
export interface DrawnFault {
  readonly latencyMs: number;
  readonly isError: boolean;
  /** The request is carried out, but its answer never arrives: what idempotency is for. */
  readonly isDropped: boolean;
  readonly slowBodyMs: number;
}

const none: DrawnFault = { latencyMs: 0, isError: false, isDropped: false, slowBodyMs: 0 };
const PIECES = 20;

/** Draws the faults of one request. The same seed and the same requests give the same faults. */
export function drawFault(faults: SandboxFaults, random: SandboxRandom): DrawnFault {
  const { latencyMs, errorRate, dropRate, slowBodyMs } = faults;
  if (latencyMs === 0 && errorRate === 0 && dropRate === 0 && slowBodyMs === 0) return none;
  const isError = errorRate > 0 && random.unit() < errorRate;
  const isDropped = dropRate > 0 && random.unit() < dropRate;
  return { latencyMs, isError, isDropped, slowBodyMs };
}

/** Writes a body in pieces, evenly over the time. */
export function sendSlowly(
  responder: Responder,
  httpStatus: number,
  headers: readonly string[],
  body: string,
  durationMs: number,
): void {
  const bytes = Buffer.from(body, 'utf8');
  const size = Math.max(1, Math.ceil(bytes.length / PIECES));
  let offset = 0;
  responder.begin(httpStatus, headers, bytes.length);
  const timer = setInterval(
    () => {
      responder.write(bytes.subarray(offset, offset + size));
      offset += size;
      if (offset < bytes.length && !responder.isClosed) return;
      clearInterval(timer);
      responder.finish();
    },
    Math.max(1, durationMs / Math.ceil(bytes.length / size)),
  );
}
