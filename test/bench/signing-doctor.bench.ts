import { diagnoseSignature } from '@shared/doctor/diagnose';
import { createDoctorKey, nodeDoctorPorts } from '../../electron/platform/doctor/doctor-ports';
import { caseKeys, createRandom, makeCase, type RandomCase } from '../fixtures/signing/random-deviations';
import type { BenchResult } from './bench-result';

const WARM_UP = 20;
const SINGLES = 400;
const PAIRS = 200;

/**
 * Measures what counts for the one who waits: the time from the question to the doctor's verdict.
 *
 * Processor time of this one thread, so that what else the machine does is left out; on an idle one it is the time
 * on the clock.
 */
export function run(): Promise<BenchResult[]> {
  const random = createRandom(7);
  for (let run = 0; run < WARM_UP; run += 1) diagnose(makeCase(random, 2));
  return Promise.resolve([
    toResult('doctor, a single deviation, p99 (ms)', 60, 20, measure(SINGLES, 1)),
    toResult('doctor, a pair of deviations, p99 (ms)', 400, 150, measure(PAIRS, 2)),
  ]);
}

function measure(count: number, mistakes: 1 | 2): number[] {
  const random = createRandom(mistakes);
  return Array.from({ length: count }, () => diagnose(makeCase(random, mistakes)));
}

function toResult(name: string, budget: number, stretch: number, times: number[]): BenchResult {
  const sorted = times.sort((left, right) => left - right);
  const at = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1]!;
  const figures = { runs: sorted.length, medianMs: at(0.5), longestMs: at(1) };
  return { name, ratio: at(0.99), budget, stretch, higherIsBetter: false, figures };
}

/** Asks the doctor about one case; gives the milliseconds of processor time until its verdict. */
function diagnose({ body, signature }: RandomCase): number {
  const start = process.cpuUsage();
  const key = createDoctorKey(caseKeys.publicKey, { name: null, environment: null, fingerprint: '' });
  const question = { body, signature, key, otherKeys: [], claimedString: null, earlier: [] };
  const steps = diagnoseSignature(question, nodeDoctorPorts);
  while (steps.next().done !== true);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
