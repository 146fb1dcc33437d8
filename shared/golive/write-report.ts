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

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const style =
  'body{font:14px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}' +
  'table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.4rem .8rem .4rem 0;border-bottom:1px solid #8884}' +
  'code{font-size:.9em;overflow-wrap:anywhere}.broken{color:#c62828;font-weight:600}.held{color:#2e7d32}.not_seen{color:#777}';

/** Writes the report as one HTML page that needs nothing else. */
export function writeHtml(results: readonly RuleResult[]): string {
  const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');
  const rows = results.map(({ rule, verdict, message, evidence, exercise }) => {
    const proof = evidence.map((id) => `<code>${escape(id)}</code>`).join(' ');
    const next = verdict === 'not_seen' ? `<br>To exercise it: ${escape(exercise)}` : '';
    return `<tr><td><code>${rule}</code></td><td class="${verdict}">${words[verdict]}</td><td>${escape(message)}${next}</td><td>${proof}</td></tr>`;
  });
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Go-live report</title><meta name="viewport" content="width=device-width"><style>${style}</style></head><body>`,
    `<h1>Go-live report</h1><p>${summarize(results)}</p>`,
    '<table><thead><tr><th>Rule</th><th>Verdict</th><th>What was seen</th><th>Evidence</th></tr></thead><tbody>',
    ...rows,
    '</tbody></table></body></html>',
  ].join('\n');
}
