import { findWorker } from '../../platform/workers/find-worker';
import { startNodeWorker } from '../../platform/workers/worker-rpc';
import type { WorkerHandle } from '../../platform/ports';
import { readPublicKey } from '../../sandbox/admission/read-public-key';
import type { CapturedExchange, CapturedMessage } from './captured-exchange';
import {
  askDoctor,
  prepareExchange,
  type RefusedSignature,
  type ExchangeSetting,
  type PreparedExchange,
} from './prepare-exchange';

export type ExchangeHelperMethods = ReturnType<typeof serveExchangeHelper>;
export type ExchangeHelper = WorkerHandle<ExchangeHelperMethods>;

interface Planned {
  readonly id: string;
  readonly exchange: CapturedExchange;
  /** SPKI PEMs. */
  readonly keys: readonly string[];
  readonly setting: ExchangeSetting;
}

/** Judges and masks on a worker's side what would hold up what passes. */
export function serveExchangeHelper() {
  return {
    prepare({ id, exchange, keys, setting }: Planned): PreparedExchange {
      const { request, answer } = exchange;
      const whole = {
        ...exchange,
        request: withBuffer(request),
        answer: answer === null ? null : withBuffer(answer),
      };
      return prepareExchange(id, whole, keys.map(readPublicKey), setting);
    },
    diagnose: ({ question, keys }: { question: RefusedSignature; keys: readonly string[] }) =>
      askDoctor(question, keys.map(readPublicKey)),
  };
}

/** Bytes cross between threads as plain arrays. */
function withBuffer<M extends CapturedMessage>(message: M): M {
  return { ...message, body: toBuffer(message.body) };
}

/** Gives what came from the helper as it was made there. */
export function readPrepared({ stored, question }: PreparedExchange): PreparedExchange {
  const { requestBody, answerBody } = stored;
  return {
    stored: { ...stored, requestBody: toBuffer(requestBody), answerBody: toBuffer(answerBody) },
    question,
  };
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Starts the thread that judges and masks large exchanges, and asks the doctor. */
export function startExchangeHelper(): ExchangeHelper {
  return startNodeWorker<ExchangeHelperMethods, Record<never, never>>(findWorker('exchanges'), {});
}
