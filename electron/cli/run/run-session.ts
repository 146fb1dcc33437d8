import { dirname, join, resolve } from 'node:path';
import { localEnvironmentId } from '@shared/contract/environment-id';
import type { Environment } from '@shared/contract/environments';
import type { KnownEnvironment } from '@shared/http-file/find-production';
import { AppError } from '@shared/errors';
import { findMissingValues, foresee, type ForeseenRequest } from '@shared/run/find-missing-values';
import type { PlannedRequest, RunPlan } from '@shared/run/plan-run';
import type { RunFault } from '@shared/run/read-directives';
import type { RequestResult, RunSummary } from '@shared/run/run-result';
import { readGiven } from '../../platform/given';
import { optimizeLater } from '../../platform/optimize-later';
import type { Given } from '../../platform/ports';
import type { Services } from '../../services/create-services';
import { readAddress } from '../../services/environments/address-binding';
import type { DataTable } from '../../services/running/data-rows';
import {
  digestRequests,
  isUnfinishedRun,
  openResumeLog,
  readResumeHead,
  type ResumeHead,
  type ResumeLog,
} from '../../services/running/resume-log';
import type { RunOptions } from '../../services/running/run-context';
import { isLoopback, judgesWebhooks, listRunSecrets, needsWebhooks } from '../../services/running/run-facts';
import { WebhookHub } from '../../services/running/webhook-hub';
import type { CommandContext } from '../command';
import type { RunValues } from '../commands/run';
import { openServices, withServices } from '../open-services';
import { readSigningKey } from '../read-keys';
import { sayFaults } from '../say-faults';
import type { VariableAdvice } from '@shared/http-file/foreign-variables';
import { identifyPlan, readGivenValues } from '../request-file';
import {
  chooseEnvironment,
  createAdvice,
  findEnvironmentFolder,
  isReadFrom,
  requireAddress,
  sayEnvironment,
  temporaryName,
} from '../session';
import { usageError } from '../usage-error';
import { sayIfLong } from './say-if-long';
import type { RunSandbox } from './start-sandbox';
import { findStats } from '../../platform/files/files';
import { listSome } from '@shared/list-some';

/** What a run is asked for, read and checked as far as its files go. */
interface RunCall {
  readonly context: CommandContext;
  readonly values: RunValues;
  readonly plan: RunPlan;
  /** First of the folders or files. */
  readonly folder: string;
  /** Where nothing may go, of all environments and the chosen one; throws. Left out: `confirm` asks. */
  readonly vet?: (url: string, all: readonly KnownEnvironment[], chosen: Environment) => void;
  /** Left out: of who calls the command. */
  readonly advice?: VariableAdvice;
}

/** What tells the terminal and the reports. */
interface RunListener {
  started(title: string): void;
  ending(): void;
  result(result: RequestResult): void;
}

/** A run that is ready to begin. */
export interface RunSession {
  /** Values of the call. */
  readonly given: Readonly<Record<string, string>>;
  /** Columns of the rows whose place a value of the call takes. */
  readonly hiddenColumns: readonly string[];
  /** Variables that nobody gives, and files that cannot be read. */
  findMissing(): Promise<RunFault[]>;
  /** Key, credentials and values that it needs and the vault lacks. */
  findMissingSetUp(): Promise<AppError[]>;
  /** Looks for rows that cannot be sent, and for references that several have. @throws {AppError} `running.bad_data` */
  refuseRows(): Promise<void>;
  /** Asks where it goes to production. @throws {AppError} `cli.not_confirmed` */
  confirm(): Promise<void>;
  openResume(folder: string | null): void;
  run(listener: RunListener): Promise<RunSummary>;
  /** Says how to go on with rows that were not all sent; null: there is nothing left. */
  adviseRest(): string | null;
}

const sandboxAdvice =
  'add --sandbox to start one for this run, start the app (one that was started with --data DIR needs --data-directory DIR here)';
const resumeFile = 'resume.json';

/** Opens service, environment and receiver for a run, and ends them whatever becomes of it. */
export async function withRunSession<T>(call: RunCall, use: (session: RunSession) => Promise<T>): Promise<T> {
  const { resume } = call.values;
  const begun = resume === undefined ? null : readResumeHead(resume);
  const table = await openRows(call, begun);
  const iterations = chooseIterations(call.values, begun);
  const sandbox = call.values.sandbox ? await (await import('./start-sandbox')).startSandbox() : null;
  try {
    return await withServices(await openRunServices(call, sandbox), async (services) => {
      const found = await findEnvironment(call, services);
      const webhooks = await openWebhooks(call, found.environment, services);
      const session = createSession({
        call,
        begun,
        table,
        iterations,
        sandbox,
        services,
        ...found,
        webhooks,
      });
      try {
        return await use(session);
      } finally {
        session.close();
        await webhooks.close();
      }
    });
  } finally {
    await sandbox?.close();
  }
}

