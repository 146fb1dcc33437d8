import { cutMasked } from '@shared/cut-masked';
import { compareJsonTexts, MOST_DIFFERENCES, type JsonDifferenceKind } from '@shared/webhooks/compare-json';
import { Fragment, useMemo, type ReactNode } from 'react';
import { EmptyState } from './empty-state';
import { ForeignText } from './foreign-text';
import styles from './json-differences.module.css';

const names: Readonly<Record<JsonDifferenceKind, string>> = {
  changed: 'changed',
  written: 'same value, written otherwise',
  added: 'only here',
  removed: 'only there',
  moved: 'other order',
};

/** Of a value of megabytes and of a hundred thousand places, the beginning tells what it is. */
const MOST_CHARACTERS = 2000;
const MOST_ROWS = 200;

/** Two bodies by what they mean as JSON, literals as written: `left` is there, `right` is here. */
export function JsonDifferences({ left, right }: { left: string | null; right: string | null }) {
  const differences = useMemo(() => compareJsonTexts(left ?? '', right ?? ''), [left, right]);
  if (differences === null) {
    return left === right ? null : (
      <EmptyState title="One of them is not JSON">Their bytes are compared alone.</EmptyState>
    );
  }
  if (differences.length === 0) return <EmptyState title="They mean the same" />;
  const shown = differences.slice(0, MOST_ROWS);
  const most = differences.length >= MOST_DIFFERENCES ? `${MOST_DIFFERENCES} or more` : differences.length;
  return (
    <table className={styles.table}>
      {shown.length === differences.length ? null : (
        <caption>{`The first ${shown.length} of ${most} differences.`}</caption>
      )}
      <thead>
        <tr>
          <th scope="col">Place</th>
          <th scope="col">There</th>
          <th scope="col">Here</th>
        </tr>
      </thead>
      <tbody>
        {shown.map((one) => (
          <tr key={`${one.kind} ${one.pointer}`}>
            <th scope="row">
              {one.pointer === '' ? 'the whole' : breakable(cut(one.pointer))}{' '}
              <small>{names[one.kind]}</small>
            </th>
            <td>{one.left === null ? '–' : <ForeignText text={cut(one.left)} />}</td>
            <td>{one.right === null ? '–' : <ForeignText text={cut(one.right)} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What comes here was masked before, where it had to be. */
const cut = (text: string): string => cutMasked(text, (whole) => whole, MOST_CHARACTERS);

/** A long place breaks between its parts, not inside a word. */
const breakable = (pointer: string): ReactNode =>
  pointer.split(/(?<=[/_.-])/).map((part, index) => (
    <Fragment key={index}>
      <ForeignText text={part} />
      <wbr />
    </Fragment>
  ));
