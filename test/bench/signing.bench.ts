import { generateKeyPairSync } from 'node:crypto';
import { signText, verifyText } from '../../electron/platform/crypto/rsa-signatures';
import type { BenchResult } from './bench-result';
import { measureOpensslRsa, measureRate, medianOf } from './signing-yardsticks';

const ROUNDS = 3;
const TEXT = 'INV-2026-00421500KEMPESA-KE';

/** Measures signing and verifying against `openssl speed`, in turns. */
export function run(): Promise<BenchResult[]> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const signature = signText(TEXT, privateKey);
  const sign = (): void => void signText(TEXT, privateKey);
  const verify = (): void => void verifyText(TEXT, signature, publicKey);
  measureRate(sign, 200);
  measureRate(verify, 200);
  const rounds = Array.from({ length: ROUNDS }, () => ({
    openssl: measureOpensslRsa(),
    signs: measureRate(sign),
    verifies: measureRate(verify),
  }));
  return Promise.resolve<BenchResult[]>([
    {
      name: 'sign, against openssl speed',
      ratio: medianOf(rounds.map(({ signs, openssl }) => signs / openssl.signsPerSecond)),
      budget: 0.85,
      stretch: 0.95,
      higherIsBetter: true,
      figures: {
        signsPerSecond: medianOf(rounds.map(({ signs }) => signs)),
        opensslSignsPerSecond: medianOf(rounds.map(({ openssl }) => openssl.signsPerSecond)),
      },
    },
    {
      name: 'verify, against openssl speed',
      ratio: medianOf(rounds.map(({ verifies, openssl }) => verifies / openssl.verifiesPerSecond)),
      budget: 0.65,
      stretch: 0.75,
      higherIsBetter: true,
      figures: {
        verifiesPerSecond: medianOf(rounds.map(({ verifies }) => verifies)),
        opensslVerifiesPerSecond: medianOf(rounds.map(({ openssl }) => openssl.verifiesPerSecond)),
      },
    },
  ]);
}
