import { Worker } from 'node:worker_threads';
import { keepHeapSmallStill } from '../../platform/keep-heap-small';
import { SignatureRingBuffer } from './signature-ring-buffer';

/** What the helper's thread is given. */
export interface HelperData {
  readonly memory: SharedArrayBuffer;
  readonly pems: readonly string[];
}

/** A thread that has nothing to verify for so long ends and gives its memory back. */
export const IDLE_MS = 3000;

/** A second thread that verifies signatures. */
export interface SignatureHelper {
  readonly ringBuffer: SignatureRingBuffer;
  stop(): void;
}

/**
 * Starts the thread. It keeps no process alive, and nothing depends on it: without it the ring buffer gives no results.
 *
 * @param file - built entry `workers/signatures.js`
 * @param pems - public keys that it verifies against
 * @param onEnd - called once, with what went wrong, or null where it was stopped or had nothing to do
 */
export function startSignatureHelper(
  file: URL,
  pems: readonly string[],
  onEnd: (failure: unknown) => void,
): SignatureHelper {
  const ringBuffer = new SignatureRingBuffer();
  const workerData: HelperData = { memory: ringBuffer.memory, pems };
  // Its garbage is small and short-lived; by default V8 would let it grow to tens of megabytes first.
  const resourceLimits = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 };
  const worker = new Worker(file, { workerData, resourceLimits });
  let failure: unknown = null;
  worker.unref();
  worker.on('online', keepHeapSmallStill);
  worker.on('error', (error) => (failure = error));
  worker.on('exit', () => onEnd(failure));
  return { ringBuffer, stop: () => ringBuffer.stop() };
}
