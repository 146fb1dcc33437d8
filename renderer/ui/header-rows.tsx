import { CopyText } from './copy-text';
import { FirstRows } from './first-rows';

/** The rows of a table of headers, in the order and case in which they came; a click copies a value. */
export function HeaderRows({ headers }: { headers: readonly (readonly [string, string])[] }) {
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
        <tr key={index}>
          <th scope="row">{name}</th>
          <td>
            <CopyText text={value} label={name} />
          </td>
        </tr>
      )}
    </FirstRows>
  );
}
