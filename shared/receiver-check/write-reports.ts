import { receiverScenarios, summarizeResults, type ScenarioResult } from './receiver-scenarios';

/** What XML 1.0 does not know at all, not even escaped. */
// eslint-disable-next-line no-control-regex -- these characters are what it looks for
const notInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replace(notInXml, '\uFFFD').replace(/[&<>"']/g, (character) => escapes[character] ?? '');
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
  'body{font:14px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}' +
  'table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.4rem .8rem .4rem 0;border-bottom:1px solid #8884}' +
  '.fail{color:#c62828;font-weight:600}.pass{color:#2e7d32}.skip{color:#777}td:last-child{font-variant-numeric:tabular-nums;white-space:nowrap}';

/** Writes a check as one HTML page that needs nothing else. */
export function writeReceiverHtml(address: string, results: readonly ScenarioResult[]): string {
  const rows = results.map(({ scenario, verdict, reason, elapsedMs, isSkipped, isAnswerOnly }) => {
    const word = isSkipped ? 'skip' : verdict;
    const note = isAnswerOnly ? ' (answers alone)' : '';
    return (
      `<tr><td class="${word}">${word}${note}</td><td><strong>${scenario}</strong><br>${escape(receiverScenarios[scenario])}</td>` +
      `<td>${escape(reason)}</td><td>${elapsedMs} ms</td></tr>`
    );
  });
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Webhook receiver check</title>',
    `<meta name="viewport" content="width=device-width"><style>${style}</style></head><body>`,
    `<h1>Webhook receiver check</h1><p>${escape(address)}: ${summarizeResults(results)}.</p>`,
    '<table><thead><tr><th>Verdict</th><th>Scenario</th><th>What it did</th><th>Slowest answer</th></tr></thead><tbody>',
    ...rows,
    '</tbody></table></body></html>',
  ].join('\n');
}
