import type { WebhookRow } from '@shared/contract/webhook-columns';
import { parseDecimal } from '@shared/payments/decimal';
import {
  filterFields,
  type Filter,
  type FilterOperator,
  type FilterWord,
} from '@shared/webhooks/filter/filter-fields';
import { readDuration, readInstant } from '@shared/webhooks/filter/read-moment';
import { fieldColumns } from './filter-subject';

export interface SqlCondition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
  /** Whether it finds just the webhooks that pass; else some more, to be looked at one by one. */
  readonly isExact: boolean;
}

type Condition = Extract<Filter, { is: 'condition' }>;

/** What the engines write in words of their own; `?` stands for a value. */
export interface SqlDialect {
  /** Each as the partial index of it says it. */
  readonly words: Readonly<Record<FilterWord, string>>;
  /** Path without its query. */
  readonly plainPath: string;
  /** A whole number, as wide as they come. */
  readonly integer: string;
  /** Another value, NULL included. */
  readonly isNot: string;
  /** The value of a column, as its index finds it. */
  writeEqual(column: keyof WebhookRow): string;
  /** Where a text stands in another, from 1 on; 0 or NULL: nowhere. */
  readonly position: string;
}

const FAILED = "(w.status IN ('FAILED', 'CANCELED') OR w.responded_status NOT BETWEEN 200 AND 299)";

/** An index of PostgreSQL takes no long text: these are indexed by their first hundred characters. */
const indexedByBeginning: ReadonlySet<keyof WebhookRow> = new Set([
  'client_reference',
  'payment_uuid',
  'webhook_id',
]);

export const sqlDialects = {
  sqlite: {
    words: { all: '1', unread: 'w.is_read = 0', failed: FAILED, pinned: 'w.is_pinned = 1' },
    plainPath: "iif(instr(w.path, '?') = 0, w.path, substr(w.path, 1, instr(w.path, '?') - 1))",
    integer: '?',
    isNot: 'IS NOT',
    writeEqual: (column) => `w.${column} = ?`,
    position: 'instr',
  },
  postgres: {
    words: {
      all: 'true',
      // From the oldest that may be unread on: what is older than that needs no look.
      unread: `(w.is_read = 0 AND w.id >= (SELECT least(
        (SELECT coalesce(max(read_up_to), 0) + 1 FROM countersign.people WHERE person = session_user),
        (SELECT min(id) FROM countersign.person_marks WHERE person = session_user AND is_read = 0))))`,
      failed: FAILED,
      pinned: 'w.id IN (SELECT id FROM countersign.team_marks WHERE is_pinned = 1)',
    },
    plainPath: 'split_part(w.path, chr(63), 1)',
    integer: '?::bigint',
    isNot: 'IS DISTINCT FROM',
    writeEqual: (column) =>
      indexedByBeginning.has(column)
        ? `(left(w.${column}, 100) = left(?, 100) AND w.${column} = ?)`
        : `w.${column} = ?`,
    position: 'strpos',
  },
} as const satisfies Readonly<Record<string, SqlDialect>>;

/**
 * Writes a filter as SQL, as far as the columns tell; what they do not tell (bodies, headers, decimals) is left to
 * a look at each webhook.
 */
export function toSqlCondition(filter: Filter, nowMs: number, dialect: SqlDialect): SqlCondition {
  const anything: SqlCondition = { sql: dialect.words.all, values: [], isExact: false };
  switch (filter.is) {
    case 'word':
      return exact(dialect.words[filter.word]);
    case 'condition':
      return toSqlOfCondition(filter, nowMs, dialect) ?? anything;
    case 'not': {
      const inner = toSqlCondition(filter.inner, nowMs, dialect);
      // NULL is not passed either; and the opposite of 'some more' would be some less.
      return inner.isExact ? { ...inner, sql: `(${inner.sql}) IS NOT TRUE` } : anything;
    }
    default: {
      const [left, right] = [filter.left, filter.right].map((one) => toSqlCondition(one, nowMs, dialect)) as [
        SqlCondition,
        SqlCondition,
      ];
      // SQLite reads brackets to a small depth: a chain has none within, and what has more of them comes first.
      const chain = filter.left.is === filter.is ? { ...left, sql: left.sql.slice(1, -1) } : left;
      const isDeeper = right.sql.startsWith('(') && right.sql.length > chain.sql.length;
      const [first, second] = isDeeper ? [right, chain] : [chain, right];
      return {
        sql: `(${first.sql} ${filter.is.toUpperCase()} ${second.sql})`,
        values: [...first.values, ...second.values],
        isExact: left.isExact && right.isExact,
      };
    }
  }
}

const exact = (sql: string, ...values: (string | number)[]): SqlCondition => ({ sql, values, isExact: true });

/** Null: the columns do not tell. */
function toSqlOfCondition(
  { target, operator, value }: Condition,
  nowMs: number,
  dialect: SqlDialect,
): SqlCondition | null {
  if (target.of !== 'field') return null;
  const { name } = target;
  if (name === 'received_at')
    return toSqlOfTime('w.received_at', operator, dialect.integer, readInstant(value)!);
  // The older, the earlier it came.
  if (name === 'age')
    return toSqlOfTime(dialect.integer, operator, 'w.received_at', nowMs - readDuration(value)!);
  if (name === 'http_status' || name === 'size') return toSqlOfInteger(name, operator, value, dialect);
  if (name === 'tag') return toSqlOfTag(operator, value, dialect);
  if (filterFields[name].kind === 'number') return null;
  const isPlainPath = name === 'path' && !value.includes('?');
  const column = isPlainPath ? dialect.plainPath : `w.${fieldColumns[name]}`;
  if (operator === 'contains') return exact(`coalesce(${dialect.position}(${column}, ?), 0) > 0`, value);
  if (operator === '==') {
    if (isPlainPath) return exact(`${column} = ?`, value);
    const sql = dialect.writeEqual(fieldColumns[name]);
    return exact(sql, ...[...sql.matchAll(/\?/g)].map(() => value));
  }
  return operator === '!=' ? exact(`${column} ${dialect.isNot} ?`, value) : null;
}

/** What is compared here is never NULL. */
const writeComparison = (operator: Exclude<FilterOperator, 'contains'>): string =>
  operator === '==' ? '=' : operator === '!=' ? '<>' : operator;

function toSqlOfTime(left: string, operator: FilterOperator, right: string, at: number): SqlCondition | null {
  return operator === 'contains' ? null : exact(`${left} ${writeComparison(operator)} ${right}`, at);
}

function toSqlOfTag(operator: FilterOperator, value: string, { position }: SqlDialect): SqlCondition | null {
  if (value.includes(' ') || (operator !== '==' && operator !== '!=')) return null;
  const place = `${position}(' ' || w.tags || ' ', ?)`;
  return exact(`${place} ${operator === '==' ? '>' : '='} 0`, ` ${value} `);
}

function toSqlOfInteger(
  name: 'http_status' | 'size',
  operator: FilterOperator,
  value: string,
  { integer }: SqlDialect,
): SqlCondition | null {
  const decimal = parseDecimal(value);
  const isWhole = decimal !== null && decimal.scale === 0 && /^\d{1,15}$/.test(value);
  if (!isWhole || operator === 'contains') return null;
  return exact(`w.${fieldColumns[name]} ${writeComparison(operator)} ${integer}`, Number(value));
}
