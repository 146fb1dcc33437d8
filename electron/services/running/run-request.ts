import type { Exchange } from '@shared/contract/sending';
import { toErrorReply, AppError } from '@shared/errors';
import { isImmediate } from '@shared/expect/expectation';
import { webhookStatuses, isTerminalState } from '@shared/payments/tables/states';
import { isProduct } from '@shared/payments/tables/products';
import type { PlannedRequest, RunRequest } from '@shared/run/plan-run';
import type { ExpectationResult, RequestOutcome, RequestResult } from '@shared/run/run-result';
import { findForeignHost } from '@shared/http-file/host-binding';
import { isNeverSent } from '@shared/payments/payment-outcome';
import { describeResult, readWebhookStatus } from './describe-result';
import { decideResumed, judgeResumed } from './judge-resumed';
import {
  captureAgain,
  captureAnswer,
  captureNothing,
  captureWebhooks,
  createFill,
  listCaptured,
  type CaptureOrigin,
} from './judge-request';
import { digestBody, prepareAttempt, type Attempt } from './prepare-attempt';
import type { InFlight } from './resume-log';
import type { RunContext, RunTurn } from './run-context';
import { resumeInFlight, type Resumed } from './resume-in-flight';
import { noteSent, noteSentBefore } from './last-sent';
import { asksBalance, describeHome, isSameTurn, keyOf, listUsable, rowOf } from './run-facts';
import { sendAttempts, type Sent } from './send-attempts';
import { readBalance, waitForOutcomes, type Waiting } from './wait-outcomes';
import type { WebhookClaim } from './webhook-hub';
import { createRecord } from '@shared/own-value';
import { roundMs } from '@shared/round-ms';

/** A request of a turn, from its first byte to its last webhook. */
export interface RunningRequest {
  /** Its answer is there, or it has none: the next may leave. True: it has failed already, whatever may follow. */
  readonly sent: Promise<boolean>;
  readonly done: Promise<RequestResult>;
  /** Once it is sent: its answer takes so long to be written down now that one which comes meanwhile would be timed too long. */
  isLong(): boolean;
}

/** Masked in some 30 ms. */
const LONG_BYTES = 64 * 1024;

const webhookFinals: readonly string[] = Object.values(webhookStatuses);

const sentAgain =
  'sent again: it was in flight when the run before ended, and no status can be asked for where it is no payment';

/** What comes of an answer is written down while the service works on the next request. */
const letNextLeave = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Runs one request: prepares, sends, judges the answer, waits for what follows.
 *
 * @param ahead - what was prepared of it already
 */
export function startRequest(
  { request }: PlannedRequest,
  context: RunContext,
  turn: RunTurn,
  ahead: Attempt | null,
): RunningRequest {
  const run = new RequestRun(request, context, turn, ahead);
  const sent = run.send();
  return { sent, done: sent.then(letNextLeave).then(() => run.finish()), isLong: () => run.isLong() };
}

class RequestRun {
  private readonly startedAt: number;
  private readonly startedMs: number;
  private readonly title: string;
  private readonly key: string;
  private attempt: Attempt | null = null;
  private claim: WebhookClaim | null = null;
  private balanceBefore: string | null = null;
  private outcome: Sent | null = null;
  private error: { code: string; message: string } | null = null;
  /** Of a request that an earlier run had sent: how its payment stands now. */
  private resumed: Resumed | null = null;
  private reason: string | undefined;

  constructor(
    private readonly request: RunRequest,
    private readonly context: RunContext,
    private readonly turn: RunTurn,
    private readonly ahead: Attempt | null,
  ) {
    const { clock } = context.deps.ports;
    this.startedAt = clock.now();
    this.startedMs = clock.monotonicMs();
    this.title = context.nameResult(nameTitle(request, turn));
    this.key = keyOf(request, context, turn);
  }

  /** Sends it; whatever goes wrong is kept for the result. @returns whether it has failed already */
  async send(): Promise<boolean> {
    this.context.options.onStarted?.(this.title, this.request);
    try {
      const inFlight = this.context.options.resume?.findInFlight(this.key) ?? null;
      const attempt = this.ahead ?? prepareAttempt(this.request, this.context, this.turn, inFlight);
      this.attempt = attempt;
      if (inFlight !== null) requireSameReference(inFlight, attempt);
      if (inFlight !== null && isProduct(attempt.prepared.operation) && attempt.reference !== null) {
        this.claim = this.context.options.hub.claim(attempt.reference);
        this.resumed = await resumeInFlight(this.request, attempt, this.context);
        if (this.resumed !== null) {
          if (this.resumed.paymentUuid !== null) this.claim.identify(this.resumed.paymentUuid);
          captureAgain(this.request, this.turn, this.context.options.resume?.findCaptured(this.key) ?? {});
          noteSentBefore(this.turn, this.request, inFlight.reference);
          return false;
        }
        this.claim.close();
        requireSameBody(inFlight, attempt);
      }
      if (inFlight?.reference === null) this.reason = sentAgain;
      await this.prepareWaits(attempt);
      this.record(attempt, inFlight);
      const fill = createFill(this.request, this.context, this.turn);
      this.outcome = await sendAttempts(this.request, attempt, this.context, this.turn, fill);
      if (this.outcome.answer !== null) this.context.options.resume?.judge(this.key, this.outcome.immediate);
      this.takeAnswer(this.outcome);
      const { error, immediate } = this.outcome;
      return error !== null || immediate.some(({ outcome }) => outcome === 'failed');
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { code, message } = toErrorReply(error);
      this.error = { code, message };
      captureNothing(this.request, this.turn, 'it was not sent');
      return true;
    }
  }

