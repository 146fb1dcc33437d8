import type { KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll } from 'vitest';
import type { DoctorResult } from '@shared/contract/doctor';
import type { DoctorWorkerEvents, DoctorWorkerMethods } from '../../electron/platform/doctor/doctor-worker';
import type { PlainQuestion } from '../../electron/platform/doctor/run-diagnosis';
import { startNodeWorker } from '../../electron/platform/workers/worker-rpc';

/** Asks the doctor that was built, as the app does; it ends with the tests of the calling file. */
export function startBuiltDoctor(): (question: PlainQuestion) => Promise<DoctorResult> {
  const worker = startNodeWorker<DoctorWorkerMethods, DoctorWorkerEvents>(
    pathToFileURL(resolve('out/workers/doctor.js')),
    {},
  );
  afterAll(() => worker.terminate());
  let count = 0;
  // What it finds is asked about, not how fast the machine is: several suites share it.
  return (question) =>
    worker.call('diagnose', {
      diagnosisId: String((count += 1)),
      question: { mostMs: 120_000, ...question },
    });
}

/** What is asked of a body and one signature, with one key that has no name. */
export function askOf(body: string, signature: Buffer, publicKey: KeyObject): PlainQuestion {
  return {
    body,
    signature: signature.toString('base64'),
    key: {
      pem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      name: null,
      environment: null,
      fingerprint: 'ab'.repeat(32),
    },
    otherKeys: [],
    claimedString: null,
    earlier: [],
  };
}
