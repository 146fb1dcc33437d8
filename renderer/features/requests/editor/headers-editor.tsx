import { X } from 'lucide-react';
import { useState } from 'react';
import { IconButton, TextButton } from '../../../ui/button';
import { cx } from '../../../ui/cx';
import { FirstRows } from '../../../ui/first-rows';
import { editHeaders } from './edit-actions';
import type { RequestInsight } from './inspect-request';
import type { OpenTab } from '../requests-store';
import styles from './headers-editor.module.css';

type Row = readonly [name: string, value: string];

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const isReady = ([name, value]: Row): boolean => headerName.test(name) && !/[\r\n]/.test(value);

/** Header rows; a row takes its place in the file once its name can stand there. */
export function HeadersEditor({ tab, insight }: { tab: OpenTab; insight: RequestInsight }) {
  const fromFile = (insight.block?.headers ?? []).map(({ name, value }): Row => [name, value]);
  const [typed, setTyped] = useState<readonly Row[]>(fromFile);
  const rows = isSame(typed.filter(isReady), fromFile) ? typed : fromFile;
  const change = (next: readonly Row[]): void => {
    setTyped(next.map(([name, value]): Row => [name, value]));
    editHeaders(
      tab.id,
      next.filter(isReady).map(([name, value]): Row => [name, value.trim()]),
    );
  };
  const setRow = (index: number, row: Row): void => change(rows.map((old, at) => (at === index ? row : old)));
  return (
    <div className={styles.headers} role="group" aria-label="Headers">
      <FirstRows items={rows} more={(way) => <div>{way}</div>}>
        {([name, value], index) => (
          <div key={index} className={styles.row}>
            <input
              className={cx(styles.input, styles.name)}
              aria-label={`Name of header ${index + 1}`}
              aria-invalid={name !== '' && !headerName.test(name)}
              value={name}
              spellCheck={false}
              onChange={(event) => setRow(index, [event.target.value, value])}
            />
            <input
              className={styles.input}
              aria-label={name ? `Value of ${name}` : `Value of header ${index + 1}`}
              value={value}
              spellCheck={false}
              onChange={(event) => setRow(index, [name, event.target.value])}
            />
            <IconButton
              label={`Remove ${name || 'this header'}`}
              onPress={() => change(rows.toSpliced(index, 1))}
            >
              <X size={12} />
            </IconButton>
          </div>
        )}
      </FirstRows>
      <TextButton className={styles.add} onPress={() => setTyped([...rows, ['', '']])}>
        Add a header
      </TextButton>
      <p className={styles.help}>
        {'{{token.remittance}}'} and {'{{signature}}'} are filled in when the request goes out.
      </p>
    </div>
  );
}

function isSame(a: readonly Row[], b: readonly Row[]): boolean {
  return (
    a.length === b.length && a.every(([name, value], at) => b[at]?.[0] === name && b[at][1] === value.trim())
  );
}
