import {
  addFormField,
  readBodyForm,
  removeFormField,
  setFormField,
  type FormRow,
} from '@shared/body/body-form';
import { listChoices, rankChoices } from '@shared/body/complete-body';
import { completeVariable } from '@shared/body/complete-variable';
import { describeField } from '@shared/body/describe-field';
import { Plus, X } from 'lucide-react';
import { useCallback, useMemo, useState, type CSSProperties } from 'react';
import { useAppStatus } from '../../../session/app-status';
import { AssistInput } from '../../../ui/assist-input';
import { IconButton, TextButton } from '../../../ui/button';
import type { Completion } from '@shared/body/complete-variable';
import { cx } from '../../../ui/cx';
import { EmptyState } from '../../../ui/empty-state';
import { Menu } from '../../../ui/menu';
import { readValueSources } from '../requests-selectors';
import { updateTab, type OpenTab } from '../requests-store';
import { listVariables, readFixSources } from './body-assist';
import { findCheckedOperation } from './checked-operation';
import { ForeignText } from '../../../ui/foreign-text';
import styles from './body-form.module.css';
import { describeExpressions } from './describe-value';
import { editBody } from './edit-actions';
import type { BodyProblem, RequestInsight } from './inspect-request';
import { readUsedValues } from './used-values';

interface FormProps {
  tab: OpenTab;
  insight: RequestInsight;
  problems: readonly BodyProblem[];
}

/** The body, field by field: a view of its text, of which an edit changes the bytes of that field alone. */
export function BodyForm({ tab, insight, problems }: FormProps) {
  const body = insight.block?.body ?? '';
  const operation = findCheckedOperation(insight);
  const form = useMemo(() => readBodyForm(operation, body), [operation, body]);
  const keepInView = useFieldInView();
  if (form.fault !== null) {
    const toText = (
      <TextButton onPress={() => updateTab(tab.id, { isFormShown: false })}>Show the text</TextButton>
    );
    return (
      <EmptyState title="No form for this body" action={toText}>
        {form.fault}
      </EmptyState>
    );
  }
  // Optional fields that are not there wait in a menu of their object.
  const shown = form.rows.filter(({ value, rule }) => value !== null || rule?.isRequired === true);
  const top = form.rows.filter(({ path, value, rule }) => isAbsent(path, value, rule, []));
  return (
    <div ref={keepInView} className={styles.form} role="group" aria-label="Body as a form">
      {shown.map((row) => (
        <Row
          key={row.path.join('\0')}
          row={row}
          rows={form.rows}
          tab={tab}
          insight={insight}
          problems={problems}
        />
      ))}
      {top.length > 0 ? <AddMenu tab={tab} insight={insight} rows={top} owner="the body" /> : null}
    </div>
  );
}

/** Keeps the field that is typed into in view where what is said below the form takes of its height. */
function useFieldInView(): (form: HTMLDivElement | null) => (() => void) | undefined {
  return useCallback((form) => {
    if (form === null) return undefined;
    const observer = new ResizeObserver(() => {
      const field = document.activeElement;
      if (field !== null && form.contains(field)) field.scrollIntoView({ block: 'nearest' });
    });
    observer.observe(form);
    return () => observer.disconnect();
  }, []);
}

const isAbsent = (
  path: readonly string[],
  value: string | null,
  rule: FormRow['rule'],
  owner: readonly string[],
): boolean =>
  value === null &&
  rule?.isRequired !== true &&
  path.length === owner.length + 1 &&
  owner.every((name, at) => path[at] === name);

/** Puts a field in that the body does not have yet. */
function add(tab: OpenTab, insight: RequestInsight, path: readonly string[]): void {
  const { body } = insight.block!;
  const operation = findCheckedOperation(insight);
  const next = addFormField(operation, body ?? '', path, readFixSources(insight).sample);
  if (next !== null) editBody(tab.id, next, { part: 'form', detail: path.join('.') });
}

function remove(tab: OpenTab, insight: RequestInsight, path: readonly string[]): void {
  const next = removeFormField(insight.block?.body ?? '', path);
  if (next !== null) editBody(tab.id, next, { part: 'form', detail: path.join('.') });
}

interface RowProps extends FormProps {
  row: FormRow;
  rows: readonly FormRow[];
}

function Row(props: RowProps) {
  const { row, rows, tab, insight } = props;
  const { path, kind, rule, value } = row;
  if (kind === 'group') {
    const absent = rows.filter((one) => isAbsent(one.path, one.value, one.rule, path));
    return (
      <div className={styles.group} title={rule?.note}>
        <h3>
          <ForeignText text={path.join('.')} />
        </h3>
        {value === null ? <AddButton tab={tab} insight={insight} path={path} /> : null}
        {absent.length > 0 ? (
          <AddMenu tab={tab} insight={insight} rows={absent} owner={path.join('.')} />
        ) : null}
      </div>
    );
  }
  return <FieldRow {...props} />;
}

