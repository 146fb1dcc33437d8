import type { RequestResult, RunSummary } from '@shared/run/run-result';
import { writeSpec, writeSpecSummary, type SpecLine } from '@shared/run/reports/spec-report';
import { toPlainLine } from '@shared/plain-text';
import type { CommandContext } from '../command';

const colours: Readonly<Record<SpecLine['tone'], string>> = { good: '32', bad: '31', quiet: '2', plain: '' };

export interface RunTerminal {
  started(title: string): void;
  result(result: RequestResult): void;
  /** Somebody wants the end: it may take as long as an answer. */
  ending(): void;
  finish(summary: RunSummary): void;
}

/**
 * Writes results to standard output, and progress to standard error where somebody watches.
 *
 * Colours stand on a terminal alone, and not where `NO_COLOR` asks for none; neither they nor what is written over on one
 * that acts on no signs (`TERM=dumb`).
 * @param isSpec - results are written; else the last lines alone, to standard error
 */
export function createTerminal(
  isSpec: boolean,
  { environment, isJson, say }: Pick<CommandContext, 'environment' | 'isJson' | 'say'>,
): RunTerminal {
  const stream = isSpec ? process.stdout : process.stderr;
  const isDumb = environment['TERM'] === 'dumb';
  const hasColour = stream.isTTY && !isDumb && (environment['NO_COLOR'] ?? '') === '';
  const progress = createProgress(process.stderr.isTTY && !isDumb);
  const write = ({ text, tone }: SpecLine): string => {
    const plain = toPlainLine(text);
    const colour = hasColour ? colours[tone] : '';
    return colour === '' ? `${plain}\n` : `\x1b[${colour}m${plain}\x1b[0m\n`;
  };
  const print = (lines: readonly SpecLine[]): void => void stream.write(lines.map(write).join(''));
  return {
    started: (title) => progress.started(title),
    result(result) {
      progress.clear();
      if (isSpec) print(writeSpec(result));
      progress.result(result);
    },
    ending() {
      progress.clear();
      say('Ending with the request under way; once more ends it at once, without a report.');
    },
    finish(summary) {
      progress.clear();
      const last = writeSpecSummary(summary);
      if (!isJson) print(last);
      else for (const { text } of last) if (text !== '') say(text);
    },
  };
}

/** One line that is written over: what was sent last, and how many are still waited for. */
function createProgress(isShown: boolean) {
  let started = 0;
  let done = 0;
  let failed = 0;
  let last = '';
  const show = (): void => {
    if (!isShown) return;
    // A terminal that nobody told its width has none.
    const width = Math.max(20, (process.stderr.columns || 80) - 1);
    const counts = `${done} done, ${started - done} waiting, ${failed} failed`;
    process.stderr.write(`\r\x1b[K${toPlainLine(`${counts}  ${last}`).slice(0, width)}`);
  };
  return {
    started(title: string): void {
      started += 1;
      last = title;
      show();
    },
    result({ outcome, attempts }: RequestResult): void {
      if (attempts === 0 && outcome === 'skipped') started += 1;
      done += 1;
      if (outcome === 'failed' || outcome === 'error') failed += 1;
      show();
    },
    clear(): void {
      if (isShown) process.stderr.write('\r\x1b[K');
    },
  };
}
