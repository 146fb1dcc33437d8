import type { JourneySummary } from '@shared/contract/journey';
import { expect, it } from 'vitest';
import { formatSortableId } from '../../platform/sortable-id';
import type { ExchangeRow } from '../history/history-store';
import { readBalanceAround, type AroundHistory } from './balance-around';

it('takes the charges from a status of the environment that paid: elsewhere the reference may be another payment', async () => {
  const status = (id: number, environment: string) =>
    ({ id, environment, operation: 'status', outcome: 'ok', sent_at: id, total_ms: 1 }) as ExchangeRow;
  const totals = new Map([
    [formatSortableId(1), '10.00'],
    [formatSortableId(2), '99.00'],
  ]);
  const around = async (...rows: ExchangeRow[]) => {
    const history = {
      store: { listOfPayment: () => rows },
      balances: { listAround: () => [], countOtherPayments: () => 0 },
      handlers: {
        'history.get': async ({ id }: { id: string }) => ({
          response: { body: `{"data":{"total_amount":"${totals.get(id)}"}}` },
        }),
      },
    } as unknown as AroundHistory;
    const paid = { reference: 'R-1', environment: 'uat', operation: 'payout', currency: 'KES', startedAt: 0 };
    return readBalanceAround(paid as JourneySummary, history, null);
  };
  expect(await around(status(1, 'uat'), status(2, 'local'))).toMatchObject({ totalAmount: '10.00' });
  expect(await around(status(2, 'local'))).toMatchObject({ totalAmount: null });
});
