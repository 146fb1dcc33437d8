import type { Handlers } from '@shared/contract/contract';
import { operations } from '@shared/payments/tables/operations';
import { errorsOf } from '../errors-of';
import type { SendingService } from '../sending/create-sending-service';
import { readWallets } from '@shared/payments/read-wallets';
import { shortenExchange } from '../sending/shorten-exchange';

const BalancesError = errorsOf<'balances'>();

export interface BalancesService {
  handlers: Pick<Handlers, 'balances.fetch'>;
}

export interface BalancesDeps {
  sending: Pick<SendingService, 'send'>;
  environments: { get(id: string): { baseUrl: string } };
}

/**
 * Makes the service that reads wallet balances.
 *
 * Nothing is cached: each reading is a call, and each is kept with its time so that journeys can show what a
 * payment did to the wallet.
 * @source payments-service-interface, part 4.4
 */
export function createBalancesService({ sending, environments }: BalancesDeps): BalancesService {
  return {
    handlers: {
      'balances.fetch': async ({ environment, product, currency }) => {
        const { baseUrl } = environments.get(environment);
        const exchange = await sending.send({
          environment,
          operation: 'balances',
          identity: null,
          title: 'Wallet balances',
          method: 'GET',
          url: `${baseUrl}${operations.balances.paths[0]}${readQuery(currency)}`,
          headers: [
            ['Authorization', `Bearer {{token.${product}}}`],
            ['Accept', 'application/json'],
          ],
          body: null,
        });
        return {
          // Its wallets are read from the whole; the body itself is for a screen.
          exchange: shortenExchange(exchange, true),
          fetchedAt: exchange.sentAt,
          wallets: exchange.reading?.outcome === 'ok' ? readWallets(exchange.response?.body ?? '') : [],
        };
      },
    },
  };
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
  return `?currency=${encodeURIComponent(code.toUpperCase())}`;
}
