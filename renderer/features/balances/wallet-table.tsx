import type { Wallet } from '@shared/payments/read-wallets';
import { CopyText } from '../../ui/copy-text';
import { cx } from '../../ui/cx';
import { groupDigits } from '../../ui/format';
import { Tag, type Tone } from '../../ui/tag';
import { availableShare, changeOf, heldOf, isBelowLimit, type BalanceReading } from './balances-selectors';
import styles from './balances.module.css';

const statusTones: Record<string, Tone> = { ACTIVE: 'good', SUSPENDED: 'bad', INACTIVE: 'quiet' };

/** One row a currency: what there is, what of it can be spent, what is held. */
export function WalletTable({
  wallets,
  readings,
}: {
  wallets: readonly Wallet[];
  readings: readonly BalanceReading[];
}) {
  return (
    <div className={styles.tableBox}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Currency</th>
            <th scope="col">Status</th>
            <th scope="col" className={styles.number}>
              Available
            </th>
            <th scope="col" className={styles.number}>
              Held
            </th>
            <th scope="col" className={styles.number}>
              Actual
            </th>
            <th scope="col" className={styles.shareHead}>
              Available of actual
            </th>
            <th scope="col" className={styles.number}>
              Alert limit
            </th>
            <th scope="col" className={styles.number}>
              Since the reading before
            </th>
          </tr>
        </thead>
        <tbody>
          {wallets.map((wallet, index) => (
            <WalletRow key={`${wallet.currency}-${index}`} wallet={wallet} readings={readings} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function WalletRow({ wallet, readings }: { wallet: Wallet; readings: readonly BalanceReading[] }) {
  const held = heldOf(wallet);
  const isLow = isBelowLimit(wallet);
  const change = changeOf(readings, wallet.currency);
  return (
    <tr>
      <th scope="row">{wallet.currency}</th>
      <td>
        <Tag tone={statusTones[wallet.status] ?? 'quiet'}>{wallet.status}</Tag>
      </td>
      <td className={cx(styles.number, styles.main, isLow && styles.low)}>
        <CopyText text={wallet.availableBalance} isCode={false} label={`available ${wallet.currency}`}>
          {groupDigits(wallet.availableBalance)}
        </CopyText>
      </td>
      <td className={styles.number}>{held === null ? '–' : groupDigits(held)}</td>
      <td className={styles.number}>
        <CopyText text={wallet.actualBalance} isCode={false} label={`actual ${wallet.currency}`}>
          {groupDigits(wallet.actualBalance)}
        </CopyText>
      </td>
      <td>
        <ShareBar share={availableShare(wallet)} isLow={isLow} />
      </td>
      <td className={cx(styles.number, isLow && styles.low)}>
        {wallet.alertLimit === null ? '–' : `${groupDigits(wallet.alertLimit)}${isLow ? ', reached' : ''}`}
      </td>
      <td className={styles.number}>
        {change === null ? (
          <span className={styles.faint}>–</span>
        ) : (
          <span className={change.startsWith('-') ? styles.fell : styles.rose}>
            {change.startsWith('+') ? `+${groupDigits(change.slice(1))}` : groupDigits(change)}
          </span>
        )}
      </td>
    </tr>
  );
}

function ShareBar({ share, isLow }: { share: number | null; isLow: boolean }) {
  if (share === null) return <span className={styles.faint}>–</span>;
  const percent = Math.round(share * 1000) / 10;
  return (
    <span className={styles.share} role="img" aria-label={`${percent} % available`} title={`${percent} %`}>
      <i className={cx(isLow && styles.lowBar)} style={{ width: `${share * 100}%` }} />
    </span>
  );
}
