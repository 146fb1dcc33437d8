import { exitRank } from './exit-rank';
import { AppError } from '@shared/errors';
import { listSecretValues } from '@shared/http-file/secret-values';
import { isTerminalState } from '@shared/payments/tables/states';
import type { PlannedRequest } from '@shared/run/plan-run';
import {
  describeSkipped,
  RunCounter,
  type RequestOutcome,
  type RequestResult,
  type RunSummary,
} from '@shared/run/run-result';
import { describeResult } from './describe-result';
import { captureAgain, captureNothing } from './judge-request';
import { noteSentBefore } from './last-sent';
import { createLimiter, pause } from './limiter';
import { findChangedFile } from './prepare-attempt';
import { createAhead, type AheadRequest } from './prepare-ahead';
import type { DataRow, RunContext, RunDeps, RunOptions, RunTurn } from './run-context';
import { asksBalance, keyOf, listComing } from './run-facts';
import { nameTitle, startRequest, type RunningRequest } from './run-request';
import { createRecord } from '@shared/own-value';
import { roundMs } from '@shared/round-ms';

/** So many requests may wait for each one that asks: they cost nothing but memory. */
const waitingPerJob = 32;
/** Before a balance is looked at, the payments of this run are given so long to become final. */
const settleMs = 120_000;

/**
 * Runs requests: sends them in order, one after the other, and lets what they wait for overlap.
 *
 * One that looks at a balance runs alone, once the payments before it are final.
 */
export async function runRequests(deps: RunDeps, options: RunOptions): Promise<RunSummary> {
  return new Run(deps, options).run();
}

/** The requests of one turn, as far as they have begun. */
interface TurnState {
  readonly turn: RunTurn;
  readonly outcomes: (Promise<RequestOutcome> | undefined)[];
  /** Something of it was sent, or told. */
  isBegun: boolean;
}

class Run {
  private readonly context: RunContext;
  private readonly ahead: AheadRequest;
  private readonly counter = new RunCounter();
  private readonly underWay = new Set<Promise<unknown>>();
  private readonly titles = new Map<string, number>();
  private readonly startedAt: number;
  private readonly startedMs: number;
  private worstError: RunSummary['worstError'] = 0;
  private hasFailed = false;
  private isCut = false;
  private fault: string | null = null;
  private isFirst = true;
  private isComplete = true;
  private turnsBegun = 0;

  constructor(
    deps: RunDeps,
    private readonly options: RunOptions,
  ) {
    this.startedAt = deps.ports.clock.now();
    this.startedMs = deps.ports.clock.monotonicMs();
    this.context = {
      deps,
      options,
      polls: createLimiter(options.jobs),
      secrets: [...options.secrets],
      openPayments: new Map(),
      unsettled: [],
      coming: listComing(options.requests, options.given),
      places: new Map(options.requests.map(({ request }, place) => [request, place])),
      senders: new Map(),
      usedProducts: new Set(),
      nameResult: (name) => {
        const count = (this.titles.get(name) ?? 0) + 1;
        this.titles.set(name, count);
        return count === 1 ? name : `${name} #${count}`;
      },
    };
    this.ahead = createAhead(this.context);
  }

  async run(): Promise<RunSummary> {
    for (let iteration = 1; iteration <= this.options.iterations && !this.isOver(); iteration += 1)
      await this.runIteration(iteration);
    await Promise.all(this.underWay);
    const { counts, expectations, withoutExpectations } = this.counter;
    const { rows, requests, iterations } = this.options;
    const turns = (rows?.rowCount ?? 1) * iterations;
    const noted = Object.values(counts).reduce((sum, count) => sum + count, 0);
    return {
      startedAt: this.startedAt,
      durationMs: roundMs(this.context.deps.ports.clock.monotonicMs() - this.startedMs),
      counts,
      expectations,
      withoutExpectations,
      isComplete: this.isComplete,
      notSent: requests.length * turns - noted,
      rows: rows === null ? null : { all: turns, notBegun: turns - this.turnsBegun },
      ...(this.fault !== null && { fault: this.fault }),
      isInterrupted: this.isCut,
      worstError: this.worstError,
    };
  }

