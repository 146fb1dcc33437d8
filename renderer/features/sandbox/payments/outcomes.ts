export interface Outcome {
  /** Last four digits of the recipient's account. */
  digits: string;
  effect: string;
  /** How it can be asserted. */
  detail: string;
}

/** What a payment comes to in the sandbox, by the last four digits of `recipient.account`. */
export const outcomes: readonly Outcome[] = [
  { digits: '0001', effect: 'Fails', detail: 'accepted, then state failed and webhook FAILED' },
  { digits: '0002', effect: 'Is canceled', detail: 'accepted, then state canceled and webhook CANCELED' },
  { digits: '0003', effect: 'Stays in progress', detail: 'accepted, then processing for good, no webhook' },
  { digits: '0004', effect: 'Is refused', detail: 'HTTP 400 with a field error on recipient.account' },
  { digits: '0005', effect: 'Settles late', detail: 'accepted, final after 30 s' },
  { digits: '0006', effect: 'Tells twice', detail: 'the webhook is delivered twice' },
  { digits: '0007', effect: 'Breaks the server', detail: 'HTTP 500, 400.500' },
  { digits: '0008', effect: 'Is rate limited', detail: 'two answers 429, then accepted' },
  { digits: 'others', effect: 'Succeeds', detail: 'accepted, then state succeeded and webhook SUCCESS' },
];