async function openRows(
  { context, values, plan }: RunCall,
  head: ResumeHead | null,
): Promise<DataTable | null> {
  if (head === null && values.data === undefined) return null;
  // What reads tables loads where there is one.
  const { openDataTable } = await import('../../services/running/data-rows');
  const file = values.data === undefined ? head!.data : resolve(values.data);
  const table = await sayIfLong(context.say, `Reading ${file} through, before anything is sent.`, async () =>
    openDataTable(file),
  );
  if (head === null) return table;
  if (table.sha256 !== head.sha256) {
    throw new AppError(
      'running.bad_resume',
      `${table.file} is not what the run of ${values.resume} was begun with. Put the rows back as they were; nothing was sent.`,
    );
  }
  if (digestRequests(plan) === head.requests) return table;
  throw new AppError(
    'running.bad_resume',
    `The requests are not those that the run of ${values.resume} was begun with: a file of them or of their bodies has changed, or others are chosen. Put them back as they were, or send the rows that are left from a file of their own; nothing was sent.`,
  );
}

/** One that goes on runs its rows as often as it was begun with: those of a later iteration would be forgotten. */
function chooseIterations({ resume, iterations }: RunValues, head: ResumeHead | null): number {
  const begun = head?.iterations;
  if (begun === undefined) return iterations ?? 1;
  if (iterations === undefined || iterations === begun) return begun;
  throw new AppError(
    'running.bad_resume',
    `The run of ${resume} was begun with --iterations ${begun}. Leave --iterations out; nothing was sent.`,
  );
}

async function openRunServices(
  { context, values, folder }: RunCall,
  sandbox: RunSandbox | null,
): Promise<Services> {
  const { 'base-url': given, 'data-directory': data } = values;
  const baseUrl = sandbox?.baseUrl ?? given;
  const collection = findStats(folder)?.isDirectory() ? folder : dirname(folder);
  const keeps = sandbox === null && (baseUrl === undefined || data !== undefined);
  return openServices(keeps ? { data, mustExist: isReadFrom(data, given) } : 'none', {
    signingKey: values.key === undefined ? null : await readSigningKey(context, values.key),
    ...sandbox?.given,
    // A token of somebody's service is nothing for the sandbox.
    ...(sandbox === null ? {} : { token: null }),
    environment: baseUrl === undefined ? null : { name: temporaryName, baseUrl },
    collectionDirectory: findEnvironmentFolder(collection) ?? findEnvironmentFolder(process.cwd()),
    requestTimeoutMs: values.timeout,
  });
}

async function findEnvironment(
  { context, values, plan, advice }: RunCall,
  services: Services,
): Promise<Pick<SessionParts, 'environment' | 'all' | 'advice'>> {
  const listed = await (await services.running()).listEnvironments();
  const isGiven = values.sandbox || values['base-url'] !== undefined;
  const environment = chooseEnvironment(listed, isGiven ? temporaryName : values.env, services.ports.given);
  await sayFaults(context, listed, services.ports);
  if (plan.requests.some(({ request }) => request.text.includes('base_url')))
    requireAddress(environment, sandboxAdvice);
  if (!isGiven && values.env === undefined) sayEnvironment(context, environment);
  return {
    environment,
    all: [...listed.environments, ...(await services.listProduction())],
    advice: advice ?? createAdvice(listed, environment, services.ports.given),
  };
}

interface RunWebhooks {
  readonly hub: WebhookHub;
  /** Value of `{{callback_url}}` where nobody gives one; null: somebody does. */
  readonly callbackUrl: string | null;
  close(): Promise<void>;
}

async function openWebhooks(
  { context, values, plan }: RunCall,
  environment: Environment,
  services: Services,
): Promise<RunWebhooks> {
  const hub = new WebhookHub();
  const port = values['listen-port'];
  const nothing = { hub, callbackUrl: null, close: () => Promise.resolve() };
  if (!needsWebhooks(plan)) return nothing;
  const named = readGivenValues(values)['callback_url'] ?? environment.variables['callback_url'] ?? '';
  const isKept = services.ports.dataDirectory !== null;
  if (named !== '' && port === undefined && isKept) {
    const close = await (await services.running()).follow(hub);
    return { ...nothing, close: () => Promise.resolve(close()) };
  }
  if (named !== '' && port === undefined) {
    if (!judgesWebhooks(plan)) return nothing;
    throw usageError(
      `Webhooks go to ${named.slice(0, 100)}, where this run sees none: name the port that it leads to with --listen-port N.`,
    );
  }
  const { receiveWebhooks } = await import('../../services/running/receive-webhooks');
  const { sayNotTaken } = await import('../say-not-taken');
  const say = sayNotTaken(context);
  const receiver = await receiveWebhooks(hub, port ?? 0, (request) => say('run', request));
  if (named === '' && !isLoopback(environment.baseUrl)) {
    context.say(
      `Webhooks are waited for at ${receiver.url}, which ${environment.baseUrl || 'a service on another machine'} does not reach: give --callback-url and --listen-port.`,
    );
  }
  return { hub, callbackUrl: named === '' ? receiver.url : null, close: () => receiver.close() };
}

