import { writeForeign, writePage } from '../write-page';
import type { RuleResult, RuleVerdict } from './rules';

const words: Readonly<Record<RuleVerdict, string>> = { held: 'held', broken: 'BROKEN', not_seen: 'not seen' };

function summarize(results: readonly RuleResult[]): string {
  const count = (verdict: RuleVerdict): number => results.filter((one) => one.verdict === verdict).length;
  return `${count('held')} held, ${count('broken')} broken, ${count('not_seen')} not seen.`;
}

/** Writes the report as Markdown. */
export function writeMarkdown(results: readonly RuleResult[]): string {
  const escape = (text: string): string => text.replace(/[|\\]/g, '\\$&').replace(/(?<!\s)\s*\n\s*/g, ' ');
  const rows = results.map(({ rule, verdict, message, evidence, exercise }) => {
    const proof = evidence.map((id) => `\`${id}\``).join(' ');
    const next = verdict === 'not_seen' ? escape(exercise) : '';
    return `| \`${rule}\` | ${words[verdict]} | ${escape(message)} | ${proof} | ${next} |`;
  });
  return [
    '# Go-live report',
    '',
    summarize(results),
    '',
    '| Rule | Verdict | What was seen | Evidence | To exercise it |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

const style =
  'td:first-child,td:nth-child(2){white-space:nowrap}.broken{color:var(--bad);font-weight:600}.held{color:var(--good)}.not_seen{color:var(--quiet)}';

/** Writes the report as one HTML page that needs nothing else. */
export function writeHtml(results: readonly RuleResult[]): string {
  const rows = results.map(({ rule, verdict, message, evidence, exercise }) => {
    const proof = evidence.map((id) => `<code>${writeForeign(id)}</code>`).join(' ');
    const next = verdict === 'not_seen' ? `<br>To exercise it: ${writeForeign(exercise)}` : '';
    return `<tr><td><code>${rule}</code></td><td class="${verdict}">${words[verdict]}</td><td>${writeForeign(message)}${next}</td><td>${proof}</td></tr>`;
  });
  return writePage('Go-live report', style, [
    `<h1>Go-live report</h1><p>${summarize(results)}</p>`,
    '<table><thead><tr><th>Rule</th><th>Verdict</th><th>What was seen</th><th>Evidence</th></tr></thead><tbody>',
    ...rows,
    '</tbody></table>',
  ]);
}
