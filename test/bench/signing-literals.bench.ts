import { createHash } from 'node:crypto';
import { inspectBody } from '@shared/signing/inspect-body';
import { readStringToSign } from '@shared/signing/string-to-sign';
import type { BenchResult } from './bench-result';
import { makeBodies } from './signing-bodies';
import { measureRate, medianOf } from './signing-yardsticks';

const ROUNDS = 5;
const KEY_STROKES = 300;

/** Measures the string to sign against `JSON.parse`, and a key stroke in a body of 1 MB. */
export function run(): Promise<BenchResult[]> {
  const { pretty, minified, megabyte } = makeBodies();
  return Promise.resolve([
    measureLiterals('string to sign, pretty body, against JSON.parse', pretty),
    measureLiterals('string to sign, minified body, against JSON.parse', minified),
    measureLiterals('string to sign, 1 MB body, against JSON.parse', megabyte),
    measureKeyStrokes(megabyte),
  ]);
}

function measureLiterals(name: string, body: string): BenchResult {
  // Another string each time, as bodies are: nothing can be remembered from the last one.
  const texts = Array.from({ length: 16 }, (_, index) =>
    Buffer.from(body.replace('INV-2026-0042', `INV-2026-${1000 + index}`)).toString(),
  );
  let turn = 0;
  const parse = (): unknown => JSON.parse(texts[turn++ & 15]!);
  const read = (): unknown => readStringToSign(texts[turn++ & 15]!);
  measureRate(parse, 100);
  measureRate(read, 300);
  const rounds = Array.from({ length: ROUNDS }, () => ({
    parse: measureRate(parse, 300),
    read: measureRate(read, 300),
  }));
  return {
    name,
    ratio: medianOf(rounds.map((round) => round.parse / round.read)),
    budget: 1.8,
    stretch: 1,
    higherIsBetter: false,
    figures: {
      sizeBytes: body.length,
      parsesPerSecond: medianOf(rounds.map((round) => round.parse)),
      readsPerSecond: medianOf(rounds.map((round) => round.read)),
    },
  };
}

/** Types digits into the amount: spans, warnings and digest each time, as the strip under the editor shows them. */
function measureKeyStrokes(body: string): BenchResult {
  const at = body.indexOf('1500') + 4;
  const durations: number[] = [];
  for (let stroke = 0; stroke < KEY_STROKES; stroke += 1) {
    const typed = `${body.slice(0, at)}${stroke}${body.slice(at)}`;
    const startMs = performance.now();
    const { toSign, lints } = inspectBody(typed);
    createHash('sha256')
      .update(toSign?.text ?? '')
      .digest('hex');
    if (lints.length > 4) throw new Error('unexpected warnings');
    durations.push(performance.now() - startMs);
  }
  const sorted = durations.slice(20).sort((left, right) => left - right);
  return {
    name: 'key stroke to preview, 1 MB body, p99 (ms)',
    ratio: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    budget: 16,
    stretch: 8,
    higherIsBetter: false,
    figures: { sizeBytes: body.length, medianMs: medianOf(sorted), maxMs: sorted.at(-1) ?? 0 },
  };
}
