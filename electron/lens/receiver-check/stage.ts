import { isDeepStrictEqual } from 'node:util';
import { cutMasked } from '@shared/cut-masked';
import { maskSecrets } from '@shared/mask-secrets';
import { describeStateChange } from '@shared/receiver-check/describe-change';
import { createHiding, type Hide } from '../../platform/mask-message';
import type { OwnEffects } from './own-effects';
import { writeDeliveryHeaders, type PlayedWebhook, type SignatureForm } from './played-webhook';
import { postWebhook, TLS_HINT, type ReceiverAnswer, type SendingManner } from './post-webhook';
import type { ReceiverState } from './receiver-state';

/** A webhook that a receiver did not take, though its signature is right. */
export interface Refused {
  readonly webhook: PlayedWebhook;
  /** It was answered as one refuses a signature; else as code is answered for that throws, or by a status of its own. */
  readonly isRefusal: boolean;
}

/** What a receiver did wrong: one sentence. */
export class ReceiverFault extends Error {
  constructor(
    message: string,
    readonly refused: Refused | null = null,
  ) {
    super(message);
  }
}

export interface StageOptions {
  readonly url: URL;
  readonly secret: string | null;
  /** Null: nobody asked the receiver for its state, and its answers are all that is judged. */
  readonly state: ReceiverState | null;
  readonly timeoutMs: number;
  /** Waits before each attempt of a delivery that is tried again, milliseconds. */
  readonly retryWaitsMs: readonly number[];
  /** Cuts what is under way. */
  readonly signal?: AbortSignal;
}

export type DeliveryManner = SendingManner & { readonly signature?: SignatureForm };

/** Where one scenario is played: sends, reads the state, and keeps how slow the slowest answer was. */
export class Stage {
  slowestMs = 0;
  /** The state changed all the time: a change of it need not come from a webhook. */
  isRestless = false;

  /** Something of another payment came or changed in the state meanwhile, which need not be the receiver's fault. */
  isDisturbed = false;

  /** One that is signed right was taken: what is refused afterwards is not refused for the secret. */
  hasTakenRight = false;

  /** The state did not show even the first webhook: it can show no second effect. */
  isUnmoved = false;

  private lastState: unknown;
  private lastSent: PlayedWebhook | null = null;

  /** Takes out of what the receiver says what must not be shown: it knows the secret, too. */
  private readonly hide: Hide;

  /** @param effects - of the whole check: what an earlier scenario did may be seen late */
  constructor(
    readonly options: StageOptions,
    private readonly effects: OwnEffects,
  ) {
    const key = options.secret?.replace(/^whs(?:ec|k)_/, '') ?? '';
    this.hide = createHiding([options.secret ?? '', key, Buffer.from(key, 'base64').toString('hex')]);
  }

  get hasState(): boolean {
    return this.options.state !== null;
  }

  async send(
    webhook: PlayedWebhook,
    { signature = 'right', ...manner }: DeliveryManner = {},
  ): Promise<ReceiverAnswer> {
    const { url, secret, timeoutMs, signal } = this.options;
    const headers = writeDeliveryHeaders(webhook, secret, signature);
    const body = Buffer.from(webhook.body);
    this.effects.note(webhook);
    this.lastSent = webhook;
    const sent = await postWebhook(url, { headers, body }, timeoutMs, {
      ...manner,
      hide: this.hide,
      ...(signal && { signal }),
    });
    this.effects.hasAnswered ||= sent.httpStatus !== null;
    const error = this.effects.hasAnswered ? (sent.error?.replace(TLS_HINT, '') ?? null) : sent.error;
    const answer = { ...sent, error };
    this.slowestMs = Math.max(this.slowestMs, answer.elapsedMs);
    this.hasTakenRight ||= secret !== null && signature === 'right' && isTaken(answer);
    return answer;
  }

  /** Sends a webhook that has to be taken. @throws {ReceiverFault} where it is not answered 2xx */
  async deliver(webhook: PlayedWebhook, what: string, manner: DeliveryManner = {}): Promise<ReceiverAnswer> {
    const answer = await this.send(webhook, manner);
    this.expectTaken(answer, what, manner.signature);
    return answer;
  }

