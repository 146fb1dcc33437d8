import { setTimeout as delay } from 'node:timers/promises';
import type { MethodOutput, ParsedInput } from '@shared/contract/contract';
import type { EventBus } from '@shared/contract/events';
import type { AppRun, EndedItem, ItemResult } from '@shared/contract/running';
import { AppError, toErrorReply } from '@shared/errors';
import type { KnownEnvironment } from '@shared/http-file/find-production';
import { joinErrors } from '@shared/joined-errors';
import type { RequestResult, RunSummary } from '@shared/run/run-result';
import { coalesce, type Coalesced } from '../../platform/coalesce';
import type { Ports } from '../../platform/ports';
import type { CollectionsService } from '../collections/create-collections-service';
import type { AskingRequest } from '../sending/find-missing-setup';
import { createFinder, findProduction, planAppRun, requestKey, toItems, type AppPlan } from './plan-app-run';
import { inRenamed, unsent, whetherSent, type KeptRuns } from './kept-runs';
import { refuseFaults } from './refuse-faults';
import type { RunOptions } from './run-context';
import { isLoopback, listRunSecrets, needsWebhooks } from './run-facts';
import { WebhookHub } from './webhook-hub';

interface AppRunsDeps {
  readonly ports: Pick<Ports, 'clock' | 'random'>;
  readonly events: EventBus;
  run(options: RunOptions): Promise<RunSummary>;
  /** Ends what waits for its answer. */
  breakOff(): Promise<void>;
  listEnvironments(): Promise<MethodOutput<'environments.list'>>;
  listProduction(): Promise<readonly KnownEnvironment[]>;
  /** As `RunningService` has it. */
  findMissingSetUp(environment: string, requests: readonly AskingRequest[]): Promise<AppError[]>;
  readonly kept: Pick<KeptRuns, 'keep' | 'read' | 'readLatest' | 'renameEnvironment'>;
  follow(hub: WebhookHub): Promise<() => void>;
  collections(): Promise<Pick<CollectionsService, 'get'>>;
}

/** A run of the app as it goes on. */
interface RunUnderWay {
  shown: AppRun;
  readonly startedMs: number;
  readonly stop: AbortController;
  /** By file and line, as results have it. */
  readonly places: ReadonlyMap<string, number>;
  /** Places of those that were sent and have no outcome yet. */
  readonly underWay: Set<number>;
  /** Ended since the last event. */
  fresh: ItemResult[];
  readonly tell: Coalesced;
  readonly keep: Coalesced;
  done: Promise<void>;
}

/** Events of a run come no quicker than a window draws them with ease. */
const tellEveryMs = 100;
/** What a crash takes with it is not more than this: of many requests, whose file takes longer to write, a little more. */
const keepEveryMs = (count: number): number => (count <= 200 ? 500 : 5000);
const questionsAtOnce = 8;
/** The end of the app waits no longer: whoever asked for it ends it by force after three seconds. */
const answerMs = 1000;
const restMs = 500;

const placeKey = (file: string, line: number): string => `${line}:${file}`;

/** What takes a tenth of a second to read: the app answers nobody else meanwhile. */
const mostJudgedBytes = 2 * 1024 * 1024;

/** What the user said of a run as it was begun. */
type RunWord = Pick<RunOptions, 'isBail' | 'production'>;

/** Runs collections for the app: one run at a time, by the engine of `countersign run`. */
export class AppRuns {
  private current: RunUnderWay | null = null;
  private isStarting = false;

  constructor(private readonly deps: AppRunsDeps) {}

  /** @throws {AppError} `keys.*`, `tokens.no_credentials`, `vault.*` where the environment lacks what requests ask for */
  async plan(subject: ParsedInput<'running.plan'>): Promise<MethodOutput<'running.plan'>> {
    const read = await this.read(subject);
    const { plan, lacking } = read;
    const faults = plan.faults.map(({ file, line, message }) => ({ path: file, line, message }));
    const lack = joinErrors(lacking);
    if (lack !== null && faults.length === 0) throw lack;
    return {
      items: toItems(plan),
      faults: [...faults, ...lacking.map(({ message }) => ({ path: '', line: 0, message }))],
      production: findProduction(read)?.asked ?? null,
    };
  }

  /** @throws {AppError} `running.under_way`, `running.not_confirmed`, `running.bad_file`, `running.nothing` */
  async start({ confirmation, mark, isBail, ...subject }: ParsedInput<'running.start'>): Promise<AppRun> {
    if (this.isStarting || (this.current !== null && this.current.shown.state !== 'over')) {
      throw new AppError('running.under_way', 'A run is under way. Wait for its end, or cancel it.');
    }
    this.isStarting = true;
    try {
      const read = await this.read(subject);
      refuseFaults(read.plan.faults, read.lacking);
      const production = requireConfirmed(read, { confirmation, mark });
      this.current = await this.begin(subject, read, { isBail, production });
      return this.get() ?? this.current.shown;
    } finally {
      this.isStarting = false;
    }
  }

