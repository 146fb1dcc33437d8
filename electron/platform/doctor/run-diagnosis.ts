import { createPublicKey } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { DoctorResult } from '@shared/contract/doctor';
import { diagnoseSignature } from '@shared/doctor/diagnose';
import type { SearchProgress } from '@shared/doctor/search/search';
import { createDoctorKey, nodeDoctorPorts } from './doctor-ports';
import { canceled } from './canceled';
import type { DoctorQuestion } from '@shared/doctor/question';

/** A public key as it crosses to the worker. */
export interface PlainKey {
  readonly pem: string;
  readonly name: string | null;
  readonly environment: string | null;
  /** SHA-256 of the SPKI DER, 64 hex digits. */
  readonly fingerprint: string;
}

export interface PlainQuestion extends Omit<DoctorQuestion, 'key' | 'otherKeys'> {
  readonly key: PlainKey;
  readonly otherKeys: readonly PlainKey[];
}

/**
 * Runs a diagnosis on this thread and lets others run in between, some fifty times a second.
 *
 * @param onProgress - called before each pause
 * @param isCanceled - asked after each pause
 * @throws {AppError} `doctor.canceled`, and what the body's fields are refused with
 */
export async function runDiagnosis(
  question: PlainQuestion,
  onProgress: (progress: SearchProgress) => void = () => undefined,
  isCanceled: () => boolean = () => false,
): Promise<DoctorResult> {
  const steps = diagnoseSignature(
    { ...question, key: openKey(question.key), otherKeys: question.otherKeys.map(openKey) },
    nodeDoctorPorts,
  );
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    onProgress(step.value);
    await setImmediate();
    if (isCanceled()) throw canceled();
  }
}

function openKey({ pem, ...facts }: PlainKey): ReturnType<typeof createDoctorKey> {
  return createDoctorKey(createPublicKey(pem), facts);
}
