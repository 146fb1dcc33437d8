import type { DoctorResult } from '@shared/contract/doctor';

/** What the doctor found, as `doctor --json` prints it. */
export function describeDiagnosis(result: DoctorResult): Record<string, unknown> {
  const { causes } = result;
  return {
    valid: result.valid,
    verdict: result.verdict,
    explanation: result.explanation,
    causes: causes.map(({ code, message, expected, actual }) => ({ code, message, expected, actual })),
    signed_string: result.signedString,
    expected_string: result.expectedString,
    searched: result.searched,
    elapsed_ms: result.elapsedMs,
    planned: result.planned ?? null,
  };
}
