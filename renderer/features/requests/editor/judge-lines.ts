import { cutMasked } from '@shared/cut-masked';
import { expectCaptured, isSecretCapture, readCapture, takeCapture } from '@shared/expect/captures';
import { isImmediate } from '@shared/expect/expectation';
import {
  judgeAnswer,
  readReceivedAnswer,
  type AnswerExpectation,
  type AnswerHelp,
  type ReceivedAnswer,
} from '@shared/expect/judge-answer';
import { readExpectation } from '@shared/expect/read-expectation';
import type { Fill } from '@shared/expect/verdict';
import { maskSecrets } from '@shared/mask-secrets';
import { maskSecret } from '@shared/secrets';
import type { OpenTab } from '../requests-store';

/** What the last answer says of a line. */
export interface LineVerdict {
  tone: 'held' | 'failed' | 'fault' | 'open';
  text: string;
}

/** What lines are judged by here; `why` says why there is nothing. */
export interface LastAnswer {
  answer: ReceivedAnswer | null;
  why: string;
}

const mostChars = 300;

/** Only the run itself has what these are judged by. */
const ofRuns: ReadonlySet<string> = new Set(['signature', 'same']);

/** Of a long answer the screen has only the beginning: nothing can be said of it here. */
export function readAnswer({ exchange }: Pick<OpenTab, 'exchange'>): LastAnswer {
  if (exchange?.response?.isBodyShortened === true)
    return { answer: null, why: 'The last answer is too long to be judged here: a run judges it' };
  const answer = exchange === null ? null : readReceivedAnswer(exchange);
  return { answer, why: 'No answer yet' };
}

const helpWith = (fill: Fill): AnswerHelp => ({ fill, readExample: () => ({ fault: '', advice: '' }) });

const showReceived = (received: string): string => `Received ${cutMasked(received, maskSecrets, mostChars)}`;

/** Judges a line of expectations. */
export function judgeLine(line: string, { answer, why }: LastAnswer, fill: Fill): LineVerdict {
  const read = readExpectation(line);
  if ('fault' in read) return { tone: 'fault', text: read.fault.message };
  const { expectation } = read;
  if (!isImmediate(expectation) || ofRuns.has(expectation.kind))
    return { tone: 'open', text: 'Judged in a run' };
  if (answer === null) return { tone: 'open', text: why };
  const { isHeld, received } = judgeAnswer(expectation as AnswerExpectation, answer, helpWith(fill));
  return { tone: isHeld ? 'held' : 'failed', text: isHeld ? 'Holds' : showReceived(received) };
}

/** Says what a line of captures would take from the last answer; one that is secret shows its ends at most. */
export function judgeCapture(line: string, { answer, why }: LastAnswer): LineVerdict {
  const read = readCapture(line);
  if ('fault' in read) return { tone: 'fault', text: read.fault.message };
  const { capture } = read;
  if (capture.source.kind === 'webhook') return { tone: 'open', text: 'Taken in a run, from its webhook' };
  if (answer === null) return { tone: 'open', text: why };
  const { headers, tree } = answer;
  const taken = takeCapture(capture, { headers, body: tree, webhooks: [] });
  if (taken === null) {
    const { received, advice } = judgeAnswer(
      expectCaptured(capture, 0) as AnswerExpectation,
      answer,
      helpWith((text) => text),
    );
    return {
      tone: 'failed',
      text: `Finds nothing: ${cutMasked(advice ?? received, maskSecrets, mostChars)}`,
    };
  }
  if (taken === '') return { tone: 'held', text: 'Takes an empty text' };
  const shown = isSecretCapture(capture) ? maskSecret(taken) : cutMasked(taken, maskSecrets, mostChars);
  return { tone: 'held', text: `Takes ${shown}` };
}
