import { describe, expect, it } from 'vitest';
import { readStringToSign } from '@shared/signing/string-to-sign';
import { askOfVector, doctorVectors } from '../../../test/support/doctor-vectors';
import { runDiagnosis } from '../../platform/doctor/run-diagnosis';

describe('the doctor, on signatures that Python and openssl made', () => {
  it.each(doctorVectors)('$name: $verdict, $codes', async (vector) => {
    const result = await runDiagnosis(askOfVector(vector));
    expect({ verdict: result.verdict, codes: result.causes.map(({ code }) => code).sort() }).toEqual({
      verdict: vector.verdict,
      codes: [...vector.codes].sort(),
    });
    expect(result.valid).toBe(vector.verdict === 'valid');
    expect(result.expectedString).toBe(readStringToSign(vector.body).text);
    expect(result.explanation).toMatch(/\.$/);
    expect(result.checks.length).toBeGreaterThan(1);
    for (const { message } of result.causes) expect(message).toMatch(/^.+\.$/s);
    if (result.verdict === 'explained' && result.digestHex !== null)
      expect(result.signedString).not.toBeNull();
  });
});