  isLong(): boolean {
    const { expectations } = this.request.directives;
    // Written down once all that it waits for is there: nothing else waits for that.
    if (!expectations.every(({ expectation }) => isImmediate(expectation))) return false;
    return (this.outcome?.exchange?.response?.sizeBytes ?? 0) > LONG_BYTES;
  }

  /** Waits for what follows the answer, and says how it all came out. */
  async finish(): Promise<RequestResult> {
    const { outcome: sent, context } = this;
    const resumed = this.resumed === null ? null : await this.judgeAfter(this.resumed);
    const judged = sent === null ? [] : await this.gather(sent);
    const webhooks = this.claim?.webhooks ?? [];
    if (sent?.exchange) {
      captureWebhooks(this.request, this.turn, webhooks, this.context.secrets);
      if (webhooks.length > 0) this.rememberCaptured();
    }
    this.noteFinal();
    this.claim?.close();
    const error = this.describeError();
    const { outcome, expectations } = resumed ?? {
      outcome: decideOutcome(error !== null, judged),
      expectations: judged,
    };
    context.options.resume?.end(this.key, outcome);
    const { request, turn, title, startedAt } = this;
    const durationMs = roundMs(context.deps.ports.clock.monotonicMs() - this.startedMs);
    const reference = this.attempt?.reference ?? null;
    const told = { error, reason: resumed?.reason ?? this.reason, reference, expectations, webhooks };
    const typed = await this.listTyped();
    return describeResult({ request, turn, title, outcome, startedAt, durationMs, sent, ...told }, [
      ...context.secrets,
      ...turn.secrets,
      ...typed,
    ]);
  }

  private describeError(): { code: string; message: string } | null {
    const error = this.error ?? this.outcome?.error ?? null;
    const hasLeft = (this.outcome?.exchange ?? null) !== null && !isNeverSent(error?.code ?? null);
    if (error === null || this.reason === undefined || !hasLeft) return error;
    return { ...error, message: `${error.message} It was ${this.reason}.` };
  }

  /** What the request was written with: an answer may repeat it, in whatever writing. */
  private async listTyped(): Promise<string[]> {
    if (this.attempt === null) return [];
    const { prepared, body } = this.attempt;
    const { url, headers } = prepared;
    return listUsable(await this.context.deps.listOwnSecrets({ url, headers, body }));
  }

  /** Judges one that an earlier run sent, by what is still to be known of it. */
  private async judgeAfter({ state }: Resumed) {
    const { options } = this.context;
    const { expectations: placed } = this.request.directives;
    const reference = this.attempt?.reference ?? '';
    const earlier = (await options.hub.findEarlier?.(reference)) ?? [];
    const webhooks = this.claim?.listAfter(earlier) ?? earlier;
    captureWebhooks(this.request, this.turn, webhooks, this.context.secrets);
    const expectations = judgeResumed(placed, {
      state,
      webhooks,
      judged: options.resume?.findJudged(this.key) ?? new Map(),
      fill: createFill(this.request, this.context, this.keepValues(placed)),
    });
    const outcome = decideResumed(expectations, state);
    const lost =
      outcome === 'skipped' ? ' What it expects is not judged: the run was cut off after it was sent.' : '';
    const reason = `${reference} was sent by the run before; its state is ${state ?? 'unknown'}. It was not sent again.${lost}`;
    return { outcome, reason, expectations };
  }

  private async prepareWaits({ reference, product, currency }: Attempt): Promise<void> {
    this.claim = this.context.options.hub.claim(reference);
    if (asksBalance(this.request) && product !== null && currency !== null) {
      this.balanceBefore = await readBalance(this.context, product, currency);
    }
  }

  /** Writes down what is about to leave. @throws {AppError} `running.sent_before` */
  private record(attempt: Attempt, inFlight: InFlight | null): void {
    const { reference, prepared } = attempt;
    const { senders, options } = this.context;
    const { resume } = options;
    const known = isProduct(prepared.operation) ? reference : null;
    if (known !== null && known !== '' && this.turn.row !== null) {
      const sender = senders.get(known) ?? resume?.findOwner(known) ?? null;
      if (sender !== null && !isSameTurn(sender, this.key)) throw describeRepeated(known, sender, this.turn);
      senders.set(known, this.key);
    }
    if (inFlight !== null || resume === null) return;
    resume.begin(this.key, { reference: known, draws: prepared.dynamicUsed, body: digestBody(attempt) });
  }

  private takeAnswer({ exchange, answer }: Sent): void {
    if (exchange !== null) this.notePayment(exchange);
    if (answer === null) captureNothing(this.request, this.turn, 'no answer came');
    else captureAnswer(this.request, this.turn, answer, this.describeOrigin());
    this.rememberCaptured();
  }