interface SessionParts {
  readonly call: RunCall;
  /** What the run was begun with that this one goes on with; null: it goes on with none. */
  readonly begun: ResumeHead | null;
  readonly table: DataTable | null;
  readonly iterations: number;
  readonly sandbox: RunSandbox | null;
  readonly services: Services;
  readonly environment: Environment;
  readonly all: readonly KnownEnvironment[];
  readonly advice: VariableAdvice;
  readonly webhooks: RunWebhooks;
}

function listSecrets(
  { call, sandbox, environment }: SessionParts,
  given: Readonly<Record<string, string>>,
): string[] {
  const outside: Given = readGiven();
  const passphrase = call.context.environment['COUNTERSIGN_KEY_PASSPHRASE'];
  const known = [outside.token, outside.credentials?.consumerSecret, ...(sandbox?.secrets ?? []), passphrase];
  return listRunSecrets(environment, given, known);
}

/** How a variable is given; one of the rows by their columns alone. */
function describeWay(name: string, table: DataTable | null, adviseOn: (name: string) => string): string {
  if (table?.columns.includes(name) === true)
    return `it is a column of ${table.file}, whose values are written {{row.${name}}}`;
  if (!name.startsWith('row.')) return adviseOn(name);
  if (table === null) {
    return `it comes from the rows of a file, named with --data FILE, by the column '${name.slice('row.'.length)}'`;
  }
  return `${table.file} has the columns ${listSome(table.columns.map((one) => `'${one}'`))}`;
}

/** What the options of the call say of a run. */
function describeRun(
  parts: SessionParts,
  { variables, given }: Readonly<Record<'variables' | 'given', Readonly<Record<string, string>>>>,
): Omit<RunOptions, 'requests' | 'resume' | 'stop' | 'onStarted' | 'onResult'> {
  const { call, table, iterations, environment, all, webhooks } = parts;
  const { values, vet } = call;
  return {
    ...(vet && { vet: (url: string): void => vet(url, all, environment) }),
    environment: {
      id: environment.id,
      label: environment.label,
      variables,
      destination: environment,
      isLoopback: isLoopback(environment.baseUrl),
      lastReferences: environment.lastReferences,
    },
    given,
    allowHosts: values['allow-host'],
    isBail: values.bail,
    jobs: values.jobs,
    retries: values.retry,
    iterations,
    delayMs: values.delay,
    rows: table,
    hub: webhooks.hub,
    secrets: listSecrets(parts, given),
  };
}

/** What would be sent, prepared once for all that looks at it before the first request leaves; `take` keeps it no longer. */
function createForesight(plan: RunPlan, values: Parameters<typeof foresee>[1]) {
  let foreseen: ForeseenRequest[] | null = null;
  const look = (): ForeseenRequest[] => (foreseen ??= foresee(plan, values));
  const take = (): ForeseenRequest[] => {
    const taken = look();
    foreseen = null;
    return taken;
  };
  return { look, take };
}

/** What nobody gives, and files of bodies that are not there: these are looked for where a request has one. */
async function findMissing(
  foreseen: readonly ForeseenRequest[],
  { table, advice }: Pick<SessionParts, 'table' | 'advice'>,
  digests: Map<string, string>,
): Promise<RunFault[]> {
  const adviseOn = (name: string): string => describeWay(name, table, advice.adviseOn);
  const values = findMissingValues(foreseen, { ...advice, adviseOn });
  if (foreseen.every(({ prepared }) => prepared.files.length === 0)) return values;
  const { findMissingFiles } = await import('../../services/running/find-missing-files');
  return [...values, ...findMissingFiles(foreseen, digests)];
}

