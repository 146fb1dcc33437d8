import { activeCharacters, escapeUnit } from '../../hidden-characters';
import { loggedCommand } from '../../plain-text';
import type { RequestResult, RunSummary } from '../run-result';
import { describeEnd, describeFailures, describeNothingRun, describeOutcome, type Report } from './report';

/** Characters that no XML document may hold, however they are written. */
const forbidden =
  // eslint-disable-next-line no-control-regex -- these are the ones
  /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Writes a text for XML: its marks as entities (so `]]>` is none), and what acts on a terminal or in a build's log; what XML cannot hold as `\uNNNN`. */
export function escapeXml(text: string): string {
  return text
    .replace(forbidden, escapeUnit)
    .replace(/[&<>"]/g, (one) => entities[one]!)
    .replace(activeCharacters, (one) => `&#${one.codePointAt(0)};`)
    .replace(loggedCommand, (one) => `${one.slice(0, -1)}&#91;`);
}

/** In attributes line breaks would become blanks. */
const escapeAttribute = (text: string): string =>
  escapeXml(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

function writeOutcome(result: RequestResult): string {
  if (result.outcome === 'skipped') return `<skipped message="${escapeAttribute(result.reason ?? '')}"/>`;
  const failures = describeFailures(result);
  const text = failures.join('\n\n');
  const message = escapeAttribute(
    (failures[0] ?? describeOutcome(result)).split('\n').slice(0, 3).join(', '),
  );
  if (result.outcome === 'failed') {
    return `<failure message="${message}" type="expectation">${escapeXml(text)}</failure>`;
  }
  if (result.outcome === 'passed') return '';
  const type = result.outcome === 'error' ? (result.errorCode ?? 'error') : 'unfinished';
  return `<error message="${message}" type="${escapeAttribute(type)}">${escapeXml(text)}</error>`;
}

function writeDetails(result: RequestResult): string {
  const { exchange, reference, webhooks } = result;
  const lines = [
    exchange === null ? '' : `${exchange.method} ${exchange.url}`,
    describeOutcome(result),
    reference === null ? '' : `reference ${reference}`,
    ...[exchange?.stringToSign ?? []].flat().map((text) => `string to sign ${text}`),
    ...result.expectations.map(
      ({ outcome, text, received }) => `${outcome} ${text}${outcome === 'unfinished' ? `: ${received}` : ''}`,
    ),
    ...webhooks.map(({ afterMs, body }) => `webhook after ${Math.round(afterMs)} ms: ${body.slice(0, 2000)}`),
  ];
  return lines.filter((line) => line !== '').join('\n');
}

function writeTestcase(result: RequestResult): string {
  const name = escapeAttribute(result.title);
  const classname = escapeAttribute(result.folder === '' ? '.' : result.folder);
  const body = `${writeOutcome(result)}<system-out>${escapeXml(writeDetails(result))}</system-out>`;
  return `    <testcase name="${name}" classname="${classname}" time="${seconds(result.durationMs)}">${body}</testcase>\n`;
}

function writeHead({ counts, durationMs, startedAt }: RunSummary): string {
  const tests = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const errors = counts.error + counts.unfinished;
  const totals = `tests="${tests}" failures="${counts.failed}" errors="${errors}"`;
  const time = `time="${seconds(durationMs)}"`;
  const timestamp = new Date(startedAt).toISOString().slice(0, 19);
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="countersign run" ${totals} ${time}>\n` +
    `  <testsuite name="countersign run" ${totals} skipped="${counts.skipped}" ${time} timestamp="${timestamp}" hostname="localhost">\n`
  );
}

/** JUnit's XML as Jenkins, GitLab and GitHub read it: a request is a testcase, its folder the class. */
export const junitReport: Report = {
  file: 'junit.xml',
  part: writeTestcase,
  finish: (summary) => {
    const ends = [describeEnd(summary), describeNothingRun(summary)].filter((one) => one !== null);
    const said = ends.length === 0 ? '' : `    <system-err>${escapeXml(ends.join('\n'))}</system-err>\n`;
    return { head: writeHead(summary), tail: `${said}  </testsuite>\n</testsuites>\n` };
  },
};
