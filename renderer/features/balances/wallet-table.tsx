import { products, type Product } from '@shared/payments/tables/products';
import type { Wallet } from '@shared/payments/read-wallets';
import { findErrorPlace } from '../../session/error-place';
import type { ClientError } from '../../transport/client-error';
import { cx } from '../../ui/cx';
import { ErrorLine } from '../../ui/error-line';
import { formatDuration, formatExact } from '../../ui/format-time';
import { showControls } from '@shared/show-controls';
import { Spinner } from '../../ui/spinner';
import { Tag, type Tone } from '../../ui/tag';
import { roomFor } from '@shared/payments/format-amount';
import { Amount } from '../../ui/amount';
import {
  changeOf,
  chartColumns,
  commonError,
  describeRefusal,
  heldOf,
  shortOfLimit,
  stepsOf,
} from './balances-selectors';
import { entryKey, findWallet, noBalances, useBalancesStore, type ProductBalances } from './balances-store';
import styles from './balances.module.css';
import { StepLine } from './step-line';

const statusTones: Record<string, Tone> = { ACTIVE: 'good', SUSPENDED: 'bad', INACTIVE: 'quiet' };
const columnCount = 7;

/** A product's name as a heading has it. */
export const nameProduct = (product: Product): string => `${product[0]!.toUpperCase()}${product.slice(1)}`;

/** Every wallet of every product: what there is, what of it can be spent, what is held, and how it moved. */
export function WalletTable({ environment }: { environment: string }) {
  const entries = useBalancesStore((state) => state.entries);
  const chosen = useBalancesStore((state) => state.chosen);
  const shown = findWallet({ chosen, entries }, environment);
  const list = products.map((product) => entries[entryKey(environment, product)] ?? noBalances);
  const room = roomFor(
    list.flatMap(({ answer }) =>
      (answer?.wallets ?? []).flatMap((one) => [one.availableBalance, one.actualBalance, one.alertLimit]),
    ),
  );
  const firstAt = Math.min(...list.map(({ readings }) => readings[0]?.at ?? Infinity));
  const error = commonError(list.map((entry) => entry.error));
  return (
    <div className={styles.tableBox}>
      {error ? <Fault error={error} className={styles.fault} /> : null}
      <table className={styles.table} aria-label="Wallets">
        <thead>
          <tr>
            <th scope="col">Wallet</th>
            {['Available', 'Held', 'Actual', 'Alert limit'].map((label) => (
              <th
                key={label}
                scope="col"
                className={cx(styles.number, label === 'Alert limit' && styles.wide)}
              >
                {label}
              </th>
            ))}
            <th scope="col" className={styles.number}>
              {Number.isFinite(firstAt) ? `Since ${formatExact(firstAt).slice(11, 16)}` : 'Change'}
            </th>
            <th scope="col" className={styles.wide}>
              Readings
            </th>
          </tr>
        </thead>
        {products.map((product, index) => (
          <ProductRows
            key={product}
            product={product}
            entry={error ? { ...list[index]!, error: null } : list[index]!}
            room={room}
            shown={shown?.product === product ? shown.currency : null}
          />
        ))}
      </table>
    </div>
  );
}

interface RowsProps {
  product: Product;
  entry: ProductBalances;
  /** Digits behind the point that the columns have room for. */
  room: number;
  /** Currency of the wallet on show, where it is of this product. */
  shown: string | null;
}

function ProductRows(props: RowsProps) {
  const { product, entry } = props;
  const wallets = entry.answer?.wallets ?? [];
  return (
    <tbody aria-label={nameProduct(product)}>
      <tr className={styles.group}>
        <th scope="rowgroup" colSpan={columnCount}>
          <span className={styles.groupLine}>
            <b>{nameProduct(product)}</b>
            <ReadAt entry={entry} />
          </span>
        </th>
      </tr>
      <Trouble entry={entry} />
      {wallets.map((wallet, index) => (
        <WalletRow key={`${wallet.currency}-${index}`} wallet={wallet} {...props} />
      ))}
    </tbody>
  );
}

