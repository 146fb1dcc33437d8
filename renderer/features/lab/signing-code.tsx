import type { DoctorResult } from '@shared/contract/doctor';
import { adviseCode } from '@shared/doctor/advice/advise-code';
import { ADVICE_LANGUAGES } from '@shared/doctor/advice/code-topics';
import {
  SNIPPET_LANGUAGES,
  writeSnippet,
  type SnippetLanguage,
} from '@shared/signing/snippets/signing-snippets';
import { useMemo } from 'react';
import { Choice } from '../../ui/choice';
import { CopyButton } from '../../ui/copy-text';
import { cx } from '../../ui/cx';
import { JsonView } from '../../ui/json-view';
import { Tabs } from '../../ui/tabs';
import { readSnippetInputs } from './lab-selectors';
import { useLabStore } from './lab-store';
import styles from './lab.module.css';

const labels = new Map(
  SNIPPET_LANGUAGES.map((language) => [
    language,
    writeSnippet(language, { reference: '', amount: '', country: '', serviceCode: '' }).label,
  ]),
);
const items = SNIPPET_LANGUAGES.map((id) => ({ id, label: labels.get(id) ?? id }));

const extents = [
  { id: 'change', label: 'What to change' },
  { id: 'whole', label: 'All of it' },
] as const;

/** What to change in the code that signed, or signing code with the body's own values. */
export function SigningCode({ causes }: { causes: DoctorResult['causes'] }) {
  const language = useLabStore((state) => state.language);
  const extent = useLabStore((state) => state.extent);
  const body = useLabStore((state) => state.diagnosedBody);
  const show = useLabStore((state) => state.showCode);
  const values = useMemo(() => readSnippetInputs(body), [body]);
  const advice = useMemo(() => {
    const advised = ADVICE_LANGUAGES.find((one) => one === language);
    const lines = advised ? adviseCode(advised, causes) : [];
    return lines.some((line) => line.kind !== 'keep') ? lines : [];
  }, [language, causes]);
  const code = values ? writeSnippet(language, values).code : '';
  const isChange = extent === 'change' && advice.length > 0;
  const copied = isChange
    ? advice
        .filter((line) => line.kind !== 'remove')
        .map((line) => line.code)
        .join('\n')
    : code;
  if (values === null && advice.length === 0) return null;
  return (
    <section className={styles.code} aria-label="Signing code">
      <Tabs
        label="Language"
        items={items}
        selected={language}
        onSelect={(id) => show({ language: id as SnippetLanguage })}
        trailing={
          <>
            {advice.length > 0 && values ? (
              <Choice
                label="How much of it"
                options={extents}
                selected={extent}
                onSelect={(next) => show({ extent: next })}
              />
            ) : null}
            <CopyButton text={copied} name="Copy the code" />
          </>
        }
        render={() =>
          isChange || values === null ? (
            <Advice lines={advice} />
          ) : (
            <JsonView text={code.trimEnd()} label="Signing code" isPlain />
          )
        }
      />
    </section>
  );
}

const signs = { remove: '−', add: '+', keep: ' ' } as const;

function Advice({ lines }: { lines: ReturnType<typeof adviseCode> }) {
  return (
    <pre className={styles.advice} tabIndex={0} aria-label="What to change">
      {lines.map((line, index) => (
        <div key={index} className={cx(styles.adviceLine, styles[line.kind])}>
          <span className={styles.sign} aria-label={line.kind === 'keep' ? undefined : line.kind}>
            {signs[line.kind]}
          </span>
          {line.code}
        </div>
      ))}
    </pre>
  );
}
