import { createDynamicValues } from '@shared/http-file/dynamic-values';
import { replaceBody } from '@shared/http-file/edit-http-file';
import { applyEditorChanges } from '../../renderer/ui/code-editor/line-ends';
import { countThreadMs } from '../support/processor-time';
import { inspectRequest } from '../../renderer/features/requests/editor/inspect-request';
import type { BenchResult } from './bench-result';
import { makeBodies, shortenRows } from './signing-bodies';
import { medianOf } from './signing-yardsticks';

const STROKES = 240;
const WARM_UP_STROKES = 40;
const HEAD = [
  '# @name Big remittance',
  '# @operation remittance',
  'POST {{base_url}}/payments/v1/remittance',
  'Authorization: Bearer {{token.remittance}}',
  'X-Custom-Signature: {{signature}}',
  'Content-Type: application/json',
].join('\n');

/**
 * Measures all that the app computes between a key stroke and what it draws: the change taken over from the
 * editor, the file parsed, its request resolved, string to sign, marks and warnings read from the result.
 */
export function run(): Promise<BenchResult[]> {
  const { megabyte } = makeBodies();
  return Promise.resolve([
    measure('key stroke to what is drawn, 1 MB in one line, p99 (ms)', megabyte),
    measure('key stroke to what is drawn, 1 MB in lines, p99 (ms)', shortenRows(megabyte)),
  ]);
}

function measure(name: string, body: string): BenchResult {
  const inputs = {
    variables: { base_url: 'http://127.0.0.1:4010' },
    dynamic: createDynamicValues({
      now: () => 0,
      random: { uuid: () => '', bytes: (count) => new Uint8Array(count) },
    }),
  };
  const places = [body.indexOf('1500') + 4, body.indexOf('Lorem', body.length >> 1), body.length - 40];
  let insight = inspectRequest(`${HEAD}\n\n${body}\n`, 0, inputs);
  let typed = body;
  const durations: number[] = [];
  for (let stroke = 0; stroke < STROKES; stroke += 1) {
    const at = places[(stroke >> 1) % places.length]!;
    const isBack = stroke % 2 === 1;
    const digit = String(1 + (stroke % 9));
    const readMs = countThreadMs();
    typed = applyEditorChanges(typed, [{ start: at, end: isBack ? at + 1 : at, text: isBack ? '' : digit }]);
    insight = inspectRequest(replaceBody(insight.file, insight.block!, typed), 0, inputs);
    const durationMs = readMs();
    if (!insight.prepared?.inspection) throw new Error('The request lost its string to sign.');
    durations.push(durationMs);
  }
  const sorted = durations.slice(WARM_UP_STROKES).sort((left, right) => left - right);
  return {
    name,
    ratio: sorted[Math.floor(sorted.length * 0.99)]!,
    budget: 16,
    stretch: 8,
    higherIsBetter: false,
    figures: { sizeBytes: body.length, medianMs: medianOf(sorted), maxMs: sorted.at(-1)! },
  };
}
