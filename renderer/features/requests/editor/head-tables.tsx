import { isHeaderName } from '@shared/find-header';
import { readHeaderRows, readQuery, type PairRow } from '@shared/http-file/edit-rows';
import { useMemo } from 'react';
import { useAppStatus } from '../../../session/app-status';
import { readValueSources } from '../requests-selectors';
import type { OpenTab } from '../requests-store';
import { describeExpressions, isUnresolved, listExpressions } from './describe-value';
import { editHeaderRows, editQuery } from './edit-actions';
import type { RequestInsight } from './inspect-request';
import { PairTable, type PairTableProps } from './pair-table';
import type { PartProps } from './part-props';

const isHeader = ({ name, value }: PairRow): boolean => isHeaderName(name) && !/[\r\n]/.test(value);
const isParameter = ({ name }: PairRow): boolean => name !== '';

/** Says at the pointer where the values of a row come from, and marks the row that nobody gives one. */
function useOrigins(tab: OpenTab, insight: RequestInsight): Pick<PairTableProps, 'describe' | 'isMissing'> {
  const environment = useAppStatus((state) => state.status?.environment ?? null);
  const sources = readValueSources(tab, environment, insight);
  return {
    describe: (value) => describeExpressions(value, sources),
    isMissing: (value) => listExpressions(value).some(({ name }) => isUnresolved(name, sources)),
  };
}

/** The headers of a request; one that is off stands in the file as a comment. */
export function HeadersTable({ tab, insight }: PartProps) {
  const { file, block } = insight;
  const origins = useOrigins(tab, insight);
  const rows = useMemo(() => (block ? readHeaderRows(file, block) : []), [file, block]);
  return (
    <PairTable
      noun="header"
      part="headers"
      rows={rows}
      divider=":"
      insight={insight}
      isReady={isHeader}
      {...origins}
      onChange={(next, detail) => {
        const trimmed = next.map((row) => ({ ...row, value: row.value.trim() }));
        editHeaderRows(tab.id, trimmed, detail);
      }}
      help="A token like {{token.payout}} and {{signature}} are filled in when the request goes out."
    />
  );
}

/** The query of a request's address; one that is off stands in the file as a comment. */
export function QueryTable({ tab, insight }: PartProps) {
  const { file, block } = insight;
  const origins = useOrigins(tab, insight);
  const rows = useMemo(() => (block ? readQuery(file, block).rows : []), [file, block]);
  return (
    <PairTable
      noun="parameter"
      part="query"
      rows={rows}
      divider="="
      insight={insight}
      isReady={isParameter}
      {...origins}
      onChange={(next, detail) => editQuery(tab.id, next, detail)}
      help="Values are shown as they are read, and written encoded. What is not edited stays as it was written."
    />
  );
}
