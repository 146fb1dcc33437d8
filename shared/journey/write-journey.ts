import { labelEnvironment } from '../contract/environment-id';
import type { Journey } from '../contract/journey';
import type { Exchange } from '../contract/sending';
import { formatDuration } from '../format-duration';
import { maskHeaders, maskSecrets } from '../mask-secrets';
import { formatMoney } from '../payments/format-amount';
import { showControls } from '../show-controls';
import { escapeHtml } from '../escape-html';
import { cutTurning } from '../turning-text';
import { writePage } from '../write-page';
import type { JourneyRemark } from './remark-journey';

/** A journey as it is given to others. */
export interface SharedJourney {
  readonly journey: Journey;
  readonly remarks: readonly JourneyRemark[];
  /** The exchanges behind its events, oldest first. */
  readonly exchanges: readonly Exchange[];
}

/** Of longer bodies the beginning is shared. */
const MAX_BODY = 4000;

interface Message {
  readonly title: string;
  readonly text: string;
}

/** A journey as Markdown, for an issue or a chat; secrets are masked. */
export function writeJourneyMarkdown(shared: SharedJourney): string {
  const { facts, rows, remarks, messages } = describeShared(shared);
  const cell = (text: string): string =>
    text.replace(/[\\|`*_~<>[\]#$]|&(?=[#\w])/g, '\\$&').replace(/[\r\n]+/g, ' ');
  const fence = (text: string): string => {
    const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
    const mark = '`'.repeat(longest + 1);
    return `${mark}\n${text}\n${mark}`;
  };
  return [
    `# Payment ${cell(facts[0]![1])}`,
    '',
    ...facts.slice(1).map(([name, value]) => `- ${name}: ${cell(value)}`),
    '',
    ...remarks.map((text) => `> **${cell(text)}**\n`),
    '| When | After | What | Detail |',
    '| --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row.map(cell).join(' | ')} |`),
    ...messages.map(({ title, text }) => `\n## ${cell(title)}\n\n${fence(text)}`),
    '',
  ].join('\n');
}

/** A journey as one HTML file that loads nothing; secrets are masked, and no text of it can run. */
export function writeJourneyHtml(shared: SharedJourney): string {
  const { facts, rows, remarks, messages } = describeShared(shared);
  const write = (text: string): string => escapeHtml(cutTurning(text));
  const list = (tag: string, texts: readonly string[]): string =>
    texts.map((text) => `<${tag}>${write(text)}</${tag}>`).join('');
  return writePage(`Payment ${facts[0]![1]}`, CSS, [
    `<h1>Payment <bdi dir="ltr">${write(facts[0]![1])}</bdi></h1>`,
    `<dl>${facts
      .slice(1)
      .map(([name, value]) => `<dt>${write(name)}</dt><dd>${write(value)}</dd>`)
      .join('')}</dl>`,
    ...remarks.map((text) => `<p class="remark">${write(text)}</p>`),
    `<table><thead><tr>${list('th', ['When', 'After', 'What', 'Detail'])}</tr></thead><tbody>`,
    ...rows.map((row) => `<tr>${list('td', row)}</tr>`),
    '</tbody></table>',
    ...messages.map(({ title, text }) => `<h2>${write(title)}</h2><pre>${write(text)}</pre>`),
  ]);
}

const CSS =
  'dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}dt{color:var(--quiet)}dd{margin:0}' +
  'pre{padding:.8rem;border:1px solid #8884;white-space:pre-wrap;overflow-wrap:anywhere}' +
  '.remark{border-left:4px solid var(--bad);padding:.3rem .8rem;font-weight:600}';

function describeShared({ journey: { summary, events }, remarks, exchanges }: SharedJourney) {
  const startedAt = events[0]?.at ?? summary.startedAt;
  const facts: [string, string][] = [
    ['Reference', summary.reference],
    ['Request', summary.title],
    ['Amount', formatMoney(summary.currency, summary.amount) || 'not known'],
    ['State', summary.isDisputed ? 'they disagree' : (summary.state ?? 'not known')],
    [summary.sentTo.length > 1 ? 'Environments' : 'Environment', namePlaces(summary)],
    ['Started', new Date(summary.startedAt).toISOString()],
  ];
  const rows = events.map(({ at, title, detail }) =>
    [new Date(at).toISOString(), `+${formatDuration(Math.max(0, at - startedAt))}`, title, detail ?? ''].map(
      (text) => show(maskSecrets(text)),
    ),
  );
  return {
    facts: facts.map(([name, value]): [string, string] => [name, show(maskSecrets(value))]),
    rows,
    remarks: remarks.map(({ text }) => show(text)),
    messages: exchanges
      .flatMap(describeExchange)
      .map(({ title, text }) => ({ title: show(title), text: show(text) })),
  };
}

/** What turns a line round, or hides in it, stands for what it is: a reader of a chat or a file sees what we do. */
function show(text: string): string {
  return text.split('\r\n').map(showControls).join('\r\n');
}

/** As the screen calls them. */
function namePlaces({ environment: id, sentTo }: SharedJourney['journey']['summary']): string {
  if (sentTo.length > 1) return sentTo.map(({ name }) => name).join(', ');
  if (id === '') return 'not known';
  return labelEnvironment(id, []);
}

function describeExchange({ title, request, response }: Exchange): Message[] {
  const head = (headers: readonly (readonly [string, string])[]): string =>
    maskHeaders(headers.map(([name, value]): [string, string] => [name, value]))
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n');
  const body = (text: string | null): string => {
    const masked = maskSecrets(text ?? '');
    return masked.length > MAX_BODY ? `${masked.slice(0, MAX_BODY)}\n… cut` : masked;
  };
  const sent = `${request.method} ${maskSecrets(request.url)}\n${head(request.headers)}\n\n${body(request.body)}`;
  if (response === null) return [{ title: `${title}: request`, text: sent.trimEnd() }];
  const answer = `HTTP ${response.httpStatus}\n${head(response.headers)}\n\n${body(response.body)}`;
  return [
    { title: `${title}: request`, text: sent.trimEnd() },
    { title: `${title}: answer`, text: answer.trimEnd() },
  ];
}
