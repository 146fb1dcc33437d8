import { toPlainJson, toPlainText } from '../../plain-text';
import type { RequestResult } from '../run-result';
import {
  describeEnd,
  describeFailures,
  describeNothingRun,
  describeOutcome,
  describeUnjudged,
  type Report,
} from './report';

/** A line of TAP: no line break, no `#` that would begin a directive. */
const oneLine = (text: string): string =>
  toPlainText(text.replace(/[\r\n\u2028\u2029]+/g, ' '))
    .replaceAll('\\', '\\\\')
    .replaceAll('#', '\\#');

function writePoint(result: RequestResult, index: number): string {
  const isOk = result.outcome === 'passed' || result.outcome === 'skipped';
  const directive = result.outcome === 'skipped' ? ` # SKIP ${oneLine(result.reason ?? '')}` : '';
  const point = `${isOk ? 'ok' : 'not ok'} ${index + 1} - ${oneLine(`${result.folder}: ${result.title}`)}${directive}\n`;
  if (isOk) return point;
  const failures = describeFailures(result);
  const unjudged = describeUnjudged(result);
  const details = {
    message: failures[0]?.split('\n')[0] ?? describeOutcome(result),
    severity: result.outcome === 'failed' ? 'fail' : result.outcome,
    failures: failures.map((one) => one.split('\n')),
    ...(unjudged.length > 0 && { not_judged: unjudged }),
  };
  // JSON is YAML, and quotes whatever a text may hold.
  const lines = Object.entries(details).map(([name, value]) => `  ${name}: ${toPlainJson(value)}\n`);
  return `${point}  ---\n${lines.join('')}  ...\n`;
}

/** Test Anything Protocol, version 14. */
export const tapReport: Report = {
  file: 'report.tap',
  start: 'TAP version 14\n',
  part: writePoint,
  finish: (summary) => {
    const { counts } = summary;
    const [end, nothing] = [describeEnd(summary), describeNothingRun(summary)];
    const said = nothing === null ? '' : `# ${nothing}\n`;
    const count = Object.values(counts).reduce((sum, one) => sum + one, 0);
    return { head: '', tail: `1..${count}\n${said}${end === null ? '' : `Bail out! ${end}\n`}` };
  },
};
