import { expect } from 'vitest';
import { readStringToSign } from '@shared/signing/string-to-sign';
import type { DoctorResult } from '@shared/contract/doctor';
import { verifyText } from '../../electron/platform/crypto/rsa-signatures';
import { fingerprintOf } from '../../electron/services/vault/key-forms/key-reading';
import { backendKeys, makeBackendCase } from '../fixtures/signing/backend-deviations';
import { createBackendRandom, type BackendCase } from '../fixtures/signing/backend-ways';
import { startBuiltDoctor } from './built-doctor';

const diagnose = startBuiltDoctor();

const key = {
  pem: backendKeys.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  name: null,
  environment: null,
  fingerprint: fingerprintOf(backendKeys.publicKey),
};

/** Causes that speak of how bytes were made; naming one that is not there is always false. */
const CERTAIN = /^(?:encoding|key|padding|hash)\./;

/** Says what is false in an answer; null where nothing is. */
function findFalse({ codes, body, signature, signedText }: BackendCase, result: DoctorResult): string | null {
  const isValid = verifyText(readStringToSign(body).text, signature, backendKeys.publicKey);
  if (result.valid !== isValid || (result.verdict === 'valid') !== isValid) return 'valid';
  if (result.verdict === 'explained' && result.causes.length === 0) return 'explained without a cause';
  if (result.verdict === 'other_key' || result.verdict === 'not_a_signature') return result.verdict;
  const wrong = result.causes.find(({ code }) => CERTAIN.test(code) && !codes.includes(code));
  if (wrong !== undefined && result.signedString === null) return wrong.code;
  const missed = codes.find((code) => CERTAIN.test(code) && result.causes.every((one) => one.code !== code));
  if (result.verdict === 'explained' && missed !== undefined && wrong !== undefined)
    return `${wrong.code} for ${missed}`;
  const text = result.signedString;
  const isSame = text === null || text === signedText || text.replace(/^\ufeff/, '') === signedText;
  return isSame ? null : `signed string ${JSON.stringify(text)}`;
}

interface Measured {
  readonly missed: string[];
  readonly wrong: string[];
}

/** Measures how many of so many cases are named rightly; fails where one answer says what is false. */
export async function expectRate(count: number, cases: number, rate: number): Promise<void> {
  const { missed, wrong } = await measure(cases, count, 100 + count);
  expect(wrong).toEqual([]);
  // Of a few cases one may be missed, whatever the rate: of many, the rate decides.
  const mayBeMissed = Math.max(1, Math.floor(cases * (1 - rate)));
  expect(missed.length, missed.slice(0, 30).join('\n')).toBeLessThanOrEqual(mayBeMissed);
}

async function measure(cases: number, count: number, seed: number): Promise<Measured> {
  const random = createBackendRandom(seed);
  const missed: string[] = [];
  const wrong: string[] = [];
  for (let run = 0; run < cases; run += 1) {
    const made = makeBackendCase(random, count);
    const { body, signature, earlier, codes, note } = made;
    const result = await diagnose({ body, signature, key, otherKeys: [], claimedString: null, earlier });
    const fault = findFalse(made, result);
    const found = result.causes.map(({ code }) => code).sort();
    if (fault !== null) wrong.push(`${fault}: ${note} in ${body}`);
    // Another way to the same string is as true, where it is as short.
    const isFound =
      result.verdict === 'explained' && (found.join() === codes.join() || found.length <= codes.length);
    if (!isFound) missed.push(`${result.verdict} ${found.join(' ')}: ${note}`);
  }
  return { missed, wrong };
}
