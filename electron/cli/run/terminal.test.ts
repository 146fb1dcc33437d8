import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RunCounter, type RequestResult, type RunSummary } from '@shared/run/run-result';
import { createTerminal } from './terminal';

const result = {
  title: 'pay',
  folder: 'Payouts',
  file: 'Payouts/pay.http',
  line: 3,
  outcome: 'failed',
  reason: null,
  attempts: 1,
  durationMs: 12,
  exchange: { httpStatus: 400, summary: 'Rejected' },
  expectations: [
    { text: 'status 201', line: 1, outcome: 'failed', expected: '201', received: '400', advice: 'Look.' },
  ],
} as unknown as RequestResult;
const { counts, expectations } = new RunCounter();
const summary: RunSummary = {
  startedAt: 0,
  durationMs: 0,
  counts: { ...counts, failed: 1 },
  expectations: { ...expectations, failed: 1 },
  withoutExpectations: 0,
  isComplete: true,
  notSent: 0,
  rows: null,
  isInterrupted: false,
  worstError: 0,
};

const say = vi.fn<(line: string) => void>();
let written: Record<'stdout' | 'stderr', string>;
const usual = { stdout: process.stdout.isTTY, stderr: process.stderr.isTTY };

beforeEach(() => {
  written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += String(text);
      return true;
    });
});
afterEach(() => {
  vi.restoreAllMocks();
  process.stdout.isTTY = usual.stdout;
  process.stderr.isTTY = usual.stderr;
});

/** Runs one request where somebody watches standard output, standard error, or neither. */
function show(
  watched: { stdout: boolean; stderr: boolean },
  environment: Record<string, string> = {},
  { isSpec = true, isJson = false } = {},
): typeof written {
  process.stdout.isTTY = watched.stdout;
  process.stderr.isTTY = watched.stderr;
  const terminal = createTerminal(isSpec, { environment, isJson, say });
  terminal.started('pay');
  terminal.result(result);
  terminal.finish(summary);
  return written;
}
const escape = '\u001b';

it('writes progress to standard error where that is a terminal, and nowhere else', () => {
  const { stdout, stderr } = show({ stdout: false, stderr: true });
  expect(stderr).toContain('0 done, 1 waiting, 0 failed  pay');
  expect(stderr).toContain('1 done, 0 waiting, 1 failed');
  // The last line of it is cleared away.
  expect(stderr.endsWith(`\r${escape}[K`)).toBe(true);
  expect(stdout).not.toContain('waiting');
});

it('writes progress whole to a terminal that tells no width', () => {
  const { columns } = process.stderr;
  process.stderr.columns = 0;
  expect(show({ stdout: false, stderr: true }).stderr).toContain('1 done, 0 waiting, 1 failed');
  process.stderr.columns = columns;
});

it.each([
  ['a terminal', { stdout: true, stderr: false }, {}, true],
  ['a terminal where NO_COLOR asks for none', { stdout: true, stderr: false }, { NO_COLOR: '1' }, false],
  ['a terminal where NO_COLOR is empty', { stdout: true, stderr: false }, { NO_COLOR: '' }, true],
  ['a file beside a terminal', { stdout: false, stderr: true }, {}, false],
])('writes colours to a terminal alone: %s', (_where, watched, variables, hasColours) => {
  expect(show(watched, variables).stdout.includes(`${escape}[31m`)).toBe(hasColours);
  expect(written.stdout).toContain('Payouts › pay');
});

it.each([
  ['nobody watches', false, {}],
  ['the terminal acts on no signs', true, { TERM: 'dumb' }],
])('writes nothing but text where %s', (_where, isWatched, environment) => {
  const { stdout, stderr } = show({ stdout: isWatched, stderr: isWatched }, environment);
  expect([stdout.includes(escape), stderr]).toEqual([false, '']);
  expect(stdout).toContain('Payouts/pay.http:1: status 201');
});

it('leaves standard output to a report, and writes the last lines to standard error', () => {
  const { stdout, stderr } = show({ stdout: false, stderr: false }, {}, { isSpec: false });
  expect([stdout, stderr.includes('1 failed')]).toEqual(['', true]);
});

it('says the last lines as remarks where JSON was asked for', () => {
  const { stdout, stderr } = show({ stdout: false, stderr: false }, {}, { isSpec: false, isJson: true });
  expect([stdout, stderr]).toEqual(['', '']);
  expect(say).toHaveBeenCalledWith(expect.stringContaining('1 failed'));
});
