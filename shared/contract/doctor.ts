import { z } from 'zod';
import { nothing } from './common';
import { methodsOf } from './define';
import { doctorLimits } from './doctor-limits';

export const doctorVerdict = z.enum(['valid', 'explained', 'other_key', 'unexplained', 'not_a_signature']);

export const doctorCause = z.object({
  code: z.string(),
  message: z.string(),
  expected: z.string().nullable(),
  actual: z.string().nullable(),
});

export const doctorResult = z.object({
  valid: z.boolean(),
  verdict: doctorVerdict,
  /** One sentence a person can act on. */
  explanation: z.string(),
  causes: z.array(doctorCause),
  signedString: z.string().nullable(),
  expectedString: z.string().nullable(),
  /** What was looked at, row by row, for the table under the verdict. */
  checks: z.array(z.object({ name: z.string(), finding: z.string(), isGood: z.boolean().nullable() })),
  digestHex: z.string().nullable(),
  searched: z.number(),
  /** So many strings there were to try, where the search was ended before all were; left out or null: all were tried. */
  planned: z.number().nullable().optional(),
  elapsedMs: z.number(),
});
export type DoctorResult = z.infer<typeof doctorResult>;

const { read, write } = methodsOf('doctor.*', 'keys.*', 'signing.*', 'vault.*');

export const doctorMethods = {
  'doctor.diagnose': read({
    input: z.object({
      diagnosisId: z.string(),
      body: z.string().max(8 * 1024 * 1024),
      signature: z.string().max(200_000),
      publicKeyPem: z.string().max(200_000).optional(),
      keyId: z.string().optional(),
      /** Public keys to try besides those of the vault, PEM. */
      otherKeys: z.array(z.string().max(200_000)).max(100).optional(),
      /** Tokens and credentials that the code which signs has at hand: they may stand in what it signed. No answer holds them. */
      known: z
        .array(z.object({ name: z.string().max(60), text: z.string().max(20_000) }))
        .max(20)
        .optional(),
      /** What the other side says it signed. */
      claimedString: z.string().max(1_000_000).optional(),
      /** The search ends after so long, and says how far it came; left out: after ten seconds. */
      mostMs: z.number().int().min(doctorLimits.usualMs).max(doctorLimits.mostMs).optional(),
    }),
    output: doctorResult,
  }),
  'doctor.cancel': write({ input: z.object({ diagnosisId: z.string() }), output: nothing, errors: [] }),
};
