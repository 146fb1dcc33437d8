import { dirname, resolve } from 'node:path';
import { AppError } from '@shared/errors';
import { listSome } from '@shared/list-some';
import type { RunSummary } from '@shared/run/run-result';
import { planRun, type RunPlan, type RunRequest } from '@shared/run/plan-run';
import type { RunFault } from '@shared/run/read-directives';
import { findStats } from '../../platform/files/files';
import { makeOutFolder } from '../../platform/files/open-unlinked';
import { refuseFaults } from '../../services/running/refuse-faults';
import {
  defineCommand,
  exitCodeBySignal,
  type CommandContext,
  type EndSignal,
  type ExitCode,
} from '../command';
import { productionOption } from '../confirm-production';
import type { OptionValues } from '../option-table';
import { checkReporters, chooseReports, reporterNames, type ChosenReports } from '../run/choose-reports';
import { createTerminal } from '../run/terminal';
import { finishHalfImports, keyOption, serviceNotes, serviceOptions } from '../session';
import { usageError } from '../usage-error';

const list = { isList: true } as const;

export const runOptionTable = {
  env: serviceOptions.env,
  'base-url': serviceOptions['base-url'],
  sandbox: { type: 'flag', help: 'Start a sandbox in memory for this run, with keys of its own' },
  key: keyOption,
  tag: { ...list, placeholder: 'T', help: 'Run what has this `# @tag`' },
  grep: { placeholder: 'TEXT', help: 'Run what has this in its name or path' },
  bail: { type: 'flag', help: 'Send no more after the first failure' },
  jobs: {
    type: 'integer',
    help: 'Questions at once about waiting requests; 1: one request after the other',
    min: 1,
    max: 64,
    fallback: 8,
  },
  retry: { type: 'integer', help: 'Try a failed request again', max: 20, fallback: 0 },
  iterations: { type: 'integer', help: 'Run all of it so often (default 1)', min: 1 },
  data: {
    placeholder: 'FILE',
    help: 'Rows, CSV or JSON: all of it runs once a row, with {{row.COLUMN}}',
  },
  resume: { placeholder: 'FILE', help: 'Go on with a run of rows: its resume.json' },
  delay: {
    type: 'integer',
    placeholder: 'MS',
    help: 'Wait between two requests',
    max: 3_600_000,
    fallback: 0,
  },
  timeout: { ...serviceOptions['timeout-ms'], placeholder: 'MS' },
  reporter: { ...list, placeholder: 'NAME', help: 'A report of the run', choices: reporterNames },
  out: { placeholder: 'DIR', help: 'Folder for the files of the reporters' },
  var: { ...list, placeholder: 'NAME=VALUE', help: 'Value of a variable, before all others' },
  'callback-url': { placeholder: 'URL', help: 'Value of {{callback_url}}' },
  'listen-port': {
    type: 'integer',
    help: 'Port on 127.0.0.1 that receives the webhooks of this run, where --callback-url leads',
    min: 1,
    max: 65_535,
  },
  'allow-host': {
    ...list,
    placeholder: 'HOST',
    help: "Another host than the environment's that may have its token and signature",
  },
  production: productionOption,
  'data-directory': serviceOptions.data,
} as const;

export type RunValues = OptionValues<typeof runOptionTable>;

/** Of so many kinds of notes each is said; the rest is counted. */
const mostNotes = 20;

/** Tells of captures whose value nobody sees: one of the call goes before it. */
function listHidden(
  { directives: { captures, expectations } }: RunRequest,
  given: Readonly<Record<string, string>>,
): { line: number; message: string }[] {
  const lines = expectations.flatMap(({ line, isCapture = false }) => (isCapture ? [line] : []));
  return captures.flatMap(({ name }, index) => {
    const message = `{{${name}}} is the one of the call (--var): what is captured here does not take its place.`;
    return Object.hasOwn(given, name) ? [{ line: lines[index] ?? 1, message }] : [];
  });
}