  private async runIteration(iteration: number): Promise<void> {
    const rows = this.options.rows?.rows()[Symbol.asyncIterator]() ?? oneTurn();
    for (let row = await this.readNext(rows); row !== undefined; row = await this.readNext(rows)) {
      if (this.isOver()) break;
      const values = this.startValues(row);
      const secrets = listSecretValues(row?.values ?? {});
      const { given } = this.options;
      const secretCaptures = new Map();
      const taken = { missed: new Map(), secrets, secretCaptures, lastSent: null };
      await this.runTurn({ iteration, row, values, given, ...taken });
    }
    await rows.return?.(undefined);
  }

  /** Undefined: there is none any more, or none that can be read: what was sent before it is reported all the same. */
  private async readNext(rows: AsyncIterator<DataRow | null>): Promise<DataRow | null | undefined> {
    try {
      const next = await rows.next();
      return next.done === true ? undefined : next.value;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.fault = error.message;
      this.isComplete = false;
      return undefined;
    }
  }

  private startValues(row: DataRow | null): Record<string, string> {
    const cells = Object.entries(row?.values ?? {}).map(([name, value]) => [`row.${name}`, value] as const);
    return Object.assign(createRecord<string>(), Object.fromEntries(cells), this.options.given);
  }

  private isOver(): boolean {
    if (this.options.stop.aborted) this.isCut = true;
    const isOver = this.isCut || this.fault !== null || (this.options.isBail && this.hasFailed);
    if (isOver) this.isComplete = false;
    return isOver;
  }

  private async runTurn(turn: RunTurn): Promise<void> {
    const state: TurnState = { turn, outcomes: [], isBegun: false };
    for (const [index, planned] of this.options.requests.entries()) {
      if (this.isOver()) return;
      await this.runNext(planned, index, state);
      if (!state.isBegun && state.outcomes[index] !== undefined) {
        state.isBegun = true;
        this.turnsBegun += 1;
      }
    }
  }

  private async runNext(
    planned: PlannedRequest,
    index: number,
    { turn, outcomes }: TurnState,
  ): Promise<void> {
    const { request } = planned;
    await Promise.all(planned.waitsFor.map((place) => outcomes[place]));
    const key = keyOf(request, this.context, turn);
    const before = this.options.resume?.findOutcome(key) ?? null;
    if (before !== null) {
      // It has its final outcome from the run that this one goes on with.
      captureAgain(request, turn, this.options.resume?.findCaptured(key) ?? {});
      noteSentBefore(turn, request, this.options.resume?.findInFlight(key)?.reference ?? null);
      const result = this.describeUnsent(planned, turn, before, 'done by the run before');
      outcomes[index] = Promise.resolve(this.note(result, { isOfBefore: true }));
      return;
    }
    const why = request.directives.skip ?? (await this.findMissing(planned, outcomes));
    if (why !== null) {
      captureNothing(request, turn, 'it was skipped');
      outcomes[index] = Promise.resolve(this.note(this.describeUnsent(planned, turn, 'skipped', why)));
      return;
    }
    const isAlone = asksBalance(request);
    if (isAlone) await this.settle();
    await this.makeRoom();
    if (!this.isFirst && this.options.delayMs > 0) await pause(this.options.delayMs, this.options.stop);
    this.isFirst = false;
    this.fault ??= findChangedFile(request, this.options.bodyFiles);
    if (this.isOver()) return;
    const running = startRequest(planned, this.context, turn, this.ahead.take(planned, turn));
    const next = this.options.requests[index + 1];
    if (next !== undefined) this.ahead.prepareSoon(next, turn);
    const done = running.done.then((result) => this.note(result));
    outcomes[index] = done;
    this.underWay.add(done);
    void done.finally(() => this.underWay.delete(done)).catch(() => undefined);
    if (await running.sent) this.hasFailed = true;
    if (isAlone || this.isOneByOne(running)) await done;
  }

