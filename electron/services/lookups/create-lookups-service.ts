import type { Handlers } from '@shared/contract/contract';
import { localEnvironmentId } from '@shared/contract/environment-id';
import type { EnvironmentRecord } from '@shared/contract/environments';
import { findIdentifierFault } from '@shared/lookups/lookup-list';
import { operations } from '@shared/payments/tables/operations';
import { editTestPayload, requireObject } from '@shared/webhooks/test-webhook';
import { isAddressOf, readAddress } from '../environments/address-binding';
import { errorsOf } from '../errors-of';
import type { SendingService } from '../sending/create-sending-service';
import { shortenExchange } from '../sending/shorten-exchange';

const LookupsError = errorsOf<'lookups.status'>();

export interface LookupsService {
  handlers: Pick<Handlers, 'lookups.status' | 'webhooks.sendTest'>;
}

export interface LookupsDeps {
  sending: Pick<SendingService, 'send'>;
  environments: { get(id: string): Pick<EnvironmentRecord, 'baseUrl' | 'label'> };
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
      'lookups.status': async ({ environment, product, by, value, sentTo, isForScreen }) => {
        const { baseUrl, label } = environments.get(environment);
        if (environment !== localEnvironmentId) requireSameService(sentTo ?? null, { baseUrl, label });
        const fault = findIdentifierFault(by, value);
        if (fault !== null) {
          const shown = value.slice(0, 60);
          throw new LookupsError('sending.bad_input', `‘${shown}’ is not asked for: ${fault}`, {
            details: { field: by },
          });
        }
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
          headers: [...JSON_HEADERS, ...writeWish(input)],
          body: writeTestBody(input),
        });
      },
    },
  };
}

/**
 * A reference is one payment only within one service: where the environment has moved since, the answer would be of another one.
 *
 * @throws {AppError} `sending.other_service`
 */
function requireSameService(
  sentTo: string | null,
  { baseUrl, label }: Pick<EnvironmentRecord, 'baseUrl' | 'label'>,
): void {
  const [was, now] = [readAddress(sentTo ?? ''), readAddress(baseUrl)];
  if (sentTo === null || was === '' || isAddressOf(sentTo, baseUrl)) return;
  throw new LookupsError(
    'sending.other_service',
    `This payment went to ${was}, and '${label}' is ${now === '' ? 'nowhere' : `at ${now}`} now: what is known there of this reference is of another payment. ` +
      'Nothing was sent. Ask by an environment that has the address it went to, in Lookups.',
    { details: { from: was, to: now } },
  );
}

type TestInput = Parameters<Handlers['webhooks.sendTest']>[0];

/** The address stands first, so that the sandbox finds the webhook's own body behind it. */
function writeTestBody({ callbackUrl, payload }: TestInput): string {
  const { members } = requireObject(payload);
  const rest = members.has('callback_url') ? editTestPayload(payload, { unset: ['callback_url'] }) : payload;
  const inner = rest.slice(rest.indexOf('{') + 1);
  return `{"callback_url":${JSON.stringify(callbackUrl)}${/^\s*\}/.test(inner) ? '' : ','}${inner}`;
}

/** What the sandbox is asked beyond the service's own simulator; no header where there is nothing. */
function writeWish({ isExact, copies, delaySeconds }: TestInput): [string, string][] {
  const wishes = [
    ...(isExact ? ['exact'] : []),
    ...(copies > 1 ? [`copies=${copies}`] : []),
    ...(delaySeconds > 0 ? [`delay=${delaySeconds}`] : []),
  ];
  return wishes.length === 0 ? [] : [['X-Sandbox-Webhook', wishes.join('; ')]];
}