  /** @throws {ReceiverFault} where a webhook was not answered 2xx; where it may be its signature, that it is right */
  expectTaken(answer: ReceiverAnswer, what: string, signature: SignatureForm = 'right'): void {
    const isRefusal = refusals.has(answer.httpStatus);
    const mayBeSignature = this.options.secret !== null && (isRefusal || failures.has(answer.httpStatus));
    const webhook = mayBeSignature && signature === 'right' ? this.lastSent : null;
    const hint = mayBeSignature && this.hasTakenRight ? (signed[signature] ?? '') : '';
    expectTaken(answer, what, hint, webhook && { webhook, isRefusal });
  }

  /** The receiver's state once it rests; undefined where nobody may ask for it. */
  async readState(): Promise<unknown> {
    const { state } = this.options;
    const read = await state?.readSettled();
    this.isRestless ||= state?.isRestless === true;
    this.isDisturbed ||= this.lastState !== undefined && this.effects.isDisturbed(this.lastState, read);
    this.lastState = read;
    return read;
  }

  /** @throws {ReceiverFault} where the state is no longer what it was */
  async expectSameState(before: unknown, what: string): Promise<void> {
    const after = await this.readState();
    if (!isDeepStrictEqual(before, after))
      throw new ReceiverFault(`${what}: ${this.describeChange(before, after)}.`);
  }

  describeChange(before: unknown, after: unknown): string {
    return describeStateChange(before, after, this.hide);
  }
}

export const isTaken = ({ httpStatus }: Pick<ReceiverAnswer, 'httpStatus'>): boolean =>
  httpStatus !== null && httpStatus >= 200 && httpStatus <= 299;

/** What a handler answers to a signature that it takes for wrong. */
const refusals: ReadonlySet<number | null> = new Set([400, 401, 403]);

/** What is answered where verifying throws, and nobody catches it. */
const failures: ReadonlySet<number | null> = new Set([422, 500]);

const signed: Readonly<Partial<Record<SignatureForm, string>>> = {
  rotated: rotatedHint('second'),
  'rotated-last': rotatedHint('first'),
};

function rotatedHint(which: string): string {
  return ` Two signatures stand in its webhook-signature, parted by a blank, and the ${which} of them is right: try each.`;
}

/** A status with the answer's own words: they tell what no status does, such as which of two keys a handler lacks. */
export const describeStatus = ({ httpStatus, quote }: Pick<ReceiverAnswer, 'httpStatus' | 'quote'>): string =>
  quote === '' ? String(httpStatus) : `${httpStatus} (${quote})`;

/** What a status says of itself. */
const hints: Readonly<Record<number, string>> = {
  403: ' It may be refused before the handler sees it: by a protection of forms (CSRF), from which a webhook has to be exempt, or by a list of addresses.',
  404: ' Nothing is there by that path (look at the address), or the handler knows no such payment: it has to answer 2xx to one that it does not know, too.',
  405: ' There it takes no POST: look at the address and the route.',
  413: ' It takes no body of that size: raise the limit of the handler, and of the proxy in front of it.',
  415: ' It takes no body of that Content-Type: webhooks are application/json.',
};

function expectTaken(
  { httpStatus, error, location, quote }: ReceiverAnswer,
  what: string,
  hint: string,
  refused: Refused | null,
): void {
  if (httpStatus === null)
    throw new ReceiverFault(`${what} got no answer: ${error ?? 'the connection failed'}.`);
  if (isTaken({ httpStatus })) return;
  if (location !== null && httpStatus >= 300 && httpStatus <= 399) {
    throw new ReceiverFault(
      `${what} was answered ${httpStatus}, a redirect to ${cut(location)}: the service follows none. Give the final address as callback_url.`,
    );
  }
  throw new ReceiverFault(
    `${what} was answered ${describeStatus({ httpStatus, quote })}: the service takes that for a failure and sends it again.${hint || (refused === null && hints[httpStatus]) || ''}`,
    refused,
  );
}

const MOST_SHOWN = 160;

const cut = (text: string): string => cutMasked(text, maskSecrets, MOST_SHOWN);
