import { join, resolve } from 'node:path';
import type { Report } from '@shared/run/reports/report';
import { usageError } from '../usage-error';
import { createReportWriter, openFileTarget, openStdoutTarget, type ReportWriter } from './report-writer';

/** Reports by the name that `--reporter` takes; `spec` is the terminal's own. */
const reports: Readonly<Record<string, () => Promise<Report>>> = {
  json: async () => (await import('@shared/run/reports/json-report')).jsonReport,
  junit: async () => (await import('@shared/run/reports/junit-report')).junitReport,
  html: async () => (await import('@shared/run/reports/html-report')).htmlReport,
  tap: async () => (await import('@shared/run/reports/tap-report')).tapReport,
  github: async () => (await import('@shared/run/reports/github-report')).githubReport,
};

export const reporterNames = ['spec', ...Object.keys(reports)];

/** What a run writes where. */
export interface ChosenReports {
  readonly writers: readonly ReportWriter[];
  /** The results themselves stand on the terminal. */
  readonly isSpec: boolean;
  /** Folder of the files; null: none. */
  readonly folder: string | null;
  /** The files themselves, by their whole path. */
  readonly files: readonly string[];
}

/** Checks which reports go to standard output, before anything is made. @throws {AppError} `cli.usage` */
export function checkReporters(
  names: readonly string[],
  out: string | undefined,
  isJson: boolean,
): Set<string> {
  const wanted = new Set(isJson ? [...names, 'json'] : names);
  const files = [...wanted].filter((name) => name !== 'spec' && name !== 'github');
  const onStdout = out === undefined ? files : isJson ? ['json'] : [];
  const isShared =
    onStdout.length > 1 || (onStdout.length === 1 && (wanted.has('spec') || wanted.has('github')));
  if (isShared) {
    throw usageError(
      `${[...wanted].join(' and ')} do not fit on one output: name a folder for files with --out DIR.`,
    );
  }
  return wanted;
}

/**
 * Opens the reports of a run, in a folder that is there.
 *
 * @param isJson - `--json`: the JSON report on standard output
 * @throws {AppError} `cli.usage`, `platform.unwritable`
 */
export async function chooseReports(
  names: readonly string[],
  out: string | undefined,
  isJson: boolean,
): Promise<ChosenReports> {
  const wanted = checkReporters(names, out, isJson);
  const folder = out === undefined ? null : resolve(out);
  const writers: ReportWriter[] = [];
  const files: string[] = [];
  for (const name of wanted) {
    const report = await reports[name]?.();
    if (report === undefined) continue;
    if (report.file === '') writers.push(createReportWriter(report, openStdoutTarget()));
    else if (folder !== null && (name !== 'json' || names.includes('json'))) {
      files.push(join(folder, report.file));
      writers.push(createReportWriter(report, openFileTarget(folder, report.file)));
    }
    if (report.file !== '' && (folder === null || (name === 'json' && isJson))) {
      writers.push(createReportWriter(report, openStdoutTarget()));
    }
  }
  const isStdoutFree =
    isJson || (folder === null && [...wanted].some((name) => name !== 'spec' && name !== 'github'));
  return { writers, isSpec: wanted.has('spec') || (names.length === 0 && !isStdoutFree), folder, files };
}
