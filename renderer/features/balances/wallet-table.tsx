import { localEnvironmentId } from '@shared/contract/environment-id';
import { products, type Product } from '@shared/payments/tables/products';
import { describeUnread, markOfLimit, type Wallet, type WalletList } from '@shared/payments/read-wallets';
import { findErrorPlace } from '../../session/error-place';
import { StartSandbox } from '../../panels/start-sandbox';
import { cx } from '../../ui/cx';
import { ErrorLine } from '../../ui/error-line';
import { formatDuration, formatExact } from '../../ui/format-time';
import { formatRowTime } from '../../ui/format-row-time';
import { copyAction } from '../../ui/copy-action';
import { ContextMenu, useContextMenu, type MenuAction } from '../../ui/menu';
import { Spinner } from '../../ui/spinner';
import { Tag, type Tone } from '../../ui/tag';
import { roomFor } from '@shared/payments/format-amount';
import { Amount } from '../../ui/amount';
import {
  changeOf,
  chartColumns,
  commonError,
  describeRefusal,
  describeSteps,
  faultOf,
  heldOf,
  stepsOf,
  type BalanceFault,
} from './balances-selectors';
import { entryKey, findWallet, noBalances, useBalancesStore, type ProductBalances } from './balances-store';
import styles from './balances.module.css';
import { StepLine } from './step-line';
import { ForeignText } from '../../ui/foreign-text';
import tones from '../../ui/tone.module.css';

const statusTones: Record<string, Tone> = { ACTIVE: 'good', SUSPENDED: 'bad', INACTIVE: 'quiet' };
const columnCount = 7;

export const nameProduct = (product: Product): string => `${product[0]!.toUpperCase()}${product.slice(1)}`;

/** The clock without seconds for today, else the day. */
function sinceWhen(at: number, now: number): string {
  const time = formatRowTime(at, now);
  return time.includes(':') ? time.slice(0, 5) : time;
}

/** Every wallet of every product: what there is, what of it can be spent, what is held, and how it moved. */
export function WalletTable({ environment }: { environment: string }) {
  const entries = useBalancesStore((state) => state.entries);
  const chosen = useBalancesStore((state) => state.chosen);
  const shown = findWallet({ chosen, entries }, environment);
  const list = products.map((product) => entries[entryKey(environment, product)] ?? noBalances);
  const room = roomFor(
    list.flatMap(({ told }) =>
      (told?.wallets ?? []).flatMap((one) => [one.availableBalance, one.actualBalance, one.alertLimit]),
    ),
  );
  const firstAt = Math.min(...list.map(({ readings }) => readings[0]?.at ?? Infinity));
  const lastAt = Math.max(...list.map(({ told }) => told?.fetchedAt ?? firstAt));
  const fault = commonError(list.map(faultOf));
  return (
    <div className={styles.tableBox}>
      {fault ? <Fault error={fault} environment={environment} className={styles.fault} /> : null}
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
              {Number.isFinite(firstAt) ? `Since ${sinceWhen(firstAt, lastAt)}` : 'Change'}
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
            environment={environment}
            entry={list[index]!}
            isToldAbove={fault !== null}
            room={room}
            shown={shown?.product === product ? shown.currency : null}
          />
        ))}
      </table>
    </div>
  );
}

interface RowsProps {
  environment: string;
  product: Product;
  entry: ProductBalances;
  /** Why nothing could be read stands over the table already. */
  isToldAbove: boolean;
  /** Digits behind the point that the columns have room for. */
  room: number;
  /** Currency of the wallet on show, where it is of this product. */
  shown: string | null;
}

function ProductRows(props: RowsProps) {
  const { product, entry } = props;
  const wallets = entry.told?.wallets ?? [];
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
      {props.isToldAbove ? null : <Trouble {...props} />}
      {wallets.map((wallet, index) => (
        <WalletRow key={`${wallet.currency}-${index}`} wallet={wallet} {...props} />
      ))}
      {entry.told === null ? null : <Unread told={entry.told} />}
    </tbody>
  );
}

function Unread({ told }: { told: WalletList }) {
  const unread = describeUnread(told);
  if (unread === null) return null;
  return (
    <tr>
      <td colSpan={columnCount}>
        <p className={tones.soft}>{unread}</p>
      </td>
    </tr>
  );
}

function ReadAt({ entry }: { entry: ProductBalances }) {
  const { answer, told, error, isLoading } = entry;
  if (isLoading) return <Spinner label="Reading the balances" size={12} />;
  if (told === null) {
    const wasTried = answer !== null || error !== null;
    return <span className={tones.soft}>{wasTried ? 'could not be read' : 'not read yet'}</span>;
  }
  const isOld = answer !== told || error !== null;
  const totalMs = told.exchange.timings?.totalMs;
  return (
    <span className={tones.soft}>
      {isOld ? 'as of ' : 'read '}
      <time title={formatExact(told.fetchedAt)}>{formatExact(told.fetchedAt).slice(11, 19)}</time>
      {isOld || totalMs === undefined ? '' : `, ${formatDuration(totalMs)}`}
    </span>
  );
}

