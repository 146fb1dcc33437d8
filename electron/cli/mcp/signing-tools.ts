import { z } from 'zod';
import { inspectBody } from '@shared/signing/inspect-body';
import { AppError } from '@shared/errors';
import { PUBLIC_HALF_TAKEN, readPublicKey } from '../../services/vault/key-forms/key-reading';
import { describeDiagnosis } from '../describe-diagnosis';
import { computeInTurn } from './compute-in-turn';
import { defineTool } from './define-tool';

const body = z
  .string()
  .max(2 * 1024 * 1024)
  .describe('The request body, byte for byte as it was sent');

/** Tools about signatures: no key of ours is used. */
export const signingTools = [
  defineTool({
    name: 'explain_signature',
    description:
      'Says whether a signature of a payout or remittance is valid, and if not, what was signed instead and how to mend it.',
    input: z.strictObject({
      public_key: z.string().max(20_000).describe('Public key as PEM (SPKI); never a private one'),
      body,
      signature: z.string().max(20_000).describe('X-Custom-Signature as it came'),
    }),
    async run({ services }, { public_key: pem, body: text, signature }) {
      const { publicKeyPem, repairs } = readPublicKey(Buffer.from(pem, 'utf8'));
      if (repairs.includes(PUBLIC_HALF_TAKEN)) {
        throw new AppError(
          'keys.private_for_public',
          'public_key takes a public key, and this is a private one: do not hand it on. countersign key public FILE writes its public half.',
        );
      }
      const question = { diagnosisId: 'agent', publicKeyPem, body: text, signature };
      return describeDiagnosis(await services.router.call('doctor.diagnose', question));
    },
  }),
  defineTool({
    name: 'string_to_sign',
    description:
      'Gives the string that a payout or remittance is signed over (RSA, SHA-256), where each part of it stands in the body, and what looks wrong.',
    input: z.strictObject({ body }),
    async run(_agent, { body: text }) {
      const { toSign, error, lints } = await computeInTurn(() => inspectBody(text));
      if (toSign === null) throw error ?? new Error('No string to sign.');
      return {
        string_to_sign: toSign.text,
        spans: toSign.spans.map(({ field, pointer, start, end }) => ({ field, pointer, start, end })),
        warnings: lints.map(({ code, message }) => ({ code, message })),
      };
    },
  }),
];
