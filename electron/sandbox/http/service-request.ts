/** One request of which the body has been read. */
export interface ServiceRequest {
  /** Also what `X-Request-Id` and `request_uuid` are. */
  readonly id: string;
  /** What `payment_uuid` becomes. */
  readonly number: number;
  /** Where it has reached the sandbox, as `https://host`. */
  readOrigin(): string;
  readonly query: string;
  readonly authorization: string | undefined;
  readonly signature: string | undefined;
  /** What to say where there is none. */
  describeNoSignature(): string;
  /** `X-Sandbox-Outcome`: what becomes of the payment, whatever its account says. */
  readonly outcome: string | undefined;
  /** `X-Sandbox-Webhook`: how a test webhook is sent beyond what the service's simulator does. */
  readonly webhookWish: string | undefined;
  /** The body as received, decoded. */
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
}
