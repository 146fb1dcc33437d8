import type { ReactNode } from 'react';
import { copyAction } from './copy-action';
import { CopyText } from './copy-text';
import { FirstRows } from './first-rows';
import { RowMenu } from './row-menu';
import { ForeignText } from './foreign-text';

type HeaderList = readonly (readonly [string, string])[];

/** The rows of a table of headers, in the order and case in which they came; a click copies a value. */
export function HeaderRows({ headers }: { headers: HeaderList }) {
  return (
    <FirstRows
      items={headers}
      more={(way) => (
        <tr>
          <td colSpan={2}>{way}</td>
        </tr>
      )}
    >
      {([name, value], index) => (
        <tr key={index} data-key={index}>
          <th scope="row">
            <ForeignText text={name} />
          </th>
          <td>
            <CopyText text={value} label={name} />
          </td>
        </tr>
      )}
    </FirstRows>
  );
}

/** The menu of those rows, around their table. */
export function HeaderMenu({ headers, children }: { headers: HeaderList; children: ReactNode }) {
  return (
    <RowMenu
      label="Header"
      actionsOf={(index) => {
        const header = headers[Number(index)];
        if (header === undefined) return [];
        return [
          copyAction('value', 'Copy the value', header[1]),
          copyAction('line', 'Copy name and value', header.join(': ')),
        ];
      }}
    >
      {children}
    </RowMenu>
  );
}
