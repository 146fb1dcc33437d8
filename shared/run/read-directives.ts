import { expectCaptured, readCapture, type Capture } from '../expect/captures';
import type { Expectation } from '../expect/expectation';
import { readExpectation } from '../expect/read-expectation';
import { findMeantAnnotation } from '../http-file/foreign-lines';
import type { HttpRequestBlock } from '../http-file/http-file';
import { largestOf } from '../largest-of';

/** An expectation and the line that it stands on. */
export interface PlacedExpectation {
  readonly expectation: Expectation;
  readonly text: string;
  readonly line: number;
  /** It stands for a `# @capture`: what it finds is told to nobody. */
  readonly isCapture?: boolean;
}

/** What is wrong in a file, and where. */
export interface RunFault {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** What a run reads of the comments of a request. */
export interface RunDirectives {
  /** What is asked for, in the order of the lines; of each capture, that there is something to capture. */
  readonly expectations: readonly PlacedExpectation[];
  readonly captures: readonly Capture[];
  readonly tags: readonly string[];
  /** Names of the requests that have to pass before. */
  readonly dependsOn: readonly { readonly name: string; readonly line: number }[];
  /** Why it is not sent; null: it is. */
  readonly skip: string | null;
  readonly isOnly: boolean;
  readonly faults: readonly Omit<RunFault, 'file'>[];
}

/** So long a webhook to capture from is waited for where no expectation says how long. */
const usualWindowMs = 10_000;

function findWebhookWindow(expectations: readonly PlacedExpectation[]): number {
  const windows = expectations.map(({ expectation }) =>
    expectation.kind === 'webhook' ? expectation.withinMs : 0,
  );
  return largestOf(windows, 0) || usualWindowMs;
}

/** Reads `# @expect`, `@capture`, `@tag`, `@depends-on`, `@skip` and `@only` of a request. */
export function readDirectives(block: Pick<HttpRequestBlock, 'annotations' | 'isDisabled'>): RunDirectives {
  const expectations: PlacedExpectation[] = [];
  const captures: Capture[] = [];
  const faults: { line: number; message: string }[] = [];
  const values = (...names: string[]) => block.annotations.filter(({ name }) => names.includes(name));
  for (const { value, line } of values('expect')) {
    const read = readExpectation(value);
    if ('expectation' in read) expectations.push({ expectation: read.expectation, text: value, line });
    else faults.push({ line, message: `# @expect ${value}: ${read.fault.message}` });
  }
  const windowMs = findWebhookWindow(expectations);
  for (const { value, line } of values('capture')) {
    const read = readCapture(value);
    if ('fault' in read) {
      faults.push({ line, message: `# @capture ${value}: ${read.fault.message}` });
      continue;
    }
    const { capture } = read;
    captures.push(capture);
    const expectation = expectCaptured(capture, windowMs);
    expectations.push({ expectation, text: `capture ${value}`, line, isCapture: true });
  }
  for (const { value, line, name } of values('tag', 'depends-on')) {
    if (value === '') faults.push({ line, message: `# @${name} needs a name behind it.` });
  }
  for (const { name, line } of block.annotations) {
    const meant = findMeantAnnotation(name);
    if (meant !== null)
      faults.push({
        line,
        message: `There is no # @${name.slice(0, 40)}: write # @${meant}, or leave the @ out.`,
      });
  }
  const skip = values('skip')[0];
  return {
    expectations: expectations.toSorted((a, b) => a.line - b.line),
    captures,
    faults: faults.toSorted((a, b) => a.line - b.line),
    tags: values('tag').flatMap(({ value }) => value.split(/[\s,]+/).filter((tag) => tag !== '')),
    dependsOn: values('depends-on')
      .map(({ value, line }) => ({ name: value, line }))
      .filter(({ name }) => name !== ''),
    skip: skip !== undefined ? skip.value || 'skipped by its file' : block.isDisabled ? 'disabled' : null,
    isOnly: values('only').length > 0,
  };
}
