import type { z } from 'zod';
import type { balanceReading } from '@shared/contract/balances';
import type { HandlersOf } from '@shared/contract/contract';
import type { SendInput } from '@shared/contract/sending';
import type { EnvironmentRecord } from '@shared/contract/environments';
import { localEnvironmentId } from '@shared/contract/environment-id';
import { operations } from '@shared/payments/tables/operations';
import { errorsOf } from '../errors-of';
import { ROUND_TITLE, type BalanceReadingRow } from '../history/balance-readings';
import type { SendingService } from '../sending/create-sending-service';
import { noWallets } from '@shared/payments/read-wallets';
import { shortenExchange } from '../sending/shorten-exchange';
import type { JourneyService } from '../journey/create-journey-service';
import { readBalanceAround, type AroundHistory } from './balance-around';
import { encodeForUrl } from '@shared/encode-for-url';

/** So many changes of one wallet are given, the latest. */
const MOST_CHANGES = 500;

const BalancesError = errorsOf<'balances'>();

export interface BalancesService {
  handlers: HandlersOf<'balances'>;
}

export interface BalancesDeps {
  sending: Pick<SendingService, 'send'>;
  environments: { get(id: string): Pick<EnvironmentRecord, 'id' | 'label' | 'baseUrl'> };
  history: AroundHistory;
  journey(): Promise<Pick<JourneyService, 'handlers' | 'summariseAt'>>;
}

/**
 * Makes the service that reads wallet balances.
 *
 * Nothing is cached: each reading is a call, and each is kept with its time so that journeys can show what a
 * payment did to the wallet.
 * @source payments-service-interface, part 4.4
 */
export function createBalancesService({
  sending,
  environments,
  history,
  journey,
}: BalancesDeps): BalancesService {
  // The embedded sandbox keeps its wallets, whatever port it got; elsewhere another address is another service.
  const addressOf = (id: string): string | null =>
    id === localEnvironmentId ? null : `${environments.get(id).baseUrl}/`;
  return {
    handlers: {
      'balances.fetch': async ({ environment, product, currency, isRound = false }) => {
        const { baseUrl } = environments.get(environment);
        let told = noWallets;
        const question = {
          environment,
          operation: 'balances',
          identity: null,
          title: isRound ? ROUND_TITLE : 'Wallet balances',
          method: 'GET',
          url: `${baseUrl}${operations.balances.paths[0]}${readQuery(currency)}`,
          headers: [
            ['Authorization', `Bearer {{token.${product}}}`],
            ['Accept', 'application/json'],
          ],
          body: null,
        } satisfies SendInput;
        const exchange = await sending.send(question, (read) => (told = read));
        if (isRound) history.balances.forgetRound(exchange.id);
        const { wallets, unreadCount } = exchange.reading?.outcome === 'ok' ? told : noWallets;
        return {
          // Its wallets are read from the whole; the body itself is for a screen.
          exchange: shortenExchange(exchange, true),
          fetchedAt: exchange.sentAt,
          wallets: [...wallets],
          unreadCount,
        };
      },
      'balances.readings': ({ environment }) => {
        environments.get(environment);
        const rows = history.balances.listChanges(environment, addressOf(environment), MOST_CHANGES);
        return { readings: rows.map(toReading) };
      },
      'balances.around': async ({ reference, environment }) => {
        const asked = environment === undefined ? null : environments.get(environment);
        const { handlers, summariseAt } = await journey();
        await handlers['journey.get']({ reference });
        return { around: await readBalanceAround(reference, { history, asked, summariseAt }) };
      },
    },
  };
}

function toReading(row: BalanceReadingRow): z.output<typeof balanceReading> {
  const { product, read_at, currency, actual_balance, available_balance } = row;
  const wallet = { currency, actualBalance: actual_balance, availableBalance: available_balance };
  return { product, at: read_at, wallets: [wallet] };
}

function readQuery(currency: string | undefined): string {
  const code = currency?.trim() ?? '';
  if (code === '') return '';
  if (!/^[A-Za-z]{1,16}$/.test(code)) {
    throw new BalancesError(
      'sending.bad_currency',
      'A currency is three letters, such as KES. Correct it, or leave it out for all.',
      {
        details: { currency: code.slice(0, 40) },
      },
    );
  }
  return `?currency=${encodeForUrl(code.toUpperCase())}`;
}
