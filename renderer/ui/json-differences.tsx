import type { JsonDifferenceKind } from '@shared/webhooks/compare-json';
import { Fragment, type ReactNode } from 'react';
import type { BodyComparison } from './body-comparison/compare-bodies';
import { EmptyState } from './empty-state';
import { ForeignText } from './foreign-text';
import styles from './json-differences.module.css';
import { TableHead } from './table-head';

const names: Readonly<Record<JsonDifferenceKind, string>> = {
  changed: 'changed',
  written: 'same value, written otherwise',
  added: 'only here',
  removed: 'only there',
  moved: 'other order',
};

/** What two bodies mean otherwise as JSON, literals as written: `left` is there, `right` is here. */
export function JsonDifferences({ comparison }: { comparison: BodyComparison }) {
  const { differences, whyNot, outOf } = comparison;
  if (differences === null) {
    return whyNot === null ? null : (
      <EmptyState title={`${whyNot[0]?.toUpperCase()}${whyNot.slice(1)}`}>
        Their bytes are compared alone.
      </EmptyState>
    );
  }
  if (differences.length === 0) return <EmptyState title="They mean the same" />;
  return (
    <table className={styles.table}>
      {outOf === null ? null : (
        <caption>{`The first ${differences.length.toLocaleString('en')} of ${outOf} differences.`}</caption>
      )}
      <TableHead names={['Place', 'There', 'Here']} />
      <tbody>
        {differences.map((one) => (
          <tr key={`${one.kind} ${one.pointer}`}>
            <th scope="row">
              {one.pointer === '' ? 'the whole' : breakable(one.pointer)} <small>{names[one.kind]}</small>
            </th>
            <td>{one.left === null ? '–' : <ForeignText text={one.left} />}</td>
            <td>{one.right === null ? '–' : <ForeignText text={one.right} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A long place breaks between its parts, not inside a word. */
const breakable = (pointer: string): ReactNode =>
  pointer.split(/(?<=[/_.-])/).map((part, index) => (
    <Fragment key={index}>
      <ForeignText text={part} />
      <wbr />
    </Fragment>
  ));
