import { isTerminalState, paymentStates, readWebhookState } from '../payments/tables/states';

/** Of a payment with more webhooks the last are told. */
const mostWords = 4;

/**
 * Says what a payment came to after its answer: states on the way, what its webhooks told, its end.
 *
 * Which of a webhook and the status query was first nobody knows, so what both told stands once.
 * @param asked - what status queries told; what is no state says why none was told, and stands elsewhere
 * @param statuses - of its webhooks, as they came; null: one had none
 * @returns null: nothing told of one
 */
export function describeLater(asked: readonly string[], statuses: readonly (string | null)[]): string | null {
  const states = asked.filter((text) => paymentStates.some((state) => state === text));
  const words = [
    ...states.filter((state) => !isTerminalState(state)),
    ...statuses.flatMap((status) => readWebhookState(status) ?? status ?? []),
    ...states.filter(isTerminalState),
  ];
  const told = [...new Set(words)].filter((word) => word !== '').slice(-mostWords);
  return told.length === 0 ? null : told.join(', ');
}