function Fault({
  error,
  environment,
  className,
}: {
  error: BalanceFault;
  environment: string;
  className?: string;
}) {
  const refreshAll = useBalancesStore((state) => state.refreshAll);
  const place = findErrorPlace(error);
  const isSandbox = environment === localEnvironmentId && error.code === 'sending.unreachable';
  return (
    <ErrorLine error={error} className={className}>
      {place ? <a href={place.href}>{place.label}</a> : null}
      {isSandbox ? <StartSandbox again="Read again" onAgain={() => void refreshAll(environment)} /> : null}
    </ErrorLine>
  );
}

/** Why a product has no figures, or why those that stand there are old. */
function Trouble({ entry, environment }: RowsProps) {
  const { answer, isLoading } = entry;
  const error = faultOf(entry);
  const refusal = answer ? describeRefusal(answer.exchange) : null;
  if (isLoading && answer === null) return <Awaited />;
  const isEmpty = answer !== null && answer.wallets.length === 0 && answer.unreadCount === 0;
  const isBare = isEmpty && !refusal && !isLoading;
  if (!error && !refusal && !isBare) return null;
  return (
    <tr className={styles.trouble}>
      <td colSpan={columnCount}>
        {error ? (
          <Fault error={error} environment={environment} />
        ) : refusal ? (
          <div role="alert">
            <p className={styles.headline}>
              <ForeignText text={refusal.headline} />
            </p>
            <p className={tones.soft}>
              <ForeignText text={refusal.detail} />
            </p>
          </div>
        ) : (
          <p className={tones.soft}>The service lists no wallet for this product and currency.</p>
        )}
      </td>
    </tr>
  );
}

/** Room for the wallets that are being read: what stands below does not jump when they come. */
function Awaited() {
  return [0, 1].map((row) => (
    <tr key={row} className={styles.wallet} aria-hidden="true">
      <th className={styles.awaited}>
        <span />
      </th>
      <td className={cx(styles.number, styles.awaited)}>
        <span />
      </td>
      <td colSpan={columnCount - 2} />
    </tr>
  ));
}

function WalletRow({ product, wallet, entry, room, shown }: RowsProps & { wallet: Wallet }) {
  const { currency } = wallet;
  const isChosen = currency === shown;
  const choose = useBalancesStore((state) => state.choose);
  const steps = stepsOf(entry.readings, currency);
  const isLow = markOfLimit(wallet) !== null;
  const readAt = entry.told?.fetchedAt ?? 0;
  const select = (): void => choose({ product, currency });
  const menu = useContextMenu<null>();
  return (
    <tr
      className={cx(styles.wallet, isChosen && styles.chosen)}
      onClick={select}
      onContextMenu={(event) => menu.open(event, null)}
    >
      <th scope="row">
        <button type="button" className={styles.choose} aria-pressed={isChosen} onClick={select}>
          <ForeignText text={currency} />
        </button>
        <WalletTags wallet={wallet} />
        <ContextMenu menu={menu} label="Wallet" actionsOf={() => listWalletActions(wallet, select)} />
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
      <td className={cx(styles.number, styles.wide, tones.soft)}>
        <Amount literal={wallet.alertLimit} room={room} />
      </td>
      <td className={styles.number}>
        <Amount literal={changeOf(steps)} room={room} isChange />
      </td>
      <td className={styles.wide}>
        <StepLine columns={chartColumns(steps, null, readAt)} label={describeSteps(steps, readAt)} />
      </td>
    </tr>
  );
}

function listWalletActions(wallet: Wallet, onOpen: () => void): MenuAction[] {
  return [
    { id: 'open', label: 'Show how it moved', onAction: onOpen },
    copyAction('available', 'Copy what is available', wallet.availableBalance),
    copyAction('actual', 'Copy the actual balance', wallet.actualBalance),
    copyAction('currency', 'Copy the currency', wallet.currency),
  ];
}

/** What is unusual about a wallet; an active one above its limit has nothing beside its name. */
export function WalletTags({ wallet }: { wallet: Wallet }) {
  const limit = markOfLimit(wallet);
  return (
    <>
      {wallet.status === 'ACTIVE' || wallet.status === '' ? null : (
        <Tag tone={statusTones[wallet.status] ?? 'quiet'}>{wallet.status.toLowerCase()}</Tag>
      )}{' '}
      {limit === null ? null : <Tag tone="warn">{limit}</Tag>}
    </>
  );
}
