import { escapeHtml } from '../escape-html';
import { writeForeign, writePage } from '../write-page';
import { receiverScenarios, summarizeResults, type ScenarioResult } from './receiver-scenarios';

/** What XML 1.0 does not know at all, not even escaped. */
// eslint-disable-next-line no-control-regex -- these characters are what it looks for
const notInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
function escape(text: string): string {
  return escapeHtml(text.replace(notInXml, '\uFFFD'));
}

const countFailed = (results: readonly ScenarioResult[]) =>
  results.filter(({ verdict }) => verdict === 'fail').length;

/** Writes a check as JUnit XML: a scenario is a test case. */
export function writeReceiverJunit(address: string, results: readonly ScenarioResult[]): string {
  const skipped = results.filter(({ isSkipped }) => isSkipped).length;
  const seconds = (ms: number): string => (ms / 1000).toFixed(3);
  const total = results.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0);
  const counts = `tests="${results.length}" failures="${countFailed(results)}" errors="0" skipped="${skipped}" time="${seconds(total)}"`;
  const cases = results.flatMap(({ scenario, verdict, reason, elapsedMs, isSkipped, isAnswerOnly }) => [
    `    <testcase name="${scenario}" classname="check-receiver" time="${seconds(elapsedMs)}">`,
    ...(verdict === 'fail'
      ? [`      <failure message="${escape(reason)}">${escape(receiverScenarios[scenario])}</failure>`]
      : []),
    ...(isSkipped ? [`      <skipped message="${escape(reason)}"/>`] : []),
    ...(isAnswerOnly ? [`      <system-out>${escape(reason)}</system-out>`] : []),
    '    </testcase>',
  ]);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="check-receiver" ${counts}>`,
    `  <testsuite name="${escape(address)}" ${counts}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
  ].join('\n');
}

const style =
  '.fail{color:var(--bad);font-weight:600}.pass{color:var(--good)}.skip{color:var(--quiet)}td:first-child,td:last-child{white-space:nowrap}td:last-child{font-variant-numeric:tabular-nums}';

/** Writes a check as one HTML page that needs nothing else. */
export function writeReceiverHtml(address: string, results: readonly ScenarioResult[]): string {
  const rows = results.map(({ scenario, verdict, reason, elapsedMs, isSkipped, isAnswerOnly }) => {
    const word = isSkipped ? 'skip' : verdict;
    const note = isAnswerOnly ? ' (answers alone)' : '';
    return (
      `<tr><td class="${word}">${word}${note}</td><td><strong>${scenario}</strong><br>${writeForeign(receiverScenarios[scenario])}</td>` +
      `<td>${writeForeign(reason)}</td><td>${elapsedMs} ms</td></tr>`
    );
  });
  return writePage('Webhook receiver check', style, [
    `<h1>Webhook receiver check</h1><p>${writeForeign(address)}: ${summarizeResults(results)}.</p>`,
    '<table><thead><tr><th>Verdict</th><th>Scenario</th><th>What it did</th><th>Slowest answer</th></tr></thead><tbody>',
    ...rows,
    '</tbody></table>',
  ]);
}
