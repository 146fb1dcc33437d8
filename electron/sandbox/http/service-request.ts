/** One request of which the body has been read. */
export interface ServiceRequest {
  /** Also what `X-Request-Id` and `request_uuid` are. */
  readonly id: string;
  /** What `payment_uuid` becomes. */
  readonly number: number;
  readonly host: string | undefined;
  readonly query: string;
  readonly authorization: string | undefined;
  readonly signature: string | undefined;
  /** `X-Sandbox-Outcome`: what becomes of the payment, whatever its account says. */
  readonly outcome: string | undefined;
  /** The body as received, decoded. */
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
}
