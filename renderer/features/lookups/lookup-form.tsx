import { readEnvironmentName } from '@shared/contract/environment-id';
import type { Product } from '@shared/payments/tables/products';
import { Button } from '../../ui/button';
import { Choice } from '../../ui/choice';
import { PaneHeader } from '../../ui/pane-header';
import { RelativeTime } from '../../ui/relative-time';
import { Select } from '../../ui/select';
import { Spinner } from '../../ui/spinner';
import { TextField } from '../../ui/text-field';
import { useLookupsStore, type Identifier } from './lookups-store';
import styles from './lookups.module.css';

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

/** Exactly one identifier, the product whose token asks, and the environment. */
export function LookupForm() {
  const { by, value, product, environment, environments } = useLookupsStore();
  const change = useLookupsStore((state) => state.change);
  const ask = useLookupsStore((state) => state.ask);
  const chosen = identifiers.find((one) => one.id === by) ?? identifiers[0]!;
  const options = environments.map(({ id, label, kind }) => ({
    id,
    label,
    ...(kind === 'production' ? { detail: 'production' } : {}),
  }));
  return (
    <div className={styles.side}>
      <PaneHeader title="Status query" />
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (value.trim() !== '') void ask();
        }}
      >
        <Choice
          label="Identified by"
          options={identifiers}
          selected={by}
          onSelect={(id) => change({ by: id })}
        />
        <TextField
          label={chosen.label}
          isCode
          value={value}
          onChange={(next) => change({ value: next })}
          help={chosen.help}
        />
        <div className={styles.pair}>
          <Select
            label="Token of product"
            options={products}
            selected={product}
            onSelect={(id) => change({ product: id as Product })}
          />
          <Select
            label="Environment"
            options={
              options.length > 0 ? options : [{ id: environment, label: readEnvironmentName(environment) }]
            }
            selected={environment}
            onSelect={(id) => change({ environment: id })}
          />
        </div>
        <Actions />
      </form>
      <Suggestions />
    </div>
  );
}

function Actions() {
  const isEmpty = useLookupsStore((state) => state.value.trim() === '');
  const isAsking = useLookupsStore((state) => state.isAsking);
  const watchCount = useLookupsStore((state) => state.watchCount);
  const watch = useLookupsStore((state) => state.watch);
  const stopWatching = useLookupsStore((state) => state.stopWatching);
  const isWatching = watchCount !== null;
  return (
    <div className={styles.actions}>
      <Button type="submit" variant="primary" isDisabled={isEmpty || (isAsking && !isWatching)}>
        Query
      </Button>
      {isWatching ? (
        <Button variant="danger" onPress={stopWatching}>
          Stop watching
        </Button>
      ) : (
        <Button onPress={() => void watch()} isDisabled={isEmpty}>
          Watch until final
        </Button>
      )}
      {isWatching ? (
        <span className={styles.watching} role="status">
          <Spinner label="Watching" />
          {watchCount === 1 ? '1 query' : `${watchCount} queries`}
        </span>
      ) : null}
    </div>
  );
}

function Suggestions() {
  const suggestions = useLookupsStore((state) => state.suggestions);
  const value = useLookupsStore((state) => state.value);
  const choose = useLookupsStore((state) => state.choose);
  if (suggestions.length === 0) return null;
  const typed = value.trim().toLowerCase();
  const matching = suggestions.filter((one) => one.reference.toLowerCase().includes(typed));
  const isChosen = suggestions.some((one) => one.reference === value);
  const shown = matching.length > 0 && !isChosen ? matching : suggestions;
  return (
    <section className={styles.suggestions} aria-label="Sent lately">
      <h2 className={styles.caption}>Sent lately</h2>
      <ul>
        {shown.slice(0, 50).map((one) => (
          <li key={one.reference}>
            <button
              type="button"
              className={styles.suggestion}
              aria-pressed={one.reference === value}
              onClick={() => choose(one)}
            >
              <bdi className={styles.code}>{one.reference}</bdi>
              <RelativeTime at={one.sentAt} />
              <small>
                {one.product} · <bdi>{one.title}</bdi>
              </small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
