import { toPlainText } from '../../plain-text';
import type { RequestResult } from '../run-result';
import { describeEnd, describeNothingRun, describeFailures, placeOf, type Report } from './report';

/** The log is read at terminals, too. */
const escapeData = (text: string): string => toPlainText(text).replaceAll('%', '%25').replaceAll('\n', '%0A');
const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

function annotate(result: RequestResult): string {
  const lines = [
    ...(result.outcome === 'error' ? [result.line] : []),
    ...result.expectations.filter(({ outcome }) => outcome === 'failed').map(({ line }) => line),
  ];
  return describeFailures(result)
    .map((text, index) => {
      const line = lines[index] ?? result.line;
      const message = text.replace(`${placeOf(result, line)}: `, '');
      return `::error file=${escapeProperty(result.file)},line=${line},title=${escapeProperty(result.title)}::${escapeData(message)}\n`;
    })
    .join('');
}

/** Annotations of GitHub Actions: each failure stands at its line in the pull request. */
export const githubReport: Report = {
  file: '',
  start: '',
  part: (result) => (['failed', 'error'].includes(result.outcome) ? annotate(result) : ''),
  finish: (summary) => {
    const { passed, failed, error, skipped, unfinished } = summary.counts;
    const untold = unfinished > 0 ? `, ${unfinished} not finished` : '';
    const ends = [describeEnd(summary), describeNothingRun(summary)].filter((one) => one !== null);
    const warning = ends.map((end) => `::warning title=countersign run::${escapeData(end)}\n`).join('');
    return {
      head: '',
      tail: `${warning}::notice title=countersign run::${passed} passed, ${failed} failed, ${error} errors, ${skipped} skipped${untold}\n`,
    };
  },
};
