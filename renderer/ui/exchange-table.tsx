import { operations } from '@shared/payments/tables/operations';
import { Choice } from './choice';
import { CopyText } from './copy-text';
import type { Column } from './data-table';
import styles from './exchange-table.module.css';
import { ForeignText } from './foreign-text';
import { formatExact } from './format-time';
import { Select } from './select';
import { Verb } from './tag';
import { ViewSearch } from './text-field';

/** What every request that passed has, whoever kept it. */
interface PassedRequest {
  id: string;
  at: number;
  method: string;
  path: string;
  reference: string | null;
  httpStatus: number | null;
}

const leading: readonly Column<PassedRequest>[] = [
  {
    id: 'at',
    label: 'At',
    width: 80,
    sortBy: ({ at }) => at,
    render: ({ at }) => <time title={formatExact(at)}>{formatExact(at).slice(11, 19)}</time>,
  },
  {
    id: 'path',
    label: 'Request',
    width: '10fr',
    least: 150,
    sortBy: ({ path }) => path,
    isRowHeader: true,
    render: ({ method, path }) => (
      <span className={styles.request} title={`${method} ${path}`}>
        <Verb method={method} />
        <code className={styles.path} dir="rtl">
          <ForeignText text={path} />
        </code>
      </span>
    ),
  },
  {
    id: 'reference',
    label: 'Reference',
    width: '13fr',
    least: 96,
    sortBy: ({ reference }) => reference ?? '',
    render: ({ reference }) =>
      reference === null ? '–' : <CopyText text={reference} label="reference" isCode={false} isInRow />,
  },
];

const status: Column<PassedRequest> = {
  id: 'status',
  label: 'HTTP',
  width: 52,
  isNumeric: true,
  sortBy: ({ httpStatus }) => httpStatus ?? 0,
  render: ({ httpStatus }) => httpStatus ?? '–',
};

/** The columns of a table of requests that passed: when, what, of which payment, what came of it. */
export function exchangeColumns<T extends PassedRequest>(verdict: Column<T>): readonly Column<T>[] {
  return [...leading, verdict, status];
}

const everyOperation = 'every';
const operationOptions = [
  { id: everyOperation, label: 'Every operation' },
  ...Object.values(operations).map(({ operation, label }) => ({ id: operation, label })),
];

/** What narrows such a table down: words, an operation, and one choice more. */
export function ExchangeFilters<Operation extends string, Which extends string>({
  label,
  placeholder,
  text,
  onText,
  operation,
  onOperation,
  whichLabel,
  choices,
  which,
  onWhich,
}: {
  label: string;
  placeholder: string;
  text: string | null | undefined;
  onText: (text: string | null) => void;
  /** Null: every one. */
  operation: Operation | null | undefined;
  onOperation: (operation: Operation | null) => void;
  whichLabel: string;
  choices: readonly { id: Which; label: string }[];
  which: Which;
  onWhich: (which: Which) => void;
}) {
  return (
    <div className={styles.filters}>
      <ViewSearch
        label={label}
        isBare
        className={styles.search}
        placeholder={placeholder}
        value={text ?? ''}
        onChange={(typed) => onText(typed.trim() === '' ? null : typed)}
      />
      <Select
        label="Operation"
        isLabelHidden
        className={styles.operation}
        options={operationOptions}
        selected={operation ?? everyOperation}
        onSelect={(chosen) => onOperation(chosen === everyOperation ? null : (chosen as Operation))}
      />
      <Choice label={whichLabel} options={choices} selected={which} onSelect={onWhich} />
    </div>
  );
}
