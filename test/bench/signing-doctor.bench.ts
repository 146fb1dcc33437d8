import { generateKeyPairSync, sign } from 'node:crypto';
import { diagnoseSignature, type DoctorQuestion } from '@shared/doctor/diagnose';
import type { DoctorResult } from '@shared/contract/doctor';
import { createDoctorKey, nodeDoctorPorts } from '../../electron/platform/doctor-ports';
import type { BenchResult } from './bench-result';
import { makeBodies } from './signing-bodies';
import { measureOpensslSha256, medianOf } from './signing-yardsticks';

const ROUNDS = 5;

/** Measures the doctor's search, on one thread, against openssl's SHA-256 of 40 bytes. */
export function run(): Promise<BenchResult[]> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = createDoctorKey(publicKey, { name: null, environment: null, fingerprint: '' });
  const ask = (text: string): DoctorQuestion => ({
    body: makeBodies().pretty,
    signature: sign('sha256', Buffer.from(text), privateKey).toString('base64'),
    key,
    otherKeys: [],
    claimedString: null,
    earlier: Array.from({ length: 20 }, (_, index) => ({
      title: 'earlier',
      reference: `INV-${index}`,
      stringToSign: null,
    })),
  });
  // A search takes a fraction of a second; what it does in a row of them is its rate.
  for (let run = 0; run < 8; run += 1) diagnose(ask(`warm up ${run}`));
  const rounds = Array.from({ length: ROUNDS }, (_, round) => ({
    hashes: measureOpensslSha256(),
    pairs: diagnose(ask(`unknown ${round}`)),
    // The last of the earlier references is about the last thing that is tried by itself.
    single: diagnose(ask('INV-191500KEMPESA-KE')),
  }));
  const rate = ({ result, cpuMs }: Diagnosis): number => (result.searched * 1000) / cpuMs;
  return Promise.resolve<BenchResult[]>([
    {
      name: 'doctor candidates, one thread, against openssl SHA-256 of 40 bytes',
      ratio: medianOf(rounds.map(({ pairs, hashes }) => rate(pairs) / hashes)),
      budget: 0.3,
      stretch: 0.6,
      higherIsBetter: true,
      figures: {
        candidatesPerSecond: medianOf(rounds.map(({ pairs }) => rate(pairs))),
        opensslHashesPerSecond: medianOf(rounds.map(({ hashes }) => hashes)),
        candidates: rounds[0]!.pairs.result.searched,
      },
    },
    {
      name: 'doctor, every single deviation (ms)',
      ratio: medianOf(rounds.map(({ single }) => single.cpuMs)),
      budget: 100,
      higherIsBetter: false,
      figures: { candidates: rounds[0]!.single.result.searched },
    },
    {
      name: 'doctor, every pair of deviations (ms)',
      ratio: medianOf(rounds.map(({ pairs }) => pairs.cpuMs)),
      budget: 2000,
      higherIsBetter: false,
      figures: { candidates: rounds[0]!.pairs.result.searched },
    },
  ]);
}

interface Diagnosis {
  result: DoctorResult;
  cpuMs: number;
}

function diagnose(question: DoctorQuestion): Diagnosis {
  const start = process.cpuUsage();
  const steps = diagnoseSignature(question, nodeDoctorPorts);
  for (;;) {
    const step = steps.next();
    if (step.done !== true) continue;
    const { user, system } = process.cpuUsage(start);
    return { result: step.value, cpuMs: (user + system) / 1000 };
  }
}
