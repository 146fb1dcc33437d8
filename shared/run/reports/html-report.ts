import type { HeaderList } from '../../contract/common';
import type { RequestResult, RunSummary } from '../run-result';
import { script, scriptHash, style } from './html-page';
import { showControls } from '../../show-controls';
import { cutTurning } from '../../turning-text';
import { escapeXml } from './junit-report';
import { describeEnd, describeNothingRun, describeOutcome, placeOf, type Report } from './report';

/** What turns the text around it, or hides in it, is shown as its mark. */
const escape = (text: string): string => escapeXml(showControls(cutTurning(text.replaceAll('\r\n', '\n'))));

/** Shorter texts have room for all of them, on narrow screens, too. */
const scrolls = (text: string): boolean => text.length > 800 || text.split('\n').length > 15;

/** A text that may have to be scrolled takes the focus, so that the keyboard scrolls it. */
function block(title: string, text: string): string {
  if (text === '') return '';
  const name = escape(title);
  const focus = scrolls(text) ? ` tabindex="0" role="group" aria-label="${name}"` : '';
  return `<h2>${name}</h2><pre${focus}>${escape(text)}</pre>`;
}

const writeHeaders = (headers: HeaderList): string =>
  headers.map(([name, value]) => `${name}: ${value}`).join('\n');

/** Beside each other, names in a script that runs to the left would change places. */
const writeNames = (names: readonly string[]): string =>
  names.map((name) => `<bdi>${escape(name)}</bdi>`).join('/');

/** The end of a file's name stays behind it. */
const writePlace = (result: RequestResult, line: number): string =>
  placeOf(result, line)
    .split('/')
    .map((part) => `<bdi dir="ltr">${escape(part)}</bdi>`)
    .join('/');

function writeExpectations(result: RequestResult): string {
  if (result.expectations.length === 0) return '';
  const rows = result.expectations.map(
    ({ outcome, text, line, expected, received, advice }) =>
      `<tr class="${outcome}"><td>${outcome}</td><td><code>${escape(text)}</code><small>${writePlace(result, line)}</small></td>` +
      `<td>${escape(expected)}</td><td>${escape(received)}</td><td>${escape(advice ?? '')}</td></tr>`,
  );
  return `<table><thead><tr><th>Outcome</th><th>Expectation</th><th>Expected</th><th>Received</th><th>What to do</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function writeTimings(timings: Readonly<Record<string, number | null>> | null): string {
  return Object.entries(timings ?? {})
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name.replace(/Ms$/, '')} ${(value ?? 0).toFixed(1)} ms`)
    .join(', ');
}

function writeExchange({ exchange }: RequestResult): string {
  if (exchange === null) return '';
  const request = [`${exchange.method} ${exchange.url}`, writeHeaders(exchange.requestHeaders)].join('\n');
  const answer = [String(exchange.httpStatus ?? 'no answer'), writeHeaders(exchange.responseHeaders)].join(
    '\n',
  );
  return [
    block('String to sign', exchange.stringToSign ?? ''),
    block('Request', `${request}\n\n${exchange.requestBody ?? ''}`.trim()),
    block('Answer', `${answer}\n\n${exchange.responseBody}`.trim()),
    block('Timings', writeTimings(exchange.timings)),
  ].join('');
}

function writeSection(result: RequestResult): string {
  const isOpen = result.outcome === 'failed' || result.outcome === 'error';
  const webhooks = result.webhooks.map(({ afterMs, headers, body }) =>
    block(`Webhook after ${Math.round(afterMs)} ms`, `${writeHeaders(headers)}\n\n${body}`.trim()),
  );
  const reference = result.reference === null ? '' : `, reference <bdi>${escape(result.reference)}</bdi>`;
  return (
    `<details class="${result.outcome}" data-outcome="${result.outcome}"${isOpen ? ' open' : ''}>` +
    `<summary><b>${result.outcome}</b> <span>${result.folder === '' ? '' : `${writeNames(result.folder.split('/'))} › `}${writeNames([result.title])}</span>` +
    ` <i>${escape(describeOutcome(result))}</i> <small>${Math.round(result.durationMs)} ms</small></summary>` +
    `<p>${writePlace(result, result.line)}${reference}</p>${writeExpectations(result)}${writeExchange(result)}${webhooks.join('')}</details>\n`
  );
}

const outcomes = ['failed', 'error', 'unfinished', 'passed', 'skipped'] as const;

function writeHead(summary: RunSummary): string {
  const { counts, expectations, durationMs, startedAt } = summary;
  const ends = [describeEnd(summary), describeNothingRun(summary)].filter((one) => one !== null);
  const ended = ends.map((end) => `<p class="ended">${escape(end)}</p>`).join('');
  const filters = outcomes.map(
    (name) =>
      `<label class="${name}"><input type="checkbox" value="${name}" checked> ${counts[name]} ${name}</label>`,
  );
  const untold = expectations.unfinished > 0 ? `, ${expectations.unfinished} not judged` : '';
  const when = new Date(startedAt).toISOString();
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>countersign run</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src '${scriptHash}'">
<style>${style}</style></head><body>
<header><h1>countersign run</h1><p>${expectations.held} of ${expectations.held + expectations.failed} expectations held${untold}, ${(durationMs / 1000).toFixed(1)} s, <time>${when}</time></p>${ended}
<form>${filters.join('')}<input type="search" placeholder="Name or text" aria-label="Filter by name or text"></form></header>
<main><output></output>
`;
}

/** One page that needs nothing else: summary, filter, and each request with what it signed, got and expected. */
export const htmlReport: Report = {
  file: 'report.html',
  part: writeSection,
  finish: (summary) => ({
    head: writeHead(summary),
    tail: `</main><script>${script}</script></body></html>\n`,
  }),
};