  private isOneByOne(running: RunningRequest): boolean {
    return this.options.jobs === 1 || running.isLong();
  }

  /** Why a request cannot be run for one that it depends on; null: all of them passed. */
  private async findMissing(
    planned: PlannedRequest,
    outcomes: TurnState['outcomes'],
  ): Promise<string | null> {
    for (const place of planned.dependsOn) {
      const outcome = await outcomes[place];
      if (outcome === 'passed') continue;
      const { name } = this.options.requests[place]!.request;
      const how = outcome === 'skipped' ? 'was skipped' : 'did not pass';
      return describeSkipped(name, how);
    }
    return null;
  }

  private async makeRoom(): Promise<void> {
    const most = this.options.jobs === 1 ? 1 : this.options.jobs * waitingPerJob;
    while (this.underWay.size >= most) await Promise.race(this.underWay);
  }

  /** Waits until nothing of this run moves money any more, or for so long; what may still do is noted. */
  private async settle(): Promise<void> {
    await Promise.all(this.underWay);
    const { deps, openPayments } = this.context;
    const { environment, stop } = this.options;
    const end = deps.ports.clock.monotonicMs() + settleMs;
    for (const { reference, product } of openPayments.values()) {
      let isOver = false;
      while (!stop.aborted && deps.ports.clock.monotonicMs() < end) {
        const asked = await this.askState(reference, product);
        const state = asked?.state ?? null;
        isOver = asked?.isFound === false || isTerminalState(state ?? '');
        if (isOver || state === null) break;
        await pause(environment.isLoopback ? 250 : 1000, stop);
      }
      if (!isOver) this.context.unsettled.push(reference);
      openPayments.delete(reference);
    }
  }

  private askState(value: string, product: Parameters<RunDeps['lookUp']>[0]['product']) {
    const environment = this.options.environment.id;
    return this.context.deps
      .lookUp({ environment, product, by: 'transaction_reference', value })
      .catch((error: unknown) => {
        if (error instanceof AppError) return null;
        throw error;
      });
  }

  private describeUnsent(
    { request }: PlannedRequest,
    turn: RunTurn,
    outcome: RequestOutcome,
    reason: string,
  ): RequestResult {
    const title = this.context.nameResult(nameTitle(request, turn));
    const startedAt = this.context.deps.ports.clock.now();
    return describeResult(
      { request, turn, title, outcome, startedAt, durationMs: 0, sent: null, reason, expectations: [] },
      [...this.context.secrets, ...turn.secrets],
    );
  }

  private note(result: RequestResult, { isOfBefore = false } = {}): RequestOutcome {
    this.counter.add(result);
    // What failed in the run before ended that one: else none that was ended by --bail could be gone on with.
    if (!isOfBefore && (result.outcome === 'failed' || result.outcome === 'error')) this.hasFailed = true;
    if (this.options.stop.aborted && isCutShort(result, this.options)) this.isCut = true;
    if (result.outcome === 'error') this.worstError = exitRank(this.worstError, result.errorCode ?? '');
    this.options.onResult(result);
    return result.outcome;
  }
}

/** Tells, of a run that somebody ended, whether more would have come of a request: what it waited for, or another attempt. */
function isCutShort(
  { outcome, expectations, errorCode, attempts }: RequestResult,
  { retries }: Pick<RunOptions, 'retries'>,
): boolean {
  const isUntold = outcome === 'unfinished' || expectations.some((one) => one.outcome === 'unfinished');
  const mayGoAgain = (outcome === 'failed' || outcome === 'error') && attempts <= retries;
  return isUntold || errorCode === 'running.stopped' || (retries > 0 && mayGoAgain);
}

async function* oneTurn(): AsyncGenerator<null> {
  yield null;
}