/**
 * Says what the files ask for and is not done, each once, with the first place of it.
 *
 * @param given - values of the call
 */
export function sayNotes(
  { say }: Pick<CommandContext, 'say'>,
  { requests }: RunPlan,
  given: Readonly<Record<string, string>> = {},
): void {
  const places = new Map<string, string[]>();
  for (const { request } of requests) {
    for (const { line, message } of [...request.block.notes, ...listHidden(request, given)]) {
      const known = places.get(message);
      if (known === undefined) places.set(message, [`${request.file}:${line}`]);
      else known.push(`${request.file}:${line}`);
    }
  }
  for (const [message, [first, ...more]] of [...places].slice(0, mostNotes))
    say(
      `${first}: ${message}${more.length === 0 ? '' : ` (and ${more.length} more: ${more.slice(0, 3).join(', ')}${more.length > 3 ? ', …' : ''})`}`,
    );
  if (places.size > mostNotes) say(`And ${places.size - mostNotes} more notes like these.`);
}

/** Reads what is to run, and what is wrong in it. @throws {AppError} `running.*` */
export async function readPlan(
  paths: readonly string[],
  values: RunValues,
): Promise<{ plan: RunPlan; faults: readonly RunFault[] }> {
  const { loadRequests } = await import('../../services/running/load-requests');
  const loaded = await loadRequests(
    paths.map((path) => resolve(path)),
    // Of which collection it is, is known once the data directory is open: `identifyPlan`.
    { base: process.cwd(), identify: (file, block) => ({ collectionId: '', path: file, block }) },
  );
  const plan = planRun(loaded.requests, { tags: values.tag, grep: values.grep ?? null });
  const faults = [...loaded.faults, ...plan.faults];
  if (plan.requests.length > 0 || faults.length > 0) return { plan, faults };
  throw new AppError(
    'running.nothing',
    `There is no request${describeChoice(values)} in ${listSome(paths.map((path) => `'${path}'`))}. Nothing was run.`,
  );
}

/** What was asked for, so that its line can be written, or its name corrected. */
function describeChoice({ tag, grep }: Pick<RunValues, 'tag' | 'grep'>): string {
  const tags = tag.map((one) => `'# @tag ${one.slice(0, 60)}'`).join(' or ');
  const chosen = [
    ...(tag.length > 0 ? [tags] : []),
    ...(grep === undefined ? [] : [`'${grep.slice(0, 60)}' in its name or path`]),
  ];
  return chosen.length === 0 ? '' : ` with ${chosen.join(' and ')}`;
}

export function findFolder(path: string): string {
  const place = resolve(path);
  return findStats(place)?.isDirectory() === true ? place : dirname(place);
}

/** 1: an expectation failed; else what errors stand for; 129, 130, 143: it was ended before its end; 2: its rows could not be read to theirs. */
export function decideExit(
  { counts, isInterrupted, worstError, fault }: RunSummary,
  endedBy: EndSignal = 'SIGINT',
): ExitCode {
  if (isInterrupted) return exitCodeBySignal[endedBy];
  if (fault !== undefined) return 2;
  if (counts.failed > 0) return 1;
  // Of a payment that an earlier run sent and that is not final yet.
  return counts.unfinished > 0 ? 3 : worstError;
}

