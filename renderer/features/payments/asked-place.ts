import { localEnvironmentId, readEnvironmentName } from '@shared/contract/environment-id';
import type { Environment } from '@shared/contract/environments';
import type { JourneySummary } from '@shared/contract/journey';
import { originOf } from '../../session/environments';

type Place = Pick<JourneySummary['sentTo'][number], 'environment' | 'service'>;
type Sent<P extends Place = Place> = Pick<JourneySummary, 'environment'> & { readonly sentTo: readonly P[] };

/** Who is asked for the status of a payment: the place that it went to. @param service - null: the one that has it */
export function findAskedPlace<P extends Place>(
  { environment, sentTo }: Sent<P>,
  service: string | null,
): P | undefined {
  return sentTo.find((one) => (service === null ? one.environment === environment : one.service === service));
}

/**
 * Says why nobody would be asked for the status of a payment, before a button offers it.
 *
 * @param environments - as they are now; none are not read yet
 * @returns null: its environment is where the payment went, as far as is known
 */
export function whyNotAsked(
  payment: Sent,
  service: string | null,
  environments: readonly Pick<Environment, 'id' | 'name' | 'label' | 'baseUrl'>[],
): string | null {
  const place = findAskedPlace(payment, service);
  const environment = place?.environment ?? payment.environment;
  if (environment === localEnvironmentId || environments.length === 0) return null;
  const now = environments.find(({ id, name }) => id === environment || name === environment);
  const went = originOf(service ?? place?.service ?? '');
  if (now === undefined) {
    const where = went === null ? 'that has its address' : `that has ${went}`;
    return `There is no environment “${readEnvironmentName(environment)}” any more: ask by one ${where}.`;
  }
  const at = originOf(now.baseUrl);
  if (went === null || went === at) return null;
  return `It went to ${went}, and “${now.label}” is ${at === null ? 'nowhere' : `at ${at}`} now: ask by an environment that has the address it went to.`;
}
