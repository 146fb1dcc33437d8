import { completeVariable } from '@shared/body/complete-variable';
import { printBulk, readBulk, type PairRow } from '@shared/http-file/edit-rows';
import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { AssistInput } from '../../../ui/assist-input';
import { IconButton, TextButton } from '../../../ui/button';
import { cx } from '../../../ui/cx';
import { ErrorLine } from '../../../ui/error-line';
import { FirstRows } from '../../../ui/first-rows';
import { fitField } from '../../../ui/fit-field';
import { refuseAtField } from '../../../ui/refuse-long-paste';
import { listVariables } from './body-assist';
import type { RequestInsight } from './inspect-request';
import styles from './pair-table.module.css';

export interface PairTableProps {
  /** What a row is: 'header', 'parameter'. */
  noun: string;
  /** Names the place of an edit for undo. */
  part: 'headers' | 'query';
  rows: readonly PairRow[];
  divider: ':' | '=';
  insight: RequestInsight;
  isReady: (row: PairRow) => boolean;
  /** Says where the values in a text come from; undefined: there are none. */
  describe: (value: string) => string | undefined;
  /** Nobody gives one of its variables a value. */
  isMissing: (value: string) => boolean;
  /** Takes the rows that can stand in the file; `detail` names what was edited. */
  onChange: (rows: readonly PairRow[], detail: string) => void;
  help: string;
}

/** Names and values as rows, each of which can be off; or all of them as text. */
export function PairTable(props: PairTableProps) {
  const { noun, part, rows: fromFile, divider, isReady, onChange, help } = props;
  const [typed, setTyped] = useState<readonly PairRow[]>(fromFile);
  const [bulk, setBulk] = useState<string | null>(null);
  // A row takes its place in the file once it can stand there; until then it is kept here.
  const rows = isSame(typed.filter(isReady), fromFile) ? typed : fromFile;
  const change = (next: readonly PairRow[], detail: string): void => {
    setTyped(next);
    onChange(next.filter(isReady), detail);
  };
  const changeBulk = (text: string): void => {
    setBulk(text);
    change(keepRaw(readBulk(text, divider), fromFile), 'text');
  };
  const { table, focusNext } = useFocusNext();
  const add = (): void => {
    setTyped([...rows, { name: '', value: '', isEnabled: true }]);
    focusNext(`[data-edit="${part} name ${rows.length}"]`);
  };
  return (
    <div
      ref={table}
      className={styles.table}
      role="group"
      aria-label={part === 'headers' ? 'Headers' : 'Query parameters'}
    >
      {bulk === null ? (
        <FirstRows items={rows} more={(way) => <div>{way}</div>}>
          {(row, index) => (
            <PairRowView
              key={index}
              {...props}
              row={row}
              index={index}
              rows={rows}
              change={change}
              focusNext={focusNext}
            />
          )}
        </FirstRows>
      ) : (
        <textarea
          className={styles.bulk}
          aria-label={`${noun}s as text`}
          data-edit={`${part} text`}
          rows={Math.min(16, Math.max(4, rows.length + 1))}
          {...fitField(
            readsAs(bulk, divider, fromFile, isReady) ? bulk : printBulk(fromFile, divider),
            changeBulk,
            false,
          )}
          spellCheck={false}
          onPaste={refuseAtField}
          onChange={(event) => changeBulk(event.target.value)}
        />
      )}
      <div className={styles.ways}>
        {bulk === null ? (
          <TextButton data-way="add" onPress={add}>
            Add a {noun}
          </TextButton>
        ) : null}
        <TextButton onPress={() => setBulk(bulk === null ? printBulk(fromFile, divider) : null)}>
          {bulk === null ? 'Edit as text' : 'Show as rows'}
        </TextButton>
      </div>
      <Unready noun={noun} divider={divider} row={rows.find((row) => isTyped(row) && !isReady(row))} />
      <p className={styles.help}>
        {bulk === null
          ? help
          : `One a line, as name${divider === ':' ? ': ' : '='}value; “# ” before it: off.`}
      </p>
    </div>
  );
}

const isTyped = ({ name, value }: PairRow): boolean => name !== '' || value !== '';

/** Says of what was typed that it cannot stand in the file yet: it is kept here, and would not be sent. */
function Unready({
  noun,
  divider,
  row,
}: Pick<PairTableProps, 'noun' | 'divider'> & { row: PairRow | undefined }) {
  if (row === undefined) return null;
  const why =
    divider === ':' ? 'write it as “Name: value”, its name of letters, digits and -' : 'it has no name';
  const message = `The ${noun} “${row.name || row.value}” is not in the request: ${why}.`;
  return <ErrorLine error={{ message }} tone="warn" />;
}

