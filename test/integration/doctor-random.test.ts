import { describe, expect, it } from 'vitest';
import { readStringToSign } from '@shared/signing/string-to-sign';
import { fingerprintOf } from '../../electron/services/vault/key-forms/key-reading';
import { verifyText } from '../../electron/platform/crypto/rsa-signatures';
import { caseKeys, createRandom, makeCase } from '../fixtures/signing/random-deviations';
import { startBuiltDoctor } from '../support/built-doctor';
import { casesOf, isThorough } from '../support/effort';

const diagnose = startBuiltDoctor();

const key = {
  pem: caseKeys.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  name: null,
  environment: null,
  fingerprint: fingerprintOf(caseKeys.publicKey),
};

/** Runs so many cases; gives those in which another cause than the right one was named. */
async function runCases(count: number, mistakes: 0 | 1 | 2 | 3, seed: number): Promise<string[]> {
  const random = createRandom(seed);
  const wrong: string[] = [];
  for (let run = 0; run < count; run += 1) {
    const { body, signature, codes, isUnknown, note } = makeCase(random, mistakes);
    const result = await diagnose({
      body,
      signature,
      key,
      otherKeys: [],
      claimedString: null,
      earlier: [],
    });
    const isValid = verifyText(readStringToSign(body).text, signature, caseKeys.publicKey);
    if (result.valid !== isValid) expect.fail(`valid is ${result.valid} for ${note} in ${body}`);
    if (isUnknown && result.verdict !== 'unexplained') expect.fail(`${result.verdict} for ${note}`);
    const found = result.causes.map(({ code }) => code).sort();
    // A mistake that happens to change nothing is no mistake.
    const isSame = isValid ? found.length === 0 : found.join() === codes.join();
    if (!isSame) wrong.push(`${found.join(' ') || result.verdict} instead of ${note}`);
  }
  return wrong;
}

describe('the doctor, on random bodies and deviations', () => {
  it('calls right signatures valid', async () => {
    expect(await runCases(casesOf(60, 1500), 0, 1)).toEqual([]);
  }, 300_000);

  it('names the right cause of single mistakes in at least 99 %', async () => {
    const cases = casesOf(400, 9000);
    const wrong = await runCases(cases, 1, 2);
    expect(wrong.length, wrong.slice(0, 20).join('\n')).toBeLessThanOrEqual(cases / 100);
  }, 900_000);

  it('names both causes of pairs in at least 99 %', async () => {
    const cases = casesOf(100, 1200);
    const wrong = await runCases(cases, 2, 3);
    expect(wrong.length, wrong.slice(0, 20).join('\n')).toBeLessThanOrEqual(cases / 100);
  }, 900_000);

  // Each of them is searched for to the end: more than a million strings. Every day doctor-unexplained does so.
  it.runIf(isThorough)(
    'answers unknown strings as unexplained',
    async () => {
      expect(await runCases(12, 3, 4)).toEqual([]);
    },
    900_000,
  );
});