function ReadAt({ entry }: { entry: ProductBalances }) {
  const { answer, isLoading } = entry;
  if (isLoading) return <Spinner label="Reading the balances" size={12} />;
  if (answer === null) return <span className={styles.readAt}>not read yet</span>;
  const totalMs = answer.exchange.timings?.totalMs;
  return (
    <span className={styles.readAt}>
      {'read '}
      <time title={formatExact(answer.fetchedAt)}>{formatExact(answer.fetchedAt).slice(11, 19)}</time>
      {totalMs === undefined ? '' : `, ${formatDuration(totalMs)}`}
    </span>
  );
}

function Fault({ error, className }: { error: ClientError; className?: string }) {
  const place = findErrorPlace(error);
  return (
    <ErrorLine error={error} className={className}>
      {place ? <a href={place.href}>{place.label}</a> : null}
    </ErrorLine>
  );
}

/** Why a product has no figures, or why those that stand there are old. */
function Trouble({ entry: { answer, error, isLoading } }: { entry: ProductBalances }) {
  const refusal = answer ? describeRefusal(answer.exchange) : null;
  const isBare = answer !== null && answer.wallets.length === 0 && !refusal && !isLoading;
  if (!error && !refusal && !isBare) return null;
  return (
    <tr className={styles.trouble}>
      <td colSpan={columnCount}>
        {error ? (
          <Fault error={error} />
        ) : refusal ? (
          <div role="status">
            <p className={styles.headline}>{showControls(refusal.headline)}</p>
            <p className={styles.refusalDetail}>{showControls(refusal.detail)}</p>
          </div>
        ) : (
          <p className={styles.refusalDetail}>The service lists no wallet for this product and currency.</p>
        )}
      </td>
    </tr>
  );
}

function WalletRow({ product, wallet, entry, room, shown }: RowsProps & { wallet: Wallet }) {
  const { currency } = wallet;
  const isChosen = currency === shown;
  const choose = useBalancesStore((state) => state.choose);
  const steps = stepsOf(entry.readings, currency);
  const isLow = shortOfLimit(wallet) !== null;
  const select = (): void => choose({ product, currency });
  return (
    <tr className={cx(styles.wallet, isChosen && styles.chosen)} onClick={select}>
      <th scope="row">
        <button type="button" className={styles.choose} aria-pressed={isChosen} onClick={select}>
          <bdi>{showControls(currency)}</bdi>
        </button>
        <WalletTags wallet={wallet} />
      </th>
      <td className={cx(styles.number, styles.main)}>
        <Amount literal={wallet.availableBalance} room={room} className={cx(isLow && styles.low)} />
      </td>
      <td className={styles.number}>
        <Amount literal={heldOf(wallet)} room={room} />
      </td>
      <td className={styles.number}>
        <Amount literal={wallet.actualBalance} room={room} />
      </td>
      <td className={cx(styles.number, styles.wide, styles.quiet)}>
        <Amount literal={wallet.alertLimit} room={room} />
      </td>
      <td className={styles.number}>
        <Amount literal={changeOf(steps)} room={room} isChange />
      </td>
      <td className={styles.wide}>
        <StepLine columns={chartColumns(steps, null, entry.answer?.fetchedAt ?? 0)} />
      </td>
    </tr>
  );
}

/** What is unusual about a wallet; an active one above its limit has nothing beside its name. */
export function WalletTags({ wallet }: { wallet: Wallet }) {
  return (
    <>
      {wallet.status === 'ACTIVE' || wallet.status === '' ? null : (
        <Tag tone={statusTones[wallet.status] ?? 'quiet'}>{showControls(wallet.status.toLowerCase())}</Tag>
      )}
      {shortOfLimit(wallet) === null ? null : <Tag tone="warn">below its limit</Tag>}
    </>
  );
}
