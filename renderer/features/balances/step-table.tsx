import { roomFor } from '@shared/payments/format-amount';
import { Amount } from '../../ui/amount';
import { TextButton } from '../../ui/button';
import { cx } from '../../ui/cx';
import { FirstRows } from '../../ui/first-rows';
import { ForeignText } from '../../ui/foreign-text';
import { formatExact } from '../../ui/format-time';
import { formatReadingTime, paymentsBefore, type WalletChoice, type WalletStep } from './balances-selectors';
import { useBalancesStore, useWalletPayments } from './balances-store';
import styles from './balances.module.css';
import tones from '../../ui/tone.module.css';

/** Readings that differ from the one before, newest first, each with what was sent from here since that one. */
export function StepTable({
  wallet,
  environment,
  steps,
  now,
}: {
  wallet: WalletChoice;
  environment: string;
  steps: readonly WalletStep[];
  now: number;
}) {
  const payments = useWalletPayments(environment, wallet);
  const showAround = useBalancesStore((state) => state.showAround);
  const newest = steps.toReversed();
  const room = roomFor(steps.flatMap(({ available, change }) => [available, change]));
  return (
    <div className={styles.steps}>
      <table className={styles.table} aria-label="When it changed">
        <thead>
          <tr>
            <th scope="col">When it changed</th>
            <th scope="col">Sent meanwhile</th>
            <th scope="col" className={cx(styles.number, styles.after)}>
              Available
            </th>
            <th scope="col" className={styles.number}>
              Change
            </th>
          </tr>
        </thead>
        <tbody>
          <FirstRows
            items={newest}
            more={(way) => (
              <tr>
                <td colSpan={4}>{way}</td>
              </tr>
            )}
          >
            {(step, index) => (
              <tr key={step.at}>
                <td>
                  <time title={formatExact(step.at)}>{formatReadingTime(step.at, now)}</time>
                </td>
                <td className={styles.sent}>
                  <Sent
                    references={paymentsBefore(step.at, newest[index + 1]?.at, payments)}
                    onPick={(reference) => void showAround(environment, reference)}
                  />
                </td>
                <td className={cx(styles.number, styles.after)}>
                  <Amount literal={step.available} room={room} />
                </td>
                <td className={styles.number}>
                  {index === steps.length - 1 ? (
                    <span className={tones.soft}>first reading</span>
                  ) : (
                    <Amount literal={step.change} room={room} isChange />
                  )}
                </td>
              </tr>
            )}
          </FirstRows>
        </tbody>
      </table>
    </div>
  );
}

/** The last payment, which leads to what it did, and how many more. */
function Sent({
  references,
  onPick,
}: {
  references: readonly string[];
  onPick: (reference: string) => void;
}) {
  const [last] = references;
  if (last === undefined) return '–';
  const others = references.length - 1;
  return (
    <span className={styles.sentLine} title={references.slice(0, 20).join('\n')}>
      <TextButton aria-label={`What ${last} changed`} onPress={() => onPick(last)}>
        <ForeignText text={last} />
      </TextButton>
      {others > 0 ? <span className={tones.soft}>{`+${others}`}</span> : null}
    </span>
  );
}