function FieldRow({ row, tab, insight, problems }: RowProps) {
  const { path, rule, value } = row;
  const name = path.join('.');
  const message = problems.find((one) => one.message.startsWith(`${name} `))?.message ?? null;
  const isRequired = rule?.isRequired === true;
  return (
    <div className={styles.row} style={{ '--indent': `${(path.length - 1) * 12}px` } as CSSProperties}>
      <span className={cx(styles.name, rule === null && styles.unknown)} title={describe(row)}>
        <ForeignText text={path.at(-1)!} />
        {isRequired ? <span className={styles.required}> *</span> : null}
      </span>
      {value === null ? (
        <AddButton tab={tab} insight={insight} path={path} />
      ) : (
        <>
          <FieldInput row={row} tab={tab} insight={insight} isFaulty={message !== null} />
          <IconButton label={`Remove ${name}`} onPress={() => remove(tab, insight, path)}>
            <X size={12} />
          </IconButton>
        </>
      )}
      {message === null ? null : (
        <p className={styles.fault}>
          <ForeignText text={message} />
        </p>
      )}
    </div>
  );
}

const describe = ({ rule, path, value }: FormRow): string =>
  rule === null ? 'No field of the interface.' : describeField(rule, path, value).slice(0, 4).join('\n');

function FieldInput({
  row,
  tab,
  insight,
  isFaulty,
}: {
  row: FormRow;
  tab: OpenTab;
  insight: RequestInsight;
  isFaulty: boolean;
}) {
  const { path, value } = row;
  const name = path.join('.');
  const environment = useAppStatus((state) => state.status?.environment ?? null);
  const origins = describeExpressions(value ?? '', readValueSources(tab, environment, insight));
  // What cannot stand in the body (half of a list) waits here.
  const [held, setHeld] = useState<{ over: string; text: string } | null>(null);
  const shown = held !== null && held.over === value ? held.text : (value ?? '');
  const change = (typed: string): void => {
    const { body } = insight.block!;
    const operation = findCheckedOperation(insight);
    const next = setFormField(operation, body ?? '', path, typed);
    setHeld(next === null ? { over: value ?? '', text: typed } : null);
    if (next !== null) editBody(tab.id, next, { part: 'form', detail: name });
  };
  return (
    <AssistInput
      label={name}
      className={styles.input}
      data-edit={`form ${name}`}
      title={origins}
      aria-description={origins}
      aria-invalid={isFaulty || shown !== value}
      value={shown}
      onChange={change}
      complete={(text, offset, isAsked) => completeField(row, insight, text, offset, isAsked)}
    />
  );
}

async function completeField(
  { path, rule }: FormRow,
  insight: RequestInsight,
  text: string,
  offset: number,
  isAsked: boolean,
): Promise<readonly Completion[]> {
  const variables = listVariables(insight);
  const named = completeVariable(text, offset, variables);
  if (named !== null) return named;
  if (rule === null) return [];
  const { body } = insight.block!;
  const operation = findCheckedOperation(insight);
  const { rows } = readBodyForm(operation, body ?? '');
  const beside = (name: string): string | null => {
    const wanted = [...path.slice(0, -1), name].join('.');
    return rows.find((row) => row.path.join('.') === wanted)?.value ?? null;
  };
  const used = await readUsedValues(operation);
  const choices = listChoices(rule, path, beside, { ...readFixSources(insight), variables, used });
  return rankChoices(choices, isAsked ? '' : text)
    .filter((choice) => choice.text !== text)
    .map(({ text: one, detail }) => ({
      label: one,
      detail,
      start: 0,
      end: text.length,
      text: one,
      caret: one.length,
    }));
}

function AddButton({
  tab,
  insight,
  path,
}: {
  tab: OpenTab;
  insight: RequestInsight;
  path: readonly string[];
}) {
  return (
    <TextButton
      className={styles.add}
      data-edit={`form ${path.join('.')}`}
      onPress={() => add(tab, insight, path)}
      aria-label={`Add ${path.join('.')}`}
    >
      Missing: add it
    </TextButton>
  );
}

function AddMenu({
  tab,
  insight,
  rows,
  owner,
}: {
  tab: OpenTab;
  insight: RequestInsight;
  rows: readonly FormRow[];
  owner: string;
}) {
  return (
    <Menu
      label={`Fields for ${owner}`}
      trigger={
        <IconButton label={`Add a field to ${owner}`}>
          <Plus size={13} />
        </IconButton>
      }
      actions={rows.map(({ path, rule }) => ({
        id: path.join('.'),
        label: `${path.at(-1)} · ${rule?.note ?? ''}`,
        onAction: () => add(tab, insight, path),
      }))}
    />
  );
}
