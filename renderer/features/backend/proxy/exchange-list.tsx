import type { ProxyExchange, ProxyFilter } from '@shared/contract/proxy';
import { replaceRoute } from '../../../session/routes';
import { TextButton } from '../../../ui/button';
import { DataTable } from '../../../ui/data-table';
import { ExchangeFilters, exchangeColumns } from '../../../ui/exchange-table';
import { Tag } from '../../../ui/tag';
import { listExchangeActions } from '../../../panels/exchange-menu';
import shared from '../../../panels/exchange-pane.module.css';
import styles from '../backend.module.css';
import { listVerdicts, statusChoices } from './proxy-selectors';
import { useProxyStore } from './proxy-store';

export const proxyColumns = exchangeColumns<ProxyExchange>({
  id: 'verdict',
  label: 'Verdict',
  width: '12fr',
  least: 152,
  sortBy: (exchange) =>
    listVerdicts(exchange)
      .map(({ text }) => text)
      .join(),
  render: (exchange) => {
    const verdicts = listVerdicts(exchange);
    if (verdicts.length === 0) return '–';
    return (
      <span className={shared.tags} title={verdicts.map(({ text }) => text).join(', ')}>
        {verdicts.map(({ text, tone }) => (
          <Tag key={text} tone={tone}>
            {text}
          </Tag>
        ))}
      </span>
    );
  },
});

/** What passed, newest first, as far as the filter lets it through. */
export function ExchangeList() {
  const exchanges = useProxyStore((store) => store.exchanges);
  const totalCount = useProxyStore((store) => store.totalCount);
  const hasMore = useProxyStore((store) => store.nextBefore !== null);
  const isLoadingMore = useProxyStore((store) => store.isLoadingMore);
  const loadMore = useProxyStore((store) => store.loadMore);
  const id = useProxyStore((store) => store.id);
  const isNarrowed = useProxyStore((store) => Object.values(store.filter).some(Boolean));
  const open = (chosen: string): void => replaceRoute('backend', `proxy/${chosen}`);
  return (
    <div className={styles.parts}>
      <FilterBar />
      {hasMore ? (
        <p className={shared.note}>
          {`The latest ${exchanges.length.toLocaleString('en')}${isNarrowed ? '' : ` of ${totalCount.toLocaleString('en')}`}. `}
          <TextButton isDisabled={isLoadingMore} onPress={() => void loadMore()}>
            Show more
          </TextButton>
        </p>
      ) : null}
      <DataTable
        id="proxy"
        label="Exchanges"
        isVirtual
        columns={proxyColumns}
        items={exchanges}
        selected={id}
        onLoadMore={hasMore ? () => void loadMore() : undefined}
        isLoadingMore={isLoadingMore}
        onSelect={open}
        actionsOf={(row) => listExchangeActions(row, () => open(row.id))}
        empty="No exchange like that."
      />
    </div>
  );
}

function FilterBar() {
  const filter = useProxyStore((store) => store.filter);
  const narrow = useProxyStore((store) => store.narrow);
  return (
    <ExchangeFilters<NonNullable<ProxyFilter['operation']>, (typeof statusChoices)[number]['id']>
      label="Search exchanges"
      placeholder="Reference, path, header"
      text={filter.text}
      onText={(text) => void narrow({ text })}
      operation={filter.operation}
      onOperation={(operation) => void narrow({ operation })}
      whichLabel="Which"
      choices={statusChoices}
      which={filter.onlyFindings ? 'findings' : (filter.statusClass ?? 'all')}
      onWhich={(chosen) =>
        void narrow({
          onlyFindings: chosen === 'findings',
          statusClass: chosen === 'all' || chosen === 'findings' ? null : chosen,
        })
      }
    />
  );
}
