import { createPublicKey } from 'node:crypto';
import { workerData } from 'node:worker_threads';
import { verifyDigest } from '../platform/crypto/rsa-signatures';
import { SignatureRingBuffer } from '../sandbox/admission/signature-ring-buffer';
import { IDLE_MS, type HelperData } from '../sandbox/admission/signature-helper';

/** Verifies signatures for a sandbox under load, and ends when there has been nothing to do for a while. */
const { memory, pems } = workerData as HelperData;
const keys = pems.map((pem) => createPublicKey(pem));
new SignatureRingBuffer(memory).serve(
  (digest, signature) => keys.some((key) => verifyDigest(digest, signature, key)),
  IDLE_MS,
);