  cancel(id: string): Record<string, never> {
    const { current } = this;
    if (current === null || current.shown.id !== id || current.shown.state !== 'running') return {};
    current.shown = { ...current.shown, state: 'stopping' };
    current.stop.abort();
    current.tell.ask();
    return {};
  }

  /** The run under way or the last, of a collection or of any. */
  get(collectionId?: string): AppRun | null {
    const shown = this.current?.shown ?? null;
    if (shown !== null && (collectionId ?? shown.subject.collectionId) === shown.subject.collectionId)
      return { ...shown, results: [...shown.results] };
    return collectionId === undefined ? this.deps.kept.readLatest() : this.deps.kept.read(collectionId);
  }

  /** Has the last runs be of an environment that got another name: they are run again in it. */
  renameEnvironment(from: string, to: string): void {
    const { current } = this;
    if (current !== null) current.shown = inRenamed(current.shown, from, to);
    this.deps.kept.renameEnvironment(from, to);
  }

  /** Ends the run under way: what is sent has a moment for its answer, and is broken off then. */
  async close(): Promise<void> {
    if (this.current === null) return;
    const { done, shown } = this.current;
    this.cancel(shown.id);
    const ended = done.then(() => true);
    if (await Promise.race([ended, delay(answerMs, false, { ref: false })])) return;
    await this.deps.breakOff();
    await Promise.race([ended, delay(restMs, false, { ref: false })]);
  }

  private async read(
    subject: ParsedInput<'running.plan'>,
  ): Promise<AppPlan & { lacking: readonly AppError[] }> {
    const { environments, shared = [] } = await this.deps.listEnvironments();
    const found = environments.find(({ id }) => id === subject.environment);
    if (found === undefined) {
      throw new AppError('environments.unknown', 'There is no such environment any more. Choose another.');
    }
    const collection = (await this.deps.collections()).get(subject.collectionId);
    const behind = shared.find(({ collectionId }) => collectionId === collection.id)?.variables;
    const environment = { ...found, variables: { ...behind, ...found.variables } };
    const { prepared, ...plan } = await planAppRun(collection, subject, { environment, environments });
    const lacking = await this.deps.findMissingSetUp(environment.id, prepared);
    const all = [...environments, ...(await this.deps.listProduction())];
    return { environment, plan, lacking, all };
  }

  private async begin(
    subject: AppRun['subject'],
    { plan, environment }: AppPlan,
    word: RunWord,
  ): Promise<RunUnderWay> {
    const { clock, random } = this.deps.ports;
    const hub = new WebhookHub();
    const stopFollowing = needsWebhooks(plan) ? await this.deps.follow(hub) : null;
    const items = toItems(plan);
    const run: RunUnderWay = {
      shown: {
        id: random.uuid(),
        subject,
        startedAt: clock.now(),
        durationMs: 0,
        state: 'running',
        items,
        results: [],
        kept: listKept(this.get(subject.collectionId), subject, items, createFinder(plan.files)),
        leftOut: 0,
        keepFault: null,
      },
      startedMs: clock.monotonicMs(),
      stop: new AbortController(),
      places: new Map(items.map(({ path, line }, place) => [placeKey(path, line), place])),
      underWay: new Set(),
      fresh: [],
      tell: coalesce(() => this.tell(run), { everyMs: tellEveryMs }),
      keep: coalesce(() => this.keep(run), { everyMs: keepEveryMs(items.length) }),
      done: Promise.resolve(),
    };
    run.done = this.deps
      .run(this.describeOptions({ plan, environment }, run, hub, word))
      .then(({ fault }) => {
        if (fault !== undefined) throw new AppError('running.bad_data', fault);
      })
      .catch((error: unknown) => failRest(run, error))
      .then(() => {
        stopFollowing?.();
        run.underWay.clear();
        // What is told now is all: nothing of this run comes once the next may have begun.
        run.tell.cancel();
        run.keep.cancel();
        run.shown = { ...run.shown, state: 'over', durationMs: clock.monotonicMs() - run.startedMs };
        this.keep(run);
        this.tell(run);
      });
    return run;
  }

