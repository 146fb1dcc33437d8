import { useState } from 'react';
import { cutMasked } from '@shared/cut-masked';
import { isImmediate } from '@shared/expect/expectation';
import {
  judgeAnswer,
  readReceivedAnswer,
  type AnswerExpectation,
  type ReceivedAnswer,
} from '@shared/expect/judge-answer';
import { readExpectation } from '@shared/expect/read-expectation';
import { completeExpectation, suggestExpectations } from '@shared/expect/suggest-expectations';
import type { Fill } from '@shared/expect/verdict';
import { fillVariables } from '@shared/http-file/resolve-request';
import { maskSecrets } from '@shared/mask-secrets';
import { Button } from '../../../ui/button';
import { TextField } from '../../../ui/text-field';
import type { OpenTab } from '../requests-store';
import { editExpectations } from './edit-actions';
import type { RequestInsight } from './inspect-request';
import styles from './expect-editor.module.css';

interface ExpectEditorProps {
  tab: OpenTab;
  insight: RequestInsight;
}

/** What the last answer says of a line. */
interface LineVerdict {
  tone: 'held' | 'failed' | 'fault' | 'open';
  text: string;
}

const toLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** Only the run itself has what these are judged by. */
const ofRuns: ReadonlySet<string> = new Set(['signature', 'same']);

function judgeLine(line: string, { answer, why }: LastAnswer, fill: Fill): LineVerdict {
  const read = readExpectation(line);
  if ('fault' in read) return { tone: 'fault', text: read.fault.message };
  const { expectation } = read;
  if (!isImmediate(expectation) || ofRuns.has(expectation.kind))
    return { tone: 'open', text: 'Judged in a run' };
  if (answer === null) return { tone: 'open', text: why };
  const { isHeld, received } = judgeAnswer(expectation as AnswerExpectation, answer, {
    fill,
    readExample: () => ({ fault: '', advice: '' }),
  });
  return {
    tone: isHeld ? 'held' : 'failed',
    text: isHeld ? 'Holds' : `Received ${cutMasked(received, maskSecrets, 300)}`,
  };
}

/** What lines are judged by here; `why` says why there is nothing. */
interface LastAnswer {
  answer: ReceivedAnswer | null;
  why: string;
}

/** Of a long answer the screen has only the beginning: nothing can be said of it here. */
function readAnswer({ exchange }: OpenTab): LastAnswer {
  if (exchange?.response?.isBodyShortened === true)
    return { answer: null, why: 'The last answer is too long to be judged here: a run judges it' };
  const answer = exchange === null ? null : readReceivedAnswer(exchange);
  return { answer, why: 'No answer yet' };
}

/** The expectations of a request, each with what the last answer says of it. */
export function ExpectEditor({ tab, insight: { block, prepared } }: ExpectEditorProps) {
  const lines = block?.annotations.filter(({ name }) => name === 'expect').map(({ value }) => value) ?? [];
  const [typed, setTyped] = useState(() => lines.join('\n'));
  const shown = toLines(typed).join('\n') === lines.join('\n') ? typed : lines.join('\n');
  const last = readAnswer(tab);
  const { answer } = last;
  const fill: Fill = (text) =>
    fillVariables(text, block?.fileVariables ?? [], { variables: prepared?.variablesUsed ?? {} }).filled;
  const change = (next: string): void => {
    setTyped(next);
    editExpectations(tab.id, toLines(next));
  };
  const lastLine = shown.split('\n').at(-1) ?? '';
  const forms = completeExpectation(lastLine).slice(0, 6);
  return (
    <div className={styles.form}>
      <TextField
        label="What “countersign run” checks, one line each"
        value={shown}
        onChange={change}
        rows={8}
        isCode
        placeholder={'status 201\nbody code in ACCEPTED, 100\nwebhook within 10s status == SUCCESS'}
        help="Kept in the file as “# @expect …”."
      />
      <div className={styles.actions}>
        {forms.map((form) => (
          <Button
            key={form}
            variant="quiet"
            onPress={() => change(shown.slice(0, shown.length - lastLine.length) + form)}
          >
            {form}
          </Button>
        ))}
        <Button
          isDisabled={answer === null}
          onPress={() =>
            answer && change([...new Set([...lines, ...suggestExpectations(answer)])].join('\n'))
          }
        >
          Expect what came
        </Button>
      </div>
      <ul className={styles.verdicts} aria-label="What the last answer says">
        {lines.map((line, index) => {
          const { tone, text } = judgeLine(line, last, fill);
          return (
            <li key={`${index}-${line}`} data-tone={tone}>
              <code>{line}</code>
              <span>{text}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