  private describeOrigin(): CaptureOrigin {
    const { options, secrets } = this.context;
    const asked = this.attempt?.prepared ?? null;
    const isOfService = asked === null || findForeignHost(asked, describeHome(options)) === null;
    return { givenBy: isOfService ? null : asked.url, known: secrets };
  }

  /** A run that goes on with this one has its values, too. */
  private rememberCaptured(): void {
    this.context.options.resume?.capture(this.key, listCaptured(this.request, this.turn));
  }

  private notePayment({ reading, operation, reference }: Exchange): void {
    const paymentUuid = reading?.paymentUuid ?? null;
    if (paymentUuid !== null) this.claim?.identify(paymentUuid);
    if (reference === null || !isProduct(operation)) return;
    noteSent(this.turn, operation, reference);
    // Whether it was taken or not known to be: either may move money.
    const isRefused =
      reading !== null && ['rejected', 'unauthorized', 'rate_limited'].includes(reading.outcome);
    if (!isRefused) this.context.openPayments.set(reference, { product: operation, reference });
  }

  private async gather(sent: Sent): Promise<ExpectationResult[]> {
    const { exchange, immediate } = sent;
    const placed = this.request.directives.expectations;
    if (exchange === null || sent.answer === null || this.claim === null || this.attempt === null) return [];
    const waiting: Waiting = {
      exchange,
      reference: this.attempt.reference ?? exchange.reference,
      product: this.attempt.product,
      currency: this.attempt.currency,
      claim: this.claim,
      balanceBefore: this.balanceBefore,
      fill: createFill(this.request, this.context, this.keepValues(placed)),
    };
    let waited = await waitForOutcomes(placed, waiting, this.context);
    // The payment was taken: it is not sent again, its outcome is waited for again.
    for (let again = sent.attempts; again <= this.context.options.retries; again += 1) {
      if (!waited.some(({ outcome }) => outcome === 'failed') || this.context.options.stop.aborted) break;
      waited = await waitForOutcomes(placed, waiting, this.context);
    }
    return [...immediate, ...waited].toSorted((a, b) => a.line - b.line);
  }

  /** The turn with its values as they are now, where what is waited for is compared with them. */
  private keepValues(placed: RunRequest['directives']['expectations']): RunTurn {
    const isCompared = placed.some(({ text }) => text.includes('{{'));
    return isCompared
      ? { ...this.turn, values: Object.assign(createRecord<string>(), this.turn.values) }
      : this.turn;
  }

  /** A payment that is final moves no more money. */
  private noteFinal(): void {
    const reference = this.outcome?.exchange?.reference ?? null;
    if (reference === null) return;
    const isFinal =
      this.claim?.webhooks.some((webhook) => webhookFinals.includes(readWebhookStatus(webhook) ?? '')) ??
      false;
    if (isFinal || isTerminalState(this.outcome?.exchange?.reading?.state ?? '')) {
      this.context.openPayments.delete(reference);
    }
  }
}

/** Within one row a reference may come again: whoever wrote two requests with it tries what happens then. */
function describeRepeated(reference: string, sender: string, { row, iteration }: RunTurn): AppError {
  const again = iteration > 1 ? ` of iteration ${iteration}` : '';
  return new AppError(
    'running.sent_before',
    `Row ${row?.number ?? 0}${again} has the reference ${reference}, which row ${rowOf(sender)} has sent already. Nothing was sent: give each row a reference of its own.`,
  );
}

/** A value that is another now would make another payment of what may have been paid. @throws {AppError} `running.sent_before` */
function requireSameReference({ reference: before }: InFlight, { prepared, reference }: Attempt): void {
  if (before === null || !isProduct(prepared.operation) || reference === before) return;
  throw new AppError(
    'running.sent_before',
    `The run before sent this as ${before}, and it would leave as ${reference ?? 'a request without a reference'} now. Nothing was sent: give its variables the values that they had.`,
  );
}

/** Under a reference that the service may still come to know, nothing else leaves. @throws {AppError} `running.sent_before` */
function requireSameBody({ reference, body }: InFlight, attempt: Attempt): void {
  if (body === undefined || body === digestBody(attempt)) return;
  throw new AppError(
    'running.sent_before',
    `${reference ?? 'This request'} was in flight when the run before ended, with another body than it would have now. Nothing was sent: give its variables, and the files of its body, back what they had.`,
  );
}

function decideOutcome(hasError: boolean, expectations: readonly ExpectationResult[]): RequestOutcome {
  if (hasError) return 'error';
  if (expectations.some(({ outcome }) => outcome === 'failed')) return 'failed';
  return expectations.some(({ outcome }) => outcome === 'unfinished') ? 'unfinished' : 'passed';
}

/** Names a request within its turn, as reports do. */
export function nameTitle({ name }: RunRequest, { iteration, row }: RunTurn): string {
  const turn = iteration > 1 ? ` (${iteration})` : '';
  return row === null ? `${name}${turn}` : `${name} [${row.name}]${turn}`;
}
