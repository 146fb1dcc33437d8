import { findIdentifierFault } from '@shared/lookups/lookup-list';
import type { Product } from '@shared/payments/tables/products';
import { useMemo } from 'react';
import { labelEnvironment } from '../../session/environments';
import { toEnvironmentOptions } from '../../session/environment-options';
import { Button } from '../../ui/button';
import { Choice } from '../../ui/choice';
import { ContextMenu, type MenuAction, useContextMenu } from '../../ui/menu';
import { PaneHeader } from '../../ui/pane-header';
import { RelativeTime } from '../../ui/relative-time';
import { RowList } from '../../ui/row-list';
import { Select } from '../../ui/select';
import { Spinner } from '../../ui/spinner';
import { TextField } from '../../ui/text-field';
import { BulkActions, BulkForm } from './bulk-form';
import { useBulkStore } from './bulk-store';
import { findSuggestion, idOfSuggestion, listMatching, type Suggestion } from './lookups-selectors';
import { type Identifier, useLookupsStore } from './lookups-store';
import styles from './lookups.module.css';
import { ForeignText } from '../../ui/foreign-text';
import shared from '../../ui/side-list.module.css';
import { navigate } from '../../session/routes';
import { copyAction } from '../../ui/copy-action';
import column from '../../ui/column.module.css';
import tones from '../../ui/tone.module.css';

const identifiers: readonly { id: Identifier; label: string; help: string }[] = [
  {
    id: 'transaction_reference',
    label: 'Reference',
    help: 'The reference you chose when you sent the payment.',
  },
  {
    id: 'payment_uuid',
    label: 'Payment UUID',
    help: 'From the acceptance. Not the payment reference, which the service does not accept here.',
  },
  {
    id: 'request_uuid',
    label: 'Request UUID',
    help: 'From the platform, where it gave one.',
  },
];

const products: readonly { id: Product; label: string }[] = [
  { id: 'remittance', label: 'Remittance' },
  { id: 'payout', label: 'Payout' },
  { id: 'collection', label: 'Collection' },
];

const counts = [
  { id: 'one', label: 'One' },
  { id: 'many', label: 'Many' },
] as const;

/** Exactly one identifier, or a list of them, the product whose token asks, and the environment. */
export function LookupForm() {
  const { by, value, product, environment, environments } = useLookupsStore();
  const change = useLookupsStore((state) => state.change);
  const count = useBulkStore((state) => state.count);
  const changeBulk = useBulkStore((state) => state.change);
  const ask = useLookupsStore((state) => state.ask);
  const chosen = identifiers.find((one) => one.id === by) ?? identifiers[0]!;
  const fault = value.trim() === '' ? null : findIdentifierFault(by, value);
  const options = toEnvironmentOptions(environments, environment);
  return (
    <div className={shared.side}>
      <PaneHeader title="Status query">
        <Choice
          label="How many"
          options={counts}
          selected={count}
          onSelect={(next) => changeBulk({ count: next })}
        />
      </PaneHeader>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (count === 'one' && value.trim() !== '' && fault === null) void ask();
        }}
      >
        <Choice
          label="Identified by"
          className={styles.identified}
          options={identifiers}
          selected={by}
          onSelect={(id) => change({ by: id })}
        />
        {count === 'many' ? (
          <BulkForm />
        ) : (
          <TextField
            label={chosen.label}
            isCode
            value={value}
            onChange={(next) => change({ value: next })}
            help={chosen.help}
            fault={fault}
          />
        )}
        <div className={styles.pair}>
          <Select
            label="Token of product"
            options={products}
            selected={product}
            onSelect={(id) => change({ product: id })}
          />
          <Select
            label="Environment"
            options={
              options.length > 0 ? options : [{ id: environment, label: labelEnvironment(environment) }]
            }
            selected={environment}
            onSelect={(id) => change({ environment: id })}
          />
        </div>
        {count === 'many' ? null : <KnownProduct />}
        {count === 'many' ? <BulkActions /> : <Actions />}
      </form>
      {count === 'many' ? null : <Suggestions />}
    </div>
  );
}

