import { useState } from 'react';
import { completeExpectation, suggestExpectations } from '@shared/expect/suggest-expectations';
import { fillVariables } from '@shared/http-file/resolve-request';
import { joinScopes } from '@shared/http-file/value-scopes';
import { useAppStatus } from '../../../session/app-status';
import { readCollectionValues } from '../../../session/environments';
import { Button } from '../../../ui/button';
import { FirstRows } from '../../../ui/first-rows';
import { TextField } from '../../../ui/text-field';
import { ForeignText } from '../../../ui/foreign-text';
import { editExpectations } from './edit-actions';
import { judgeCapture, judgeLine, readAnswer, type FillLine } from './judge-lines';
import styles from './expect-editor.module.css';
import type { PartProps } from './part-props';

const toLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** The expectations and captures of a request, each with what the last answer says of it. */
export function ExpectEditor({ tab, insight: { block } }: PartProps) {
  const environment = useAppStatus((state) => state.status?.environment ?? null);
  const list = (wanted: string): string[] =>
    block?.annotations.filter(({ name }) => name === wanted).map(({ value }) => value) ?? [];
  const lines = list('expect');
  const [typed, setTyped] = useState(() => lines.join('\n'));
  const shown = toLines(typed).join('\n') === lines.join('\n') ? typed : lines.join('\n');
  const last = readAnswer(tab);
  const { answer } = last;
  // A run has them from the same places.
  const sources = joinScopes({ environment, collection: readCollectionValues(tab.collectionId) });
  const fill: FillLine = (text) => fillVariables(text, block?.fileVariables ?? [], sources);
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
          obstacle={answer === null && last.why}
          onPress={() =>
            answer && change([...new Set([...lines, ...suggestExpectations(answer)])].join('\n'))
          }
        >
          Expect what came
        </Button>
      </div>
      <ul className={styles.verdicts} aria-label="What the last answer says">
        <FirstRows items={lines} more={(way) => <li>{way}</li>}>
          {(line, index) => <Verdict key={`${index}-${line}`} line={line} {...judgeLine(line, last, fill)} />}
        </FirstRows>
        <FirstRows items={list('capture')} more={(way) => <li>{way}</li>}>
          {(line, index) => (
            <Verdict
              key={`capture ${index}-${line}`}
              line={`capture ${line}`}
              {...judgeCapture(line, last, environment?.session)}
            />
          )}
        </FirstRows>
      </ul>
    </div>
  );
}

function Verdict({ line, tone, text }: { line: string; tone: string; text: string }) {
  return (
    <li data-tone={tone}>
      <code>
        <ForeignText text={line} />
      </code>
      <span>
        <ForeignText text={text} />
      </span>
    </li>
  );
}