interface RowProps extends PairTableProps {
  row: PairRow;
  index: number;
  change: (rows: readonly PairRow[], detail: string) => void;
  focusNext: (selector: string) => void;
}

/** Gives the focus to what a change brings: the field of a new row, the same row in its other place. */
function useFocusNext(): { table: RefObject<HTMLDivElement | null>; focusNext: (selector: string) => void } {
  const table = useRef<HTMLDivElement>(null);
  const wanted = useRef<string | null>(null);
  useEffect(() => {
    const found = wanted.current === null ? null : table.current?.querySelector<HTMLElement>(wanted.current);
    wanted.current = null;
    found?.focus();
  });
  return { table, focusNext: (selector) => void (wanted.current = selector) };
}

function PairRowView(props: RowProps) {
  const { noun, part, row, index, rows, isReady, insight, describe, isMissing, change, focusNext } = props;
  const { name, value, isEnabled } = row;
  const title = name || `this ${noun}`;
  const set = (next: PairRow, detail: string): void =>
    change(
      rows.map((old, at) => (at === index ? next : old)),
      `${detail} ${index}`,
    );
  const move = (step: 1 | -1): void => {
    change(rows.toSpliced(index, 1).toSpliced(index + step, 0, row), `move ${index}`);
    const way = step === 1 ? 'down' : 'up';
    const to = index + step;
    const isEnd = to === 0 || to === rows.length - 1;
    focusNext(`[data-way="${isEnd ? (way === 'up' ? 'down' : 'up') : way} ${to}"]`);
  };
  const remove = (): void => {
    change(rows.toSpliced(index, 1), `remove ${index}`);
    focusNext(
      rows.length === 1 ? '[data-way="add"]' : `[data-way="remove ${Math.min(index, rows.length - 2)}"]`,
    );
  };
  const complete = (text: string, offset: number) =>
    Promise.resolve(completeVariable(text, offset, listVariables(insight)) ?? []);
  return (
    <div className={cx(styles.row, !isEnabled && styles.off)} title={describe(value)}>
      <input
        type="checkbox"
        aria-label={`Send ${title}`}
        data-edit={`${part} switch ${index}`}
        checked={isEnabled}
        onChange={(event) => set({ ...row, isEnabled: event.target.checked }, 'switch')}
      />
      <input
        className={cx(styles.input, styles.name)}
        aria-label={`Name of ${noun} ${index + 1}`}
        aria-invalid={name !== '' && !isReady(row)}
        data-edit={`${part} name ${index}`}
        {...fitField(name, (next) => set({ ...row, name: next }, 'name'))}
        spellCheck={false}
        onPaste={refuseAtField}
        onChange={(event) => set({ name: event.target.value, value, isEnabled }, 'name')}
      />
      <AssistInput
        label={name ? `Value of ${name}` : `Value of ${noun} ${index + 1}`}
        className={cx(styles.input, isEnabled && isMissing(value) && styles.missing)}
        aria-description={describe(value)}
        data-edit={`${part} value ${index}`}
        value={value}
        onChange={(typed) => set({ name, value: typed, isEnabled }, 'value')}
        complete={complete}
      />
      <IconButton
        label={`Move ${title} up`}
        data-way={`up ${index}`}
        isDisabled={index === 0}
        onPress={() => move(-1)}
      >
        <ArrowUp size={12} />
      </IconButton>
      <IconButton
        label={`Move ${title} down`}
        data-way={`down ${index}`}
        isDisabled={index === rows.length - 1}
        onPress={() => move(1)}
      >
        <ArrowDown size={12} />
      </IconButton>
      <IconButton label={`Remove ${title}`} data-way={`remove ${index}`} onPress={remove}>
        <X size={12} />
      </IconButton>
    </div>
  );
}

/** A line that says what a row of the file says keeps how that is written. */
function keepRaw(rows: readonly PairRow[], known: readonly PairRow[]): PairRow[] {
  return rows.map((row) => {
    const raw = known.find(({ name, value }) => name === row.name && value === row.value)?.raw;
    return raw === undefined ? row : { ...row, raw };
  });
}

const readsAs = (
  text: string,
  divider: ':' | '=',
  rows: readonly PairRow[],
  isReady: (row: PairRow) => boolean,
): boolean => isSame(readBulk(text, divider).filter(isReady), rows);

function isSame(a: readonly PairRow[], b: readonly PairRow[]): boolean {
  return (
    a.length === b.length &&
    a.every(
      ({ name, value, isEnabled }, at) =>
        b[at]?.name === name && b[at].value.trim() === value.trim() && b[at].isEnabled === isEnabled,
    )
  );
}
