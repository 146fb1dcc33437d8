import type { Handlers } from '@shared/contract/contract';
import { readJsonTree } from '@shared/json/json-tree';
import { operations } from '@shared/payments/tables/operations';
import { errorsOf } from '../errors-of';
import type { SendingService } from '../sending/create-sending-service';
import { shortenExchange } from '../sending/shorten-exchange';

const LookupsError = errorsOf<'webhooks.sendTest'>();

export interface LookupsService {
  handlers: Pick<Handlers, 'lookups.status' | 'webhooks.sendTest'>;
}

export interface LookupsDeps {
  sending: Pick<SendingService, 'send'>;
  environments: { get(id: string): { baseUrl: string } };
}

const JSON_HEADERS: [string, string][] = [
  ['Content-Type', 'application/json'],
  ['Accept', 'application/json'],
];

/**
 * Makes the service of status queries and test webhooks.
 *
 * Each is an ordinary exchange: in the history, and on the timeline of its payment.
 * @source payments-service-interface, parts 4.3 and 4.5
 */
export function createLookupsService({ sending, environments }: LookupsDeps): LookupsService {
  return {
    handlers: {
      'lookups.status': async ({ environment, product, by, value, isForScreen }) => {
        const { baseUrl } = environments.get(environment);
        const exchange = await sending.send({
          environment,
          operation: 'status',
          identity: null,
          title: 'Status query',
          method: 'POST',
          url: `${baseUrl}${operations.status.paths[0]}`,
          headers: [['Authorization', `Bearer {{token.${product}}}`], ...JSON_HEADERS],
          body: JSON.stringify({ [by]: value }),
        });
        const state = exchange.reading?.state ?? null;
        const outcome = exchange.reading?.outcome;
        return {
          exchange: shortenExchange(exchange, isForScreen),
          isFound: outcome === 'not_found' ? false : state !== null && outcome === 'ok' ? true : null,
          state,
        };
      },
      'webhooks.sendTest': (input) => {
        const { baseUrl } = environments.get(input.environment);
        return sending.send({
          environment: input.environment,
          operation: 'send_test',
          identity: null,
          title: 'Test webhook',
          method: 'POST',
          url: `${baseUrl}${operations.send_test.paths[0]}`,
          headers: JSON_HEADERS,
          body: writeTestBody(input),
        });
      },
    },
  };
}

type TestInput = Parameters<Handlers['webhooks.sendTest']>[0];

/** Writes the body by hand: the amount and the metadata go out as typed. */
function writeTestBody(input: TestInput): string {
  const texts: [string, string | undefined][] = [
    ['callback_url', input.callbackUrl],
    ['status', input.status],
    ['code', input.code],
    ['client_reference', input.clientReference],
    ['payment_uuid', input.paymentUuid],
    ['payment_reference', input.paymentReference],
  ];
  const literals: [string, string | undefined, 'number' | 'object'][] = [
    ['amount', input.amount, 'number'],
    ['metadata', input.metadata, 'object'],
  ];
  const members = [
    ...texts.flatMap(([name, value]) => (value === undefined ? [] : [`"${name}":${JSON.stringify(value)}`])),
    ...literals.flatMap(([name, value, kind]) => writeLiteral(name, value, kind)),
  ];
  return `{${members.join(',')}}`;
}

function writeLiteral(name: string, value: string | undefined, kind: 'number' | 'object'): string[] {
  const text = value?.trim() ?? '';
  if (text === '') return [];
  if (readJsonTree(text)?.kind !== kind) {
    throw new LookupsError(
      'sending.bad_input',
      `The ${name} is not a JSON ${kind}. Correct it, or leave it empty.`,
      {
        details: { field: name },
      },
    );
  }
  return [`"${name}":${text}`];
}