/** Says why the token is the one that it is, or that the service will not take it. */
function KnownProduct() {
  const known = useLookupsStore((state) => state.knownProduct);
  const product = useLookupsStore((state) => state.product);
  return (
    <div className={tones.told} role="status">
      {known === null ? null : (
        <p className={styles.codes}>
          {known === product
            ? `Sent from here as a ${known}: its token is used.`
            : `Sent from here as a ${known}: the service may refuse the token of another product.`}
        </p>
      )}
    </div>
  );
}

function Actions() {
  const obstacle = useLookupsStore(({ by, value }) =>
    value.trim() === '' ? 'Enter what to ask for' : findIdentifierFault(by, value),
  );
  const isAsking = useLookupsStore((state) => state.isAsking);
  const watchCount = useLookupsStore((state) => state.watchCount);
  const watchEnd = useLookupsStore((state) => state.watchEnd);
  const watch = useLookupsStore((state) => state.watch);
  const stopWatching = useLookupsStore((state) => state.stopWatching);
  const isWatching = watchCount !== null;
  return (
    <div className={styles.actions}>
      <Button type="submit" variant="primary" obstacle={obstacle} isDisabled={isAsking && !isWatching}>
        Query
      </Button>
      {isWatching ? (
        <Button isOnce variant="danger" onPress={stopWatching}>
          Stop watching
        </Button>
      ) : (
        <Button isOnce onPress={() => void watch()} obstacle={obstacle}>
          Watch until final
        </Button>
      )}
      {isWatching ? (
        <span className={styles.watching}>
          <Spinner label="Watching" />
          {watchCount === 1 ? '1 query' : `${watchCount} queries`}
        </span>
      ) : null}
      {watchEnd === null ? null : <span className={styles.watching}>{watchEnd}</span>}
    </div>
  );
}

/** Payments of this machine: one stop of the Tab key, arrows choose, Enter asks. */
function Suggestions() {
  const suggestions = useLookupsStore((state) => state.suggestions);
  const value = useLookupsStore((state) => state.value);
  const environment = useLookupsStore((state) => state.environment);
  const environments = useLookupsStore((state) => state.environments);
  const choose = useLookupsStore((state) => state.choose);
  const ask = useLookupsStore((state) => state.ask);
  const menu = useContextMenu<Suggestion>();
  const rows = useMemo(() => listMatching(suggestions, value), [suggestions, value]);
  const selected = findSuggestion(suggestions, value, environment);
  return (
    <section className={column.rest} aria-label="Sent lately">
      <h2 className={styles.caption}>Sent lately</h2>
      <RowList
        label="Payments sent lately"
        items={rows}
        rowHeight={48}
        selected={selected === undefined ? null : idOfSuggestion(selected)}
        onSelect={(id) => {
          const row = rows.find((one) => one.id === id);
          if (row) choose(row);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') void ask();
        }}
        onMenu={menu.open}
        // While nothing was read it is not known that there are none.
        empty={
          environments.length === 0 ? null : (
            <p className={styles.none}>Payments that you send stand here, to be asked about.</p>
          )
        }
      >
        {(row) => (
          <div className={styles.suggestion}>
            <ForeignText className={styles.code} text={row.reference} />
            <RelativeTime at={row.sentAt} />
            <small>
              {row.product} · <ForeignText text={labelEnvironment(row.environment, environments)} /> ·{' '}
              <ForeignText text={row.title} />
            </small>
          </div>
        )}
      </RowList>
      <ContextMenu menu={menu} label="Payment" actionsOf={listSuggestionActions} />
    </section>
  );
}

/** What can be done with a payment that was sent lately. */
function listSuggestionActions(suggestion: Suggestion): MenuAction[] {
  const { reference } = suggestion;
  const { choose, ask } = useLookupsStore.getState();
  return [
    {
      id: 'ask',
      label: 'Query its status',
      onAction: () => {
        choose(suggestion);
        void ask();
      },
    },
    { id: 'journey', label: 'Open the journey', onAction: () => navigate('payments', reference) },
    { ...copyAction('reference', 'Copy the reference', reference), hasLineAbove: true },
  ];
}
