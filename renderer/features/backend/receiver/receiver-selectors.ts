import type { ReceiverStatus } from '@shared/contract/receiver';
import { describeUnjudged, type ReceiverScenario } from '@shared/receiver-check/receiver-scenarios';
import type { Tone } from '../../../ui/tag';

type Result = ReceiverStatus['results'][number];

/** An address as it may be shown: its query may hold a secret. */
export function shownAddress(url: string): string {
  return URL.canParse(url) ? new URL(url).origin + new URL(url).pathname : url;
}

/** Tells whether what a check showed is of the address that stands in the form. */
export function isOfAddress({ url }: ReceiverStatus, typed: string): boolean {
  const address = typed.trim();
  return address === url || (URL.canParse(address) && new URL(address).href === url);
}

/** How far a check is, in one line; of which address, where another one stands in the form. */
export function describeCheck(status: ReceiverStatus | null, typed: string): string {
  if (status === null || status.state === 'idle') return 'Nothing was played yet.';
  const { results, planned, state } = status;
  const failed = results.filter(({ verdict }) => verdict === 'fail').length;
  const counts = [
    `${results.length} of ${planned.length} played`,
    failed === 0 ? 'none failed' : `${failed} failed`,
    ...describeUnjudged(results),
  ].join(', ');
  const words = { running: 'Playing', done: 'Done', canceled: 'Canceled', failed: 'Ended early' };
  const where = isOfAddress(status, typed) ? '' : ` at ${shownAddress(status.url)}`;
  return `${words[state]}${where}: ${counts}.`;
}

/** The verdict of a scenario in a word; null: it was not played. */
export function describeResult(
  status: ReceiverStatus | null,
  scenario: ReceiverScenario,
): { result: Result | null; text: string | null; tone: Tone } {
  const result = status?.results.find((one) => one.scenario === scenario) ?? null;
  if (status?.state === 'running' && status.current === scenario)
    return { result: null, text: 'playing', tone: 'warn' };
  if (result === null) return { result, text: null, tone: 'quiet' };
  if (result.isSkipped) return { result, text: 'not judged', tone: 'quiet' };
  if (result.isAnswerOnly) return { result, text: 'answered', tone: 'quiet' };
  return result.verdict === 'pass'
    ? { result, text: 'passed', tone: 'good' }
    : { result, text: 'failed', tone: 'bad' };
}