function createSession(parts: SessionParts): RunSession & { close(): void } {
  const { call, table, iterations, services, environment, all, webhooks } = parts;
  const { values, plan, context } = call;
  const given = readGivenValues({
    var: values.var,
    'callback-url': values['callback-url'],
    'base-url': parts.sandbox?.baseUrl ?? values['base-url'],
  });
  const variables: Record<string, string> = { ...environment.variables };
  if (webhooks.callbackUrl !== null) variables['callback_url'] = webhooks.callbackUrl;
  let resume: ResumeLog | null = null;
  let resumePath: string | null = null;
  let isLeft = false;
  let production: string | undefined;
  const bodyFiles = new Map<string, string>();
  const row = Object.fromEntries((table?.columns ?? []).map((name) => [`row.${name}`, '0']));
  const options = describeRun(parts, { variables, given });
  const foresight = createForesight(plan, { variables, given: { ...row, ...given } });
  return {
    given,
    hiddenColumns: (table?.columns ?? []).filter((name) => Object.hasOwn(given, `row.${name}`)),
    findMissing: () => findMissing(foresight.look(), parts, bodyFiles),
    async findMissingSetUp() {
      const requests = foresight.take().map(({ prepared }) => prepared);
      return (await services.running()).findMissingSetUp(environment.id, requests);
    },
    async refuseRows() {
      // What the run before has sent is looked at reference by reference: its rows cannot be changed any more.
      if (table === null || values.resume !== undefined) return;
      const { refuseRows } = await import('./refuse-rows');
      await sayIfLong(context.say, `Checking each row of ${table.file}, before anything is sent.`, async () =>
        refuseRows({ plan, table, iterations, values: { variables, given } }),
      );
    },
    async confirm() {
      (await import('../confirm-production')).sayUnmarked(context, environment);
      if (all.every(({ kind }) => kind !== 'production')) return;
      const { confirmRun } = await import('./confirm-run');
      const rows = table === null ? null : () => table.rows();
      const run = { plan, rows, iterations, environment, all, values: { variables, given } };
      production = await confirmRun(context, run, values.production);
    },
    openResume(folder) {
      resumePath = values.resume ?? (folder === null ? null : join(folder, resumeFile));
      const service = nameService(parts, given['base_url']);
      resume = openResume(call, { begun: parts.begun, table, iterations, service }, folder);
    },
    close: () => undefined,
    async run(listener) {
      if (options.vet) for (const { prepared } of foresight.take()) options.vet(prepared.url);
      const stop = new AbortController();
      void context.waitForEnd().then(() => {
        listener.ending();
        stop.abort();
      });
      const running = await services.running();
      const requests = await identifyRequests(plan, services);
      optimizeLater();
      const summary = await running.run({
        ...options,
        production,
        requests,
        resume,
        bodyFiles,
        stop: stop.signal,
        onStarted: (title) => listener.started(title),
        onResult: (result) => listener.result(result),
      });
      isLeft = !summary.isComplete || summary.counts.error > 0 || summary.counts.unfinished > 0;
      resume?.close(!isLeft);
      return summary;
    },
    adviseRest() {
      if (table === null || !isLeft) return null;
      return resumePath === null
        ? 'What of the rows was sent is written down nowhere: with --out DIR, a run that was ended can be gone on with.'
        : `What is left of the rows is sent by --resume ${resumePath}`;
    },
  };
}

/** Gives the requests what history knows them by; where nothing is kept, nobody asks which collections are open. */
async function identifyRequests(
  plan: RunPlan,
  { ports, router }: Services,
): Promise<readonly PlannedRequest[]> {
  if (ports.dataDirectory === null) return identifyPlan(plan, []);
  const { collections } = await router.call('collections.list', {});
  return identifyPlan(plan, collections);
}

/**
 * Which service knows the payments of a run: scheme, host and port alone, as the rest of an address may hold a secret.
 * A sandbox of this machine goes by its name: its port may be another each time.
 */
function nameService({ sandbox, environment }: SessionParts, given: string | undefined): string {
  if (sandbox !== null) return 'the sandbox of --sandbox';
  if (given === undefined && environment.id === localEnvironmentId) return 'the local sandbox';
  return readAddress(given ?? environment.baseUrl) || 'an address that is none';
}

/** @throws {AppError} `running.bad_resume` where the folder has a run that is not over */
function openResume(
  { context, values, plan }: RunCall,
  {
    begun,
    table,
    iterations,
    service,
  }: Pick<SessionParts, 'begun' | 'table' | 'iterations'> & { service: string },
  folder: string | null,
): ResumeLog | null {
  if (table === null) return null;
  const requests = digestRequests(plan);
  const { file: data, sha256 } = table;
  const head = { version: 2, data, sha256, requests, service, iterations } as const;
  if (values.resume !== undefined) {
    const { service: before = service } = begun ?? {};
    if (before !== service)
      context.say(
        `The run of ${values.resume} went to ${before}, and this one goes to ${service}: what was sent there counts as sent, whether it is known here or not.`,
      );
    return openResumeLog(resolve(values.resume), head, true);
  }
  if (folder === null) return null;
  const file = join(folder, resumeFile);
  if (isUnfinishedRun(file)) {
    throw new AppError(
      'running.bad_resume',
      `${file} is of a run that is not over, and a new one would send its payments again. Go on with it by --resume ${file}, or name another folder with --out.`,
    );
  }
  return openResumeLog(file, head, false);
}
