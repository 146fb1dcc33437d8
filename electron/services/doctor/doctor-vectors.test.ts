import { describe, expect, it } from 'vitest';
import { readStringToSign } from '@shared/signing/string-to-sign';
import { askOfVector, doctorVectors } from '../../../test/support/doctor-vectors';
import { casesOf } from '../../../test/support/effort';
import { runDiagnosis } from '../../platform/doctor/run-diagnosis';

/** What nobody explains is searched for until the time is over: a suite of the built doctor searches to the end. */
const UNEXPLAINED_MS = casesOf(2_000, 10_000);

describe('the doctor, on signatures that Python and openssl made', () => {
  it.each(doctorVectors)('$name: $verdict, $codes', async (vector) => {
    const isSearched = vector.verdict === 'unexplained' && vector.codes.length === 0;
    const limit = isSearched ? { mostMs: UNEXPLAINED_MS } : {};
    const result = await runDiagnosis({ ...askOfVector(vector), ...limit });
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
