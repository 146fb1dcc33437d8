import { toPlainJson } from '../../plain-text';
import type { RequestResult, RunSummary } from '../run-result';
import type { Report } from './report';

/** Gives one request of a run in the words of the JSON report. */
export function writeResult(result: RequestResult): Record<string, unknown> {
  const { exchange } = result;
  return {
    event: 'request',
    title: result.title,
    name: result.name,
    folder: result.folder,
    file: result.file,
    line: result.line,
    operation: result.operation,
    iteration: result.iteration,
    row: result.row,
    outcome: result.outcome,
    reason: result.reason,
    error_code: result.errorCode,
    attempts: result.attempts,
    reference: result.reference,
    started_at: new Date(result.startedAt).toISOString(),
    duration_ms: Math.round(result.durationMs * 1000) / 1000,
    http_status: exchange?.httpStatus ?? null,
    summary: exchange?.summary ?? null,
    later: result.later,
    string_to_sign: exchange?.stringToSign ?? null,
    expectations: result.expectations,
    request:
      exchange === null
        ? null
        : {
            method: exchange.method,
            url: exchange.url,
            headers: exchange.requestHeaders,
            body: exchange.requestBody,
          },
    response:
      exchange === null || exchange.httpStatus === null
        ? null
        : {
            http_status: exchange.httpStatus,
            headers: exchange.responseHeaders,
            body: exchange.responseBody,
            timings: exchange.timings,
          },
    webhooks: result.webhooks.map(({ id, afterMs, headers, body }) => ({
      id,
      after_ms: afterMs,
      headers,
      body,
    })),
  };
}

/** Gives the counts of a run in the words of the JSON report. */
export function writeSummary(summary: RunSummary, exitCode: number): Record<string, unknown> {
  const { passed, failed, error, skipped, unfinished } = summary.counts;
  return {
    event: 'summary',
    passed,
    failed,
    errors: error,
    skipped,
    unfinished,
    expectations: summary.expectations,
    without_expectations: summary.withoutExpectations,
    interrupted: summary.isInterrupted,
    fault: summary.fault ?? null,
    not_sent: summary.notSent,
    rows: summary.rows === null ? null : { all: summary.rows.all, not_begun: summary.rows.notBegun },
    started_at: new Date(summary.startedAt).toISOString(),
    duration_ms: Math.round(summary.durationMs),
    exit_code: exitCode,
  };
}

/** JSON lines: `{"event":"request",…}` for each request, `{"event":"summary",…}` at the end. */
export const jsonReport: Report = {
  file: 'report.json',
  start: '',
  part: (result) => `${toPlainJson(writeResult(result))}\n`,
  finish: (summary, exitCode) => ({ head: '', tail: `${toPlainJson(writeSummary(summary, exitCode))}\n` }),
};
