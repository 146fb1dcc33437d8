import { copyAction } from '../../../ui/copy-action';
import { CopyText } from '../../../ui/copy-text';
import { DataTable, type Column } from '../../../ui/data-table';
import shared from '../../../panels/exchange-pane.module.css';
import styles from '../sandbox.module.css';
import { outcomes, type Outcome } from './outcomes';

const outcomeColumns: readonly Column<Outcome & { id: string }>[] = [
  {
    id: 'digits',
    label: 'Account ends in',
    isRowHeader: true,
    render: ({ digits }) =>
      digits === 'others' ? 'anything else' : <CopyText text={digits} label="last digits" />,
  },
  { id: 'effect', label: 'The payment', render: ({ effect }) => <b>{effect}</b> },
  { id: 'detail', label: 'Which means', render: ({ detail }) => detail },
];

/** What the recipient's account number brings about. */
export function OutcomesTab() {
  return (
    <div className={styles.page}>
      <DataTable
        id="sandbox-outcomes"
        label="Outcomes by account"
        columns={outcomeColumns}
        items={outcomes.map((outcome) => ({ ...outcome, id: outcome.digits }))}
        actionsOf={({ digits }) => {
          const ending = digits === 'others' ? null : digits;
          return [
            copyAction('digits', 'Copy the last digits', ending),
            copyAction('account', 'Copy an account that ends so', ending && `25470000${ending}`),
          ];
        }}
      />
      <p className={shared.note}>
        The last four digits of recipient.account decide, for example 254700000001 for a payment that fails.
      </p>
    </div>
  );
}