  private describeOptions(
    { plan, environment }: Pick<AppPlan, 'plan' | 'environment'>,
    run: RunUnderWay,
    hub: WebhookHub,
    word: RunWord,
  ): RunOptions {
    const placeOf = ({ file, line }: { file: string; line: number }): number =>
      run.places.get(placeKey(file, line)) ?? 0;
    return {
      requests: plan.requests,
      bodyFiles: plan.bodyFiles,
      environment: {
        id: environment.id,
        label: environment.label,
        variables: environment.variables,
        destination: environment,
        isLoopback: isLoopback(environment.baseUrl),
        lastReferences: environment.lastReferences,
      },
      given: environment.session,
      allowHosts: [],
      ...word,
      jobs: questionsAtOnce,
      mostJudgedBytes,
      retries: 0,
      iterations: 1,
      delayMs: 0,
      rows: null,
      resume: null,
      hub,
      secrets: listRunSecrets(environment, environment.session, []),
      stop: run.stop.signal,
      onStarted: (_title, { file, block }) => {
        run.underWay.add(placeOf({ file, line: block.line }));
        run.tell.ask();
        run.keep.ask();
      },
      onResult: (result) => {
        const place = placeOf(result);
        run.underWay.delete(place);
        noteResult(run, toItemResult(result, place));
      },
    };
  }

  /** A run that cannot be kept goes on, and says so. */
  private keep(run: RunUnderWay): void {
    try {
      this.deps.kept.keep(run.shown);
      run.shown = { ...run.shown, keepFault: null };
    } catch (error) {
      run.shown = { ...run.shown, keepFault: toErrorReply(error).message };
    }
  }

  private tell(run: RunUnderWay): void {
    const { id, state, durationMs } = run.shown;
    const results = run.fresh;
    run.fresh = [];
    const elapsedMs = this.deps.ports.clock.monotonicMs() - run.startedMs;
    this.deps.events.emit('running.changed', {
      id,
      state,
      durationMs: state === 'over' ? durationMs : elapsedMs,
      results,
      underWay: [...run.underWay],
    });
  }
}

function noteResult(run: RunUnderWay, result: ItemResult): void {
  run.shown.results.push(result);
  run.fresh.push(result);
  run.tell.ask();
  run.keep.ask();
}

/** Where a part of a run is sent again: what came of the rest. */
function listKept(
  before: AppRun | null,
  { only, environment, path }: AppRun['subject'],
  items: AppRun['items'],
  findNow: ReturnType<typeof createFinder>,
): EndedItem[] {
  if (only === null || before === null) return [];
  if (before.subject.environment !== environment || before.subject.path !== path) return [];
  const again = new Set<string | null>(items.map(requestKey));
  const results = new Map(before.results.map((result) => [result.place, result]));
  const ended = before.items.map((item, place) => ({ item, result: results.get(place) ?? null }));
  return [...ended, ...before.kept].filter(({ item }) => !again.has(findNow(item)));
}

/** What the engine did not foresee ends the run; those without an outcome say why, and none under way is called unsent. */
function failRest(run: RunUnderWay, error: unknown): void {
  const { code, message } = toErrorReply(error);
  const known = new Set(run.shown.results.map(({ place }) => place));
  for (const place of run.shown.items.keys()) {
    if (known.has(place)) continue;
    const rest = { ...unsent, place, errorCode: code };
    const result: ItemResult = run.underWay.has(place)
      ? { ...rest, outcome: 'unfinished', reason: `${message} ${whetherSent}` }
      : { ...rest, reason: message };
    noteResult(run, result);
  }
}

function toItemResult(result: RequestResult, place: number): ItemResult {
  const { outcome, reason, errorCode, reference, attempts, durationMs, expectations, exchange } = result;
  return {
    place,
    outcome,
    reason,
    errorCode,
    reference,
    attempts,
    durationMs,
    expectations: [...expectations],
    httpStatus: exchange?.httpStatus ?? null,
    summary: exchange?.summary ?? '',
    later: result.later,
    exchangeId: exchange?.id ?? null,
    webhookIds: result.webhooks.map(({ id }) => id),
  };
}

/**
 * Refuses what the command line refuses before it sends, and production without its name.
 *
 * @returns id of the production environment whose name was typed
 */
function requireConfirmed(
  read: AppPlan,
  { confirmation, mark }: Pick<ParsedInput<'running.start'>, 'confirmation' | 'mark'>,
): string | undefined {
  const { plan } = read;
  if (plan.requests.length === 0) {
    throw new AppError('running.nothing', 'There is no request to run here. Nothing was sent.');
  }
  const found = findProduction(read);
  if (found === null) return undefined;
  const { id, name } = found.live;
  if (confirmation === name && mark !== undefined && mark !== found.asked.mark) {
    throw new AppError(
      'running.not_confirmed',
      `What would go to '${name}' is not what was shown: files or values were changed meanwhile. Nothing was sent. Close this and run it again: it shows what they are now.`,
    );
  }
  if (confirmation === name) return id;
  throw new AppError(
    'running.not_confirmed',
    `'${name}' is production: what is run there really happens. Type its name exactly to run it; nothing was sent.`,
  );
}