async function report(
  { writers, isSpec, files, folder }: ChosenReports,
  context: CommandContext,
  run: (
    take: Pick<ReturnType<typeof createTerminal>, 'started' | 'ending' | 'result'>,
  ) => Promise<RunSummary>,
): Promise<ExitCode> {
  const terminal = createTerminal(isSpec, context);
  let endedBy: EndSignal | undefined;
  void context.waitForEnd().then((signal) => (endedBy = signal));
  const summary = await run({
    started: terminal.started,
    ending: terminal.ending,
    result(given) {
      const { reason, errorCode } = given;
      const isError = reason !== null && errorCode !== null;
      const result = isError ? { ...given, reason: context.inWords(reason) } : given;
      terminal.result(result);
      for (const writer of writers) writer.add(result);
    },
  });
  const exitCode = decideExit(summary, endedBy);
  terminal.finish(summary);
  // Where one finds no room, the others are finished all the same.
  const finished = await Promise.allSettled(writers.map((writer) => writer.finish(summary, exitCode)));
  for (const one of finished) if (one.status === 'rejected') throw one.reason;
  if (files.length > 0) context.say(`Written: ${files.join(', ')}`);
  else if (folder !== null) context.say(`No report was written to ${folder}: name one with --reporter.`);
  return exitCode;
}

/** Nothing is written, and nothing of what is there replaced, before the folders are this run's own. */
async function withHeldFolders<T>({ out, resume }: RunValues, run: () => Promise<T>): Promise<T> {
  if (out === undefined && resume === undefined) return run();
  const folder = out === undefined ? null : resolve(out);
  if (folder !== null) makeOutFolder(folder);
  const { holdRunFolders } = await import('../run/hold-folders');
  const held = holdRunFolders(folder, resume);
  try {
    return await run();
  } finally {
    held.release();
  }
}

export const command = defineCommand({
  outlivesReader: true,
  usage: 'run DIR|FILE… (--sandbox | --env NAME | --base-url URL) [--reporter NAME]… [--out DIR] …',
  summary:
    'Run requests as tests: send them in order, judge their `# @expect` lines, wait for their webhooks.',
  notes: [
    'Reporters but spec and github write a file each into --out (report.json, junit.xml, report.html, report.tap); without --out, one of them may have standard output.',
    'Exit codes: 0 all held, or nothing was run, which the last line says; 1 an expectation failed; 2 wrong usage, expression or file, and nothing was sent, or no room on the disk, or rows that changed; 3 no answer; 130 ended by Ctrl+C, 143 by SIGTERM, 129 as its terminal was closed.',
    'A run of rows (--data) writes resume.json into --out as it goes; --resume goes on with it and sends no reference twice.',
    ...serviceNotes,
  ],
  options: runOptionTable,
  positionals: [{ name: 'DIR|FILE…', isRequired: true, isList: true, help: 'Folders and files of requests' }],
  async run(context, values, paths) {
    if (values.env !== undefined && values['base-url'] !== undefined)
      throw usageError('--env and --base-url exclude each other.');
    if (
      values.sandbox &&
      (values.env !== undefined || values['base-url'] !== undefined || values.key !== undefined)
    ) {
      throw usageError(
        '--sandbox starts a service with keys of its own: leave out --env, --base-url and --key.',
      );
    }
    checkReporters(values.reporter, values.out, context.isJson);
    for (const path of paths) await finishHalfImports(context, findFolder(path));
    const { plan, faults } = await readPlan(paths, values);
    // Where a service is named nothing need be opened to judge the files; else what the command line lacks comes first.
    if (values.sandbox || values['base-url'] !== undefined) refuseFaults(faults);
    const { withRunSession } = await import('../run/run-session');
    return withRunSession({ context, values, plan, folder: resolve(paths[0] ?? '.') }, async (session) => {
      refuseFaults(faults);
      refuseFaults(await session.findMissing(), await session.findMissingSetUp());
      await session.refuseRows();
      for (const name of session.hiddenColumns)
        context.say(
          `{{row.${name}}} is the one of the call (--var) in every row: what the rows have in their column ${name} is not sent.`,
        );
      sayNotes(context, plan, session.given);
      await session.confirm();
      return withHeldFolders(values, async () => {
        const reports = await chooseReports(values.reporter, values.out, context.isJson);
        session.openResume(reports.folder);
        const exitCode = await report(reports, context, (take) => session.run(take));
        const rest = session.adviseRest();
        if (rest !== null) context.say(rest);
        return exitCode;
      });
    });
  },
});
